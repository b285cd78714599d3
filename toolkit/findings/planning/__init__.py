"""What a planner asks of a list: who is alike, what is safe, how many sites, what changes."""
