"""A report as an Excel workbook: the answer with links, then a table a sheet with its chart beside it."""

from toolkit.reports.book.workbook import book, sheet_names

__all__ = ["book", "sheet_names"]
