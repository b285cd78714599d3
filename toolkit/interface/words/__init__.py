"""What a reader is told: names in plain words, in one place for every surface."""
