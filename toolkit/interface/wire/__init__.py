"""What comes over the wire, before it is typed: a body's bytes as data, and whether that is an answer."""
