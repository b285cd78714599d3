"""What a user gives beside frames: groups, what belongs together, weights."""
