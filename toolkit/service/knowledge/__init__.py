"""Written knowledge of the embedded service, as files that a person can read and extend."""
