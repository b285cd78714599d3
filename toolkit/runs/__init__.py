"""A list in, paid for once: planned, sent, kept, and gone on with after any end."""
