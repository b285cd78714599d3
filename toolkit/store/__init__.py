"""The file of answers: every one as it came, found again while it is fresh."""
