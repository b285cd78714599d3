"""Reading a ``filters`` document, whatever its inner structure."""
