"""What a report tells, a subject a file."""
