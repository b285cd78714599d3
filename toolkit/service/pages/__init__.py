"""From an address to what a page says: fetched safely, read, its text and tags."""
