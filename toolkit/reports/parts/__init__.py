"""What a report says, a noun a module."""
