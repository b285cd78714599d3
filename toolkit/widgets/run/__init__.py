"""The RunPanel widget: from a pasted list to a report."""
