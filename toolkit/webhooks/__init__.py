"""Notifications as they come in: verified, kept once, received."""
