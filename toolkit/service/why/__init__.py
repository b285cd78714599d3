"""Why an answer holds something, or does not."""
