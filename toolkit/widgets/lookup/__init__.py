"""The Lookup widget."""
