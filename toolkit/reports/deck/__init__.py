"""A report as a deck of slides for PowerPoint."""
