"""The card of a site: all that a run knows of it, what is inferred told apart from what is measured, and why."""
