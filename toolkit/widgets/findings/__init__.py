"""Widgets over findings: compare groups, explore a coverage."""
