"""Findings as documents: a page, a deck of slides, a workbook."""
