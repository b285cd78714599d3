"""Files that widgets hand over: names that are free beside the notebook, and links that save them."""

from __future__ import annotations

import base64
import io
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolkit.frames.files import write_csv

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["download_link", "free_path", "safe_name", "saved_link"]

_LONGEST_NAME: Final = 60
#: Bytes of CSV up to which a frame is a link: it is sent to the browser, and saved with the notebook.
LARGEST_LINK: Final = 500_000
_KIB: Final = 1024


def safe_name(title: str, default: str) -> str:
    """Return a title as the name of a file on any system, without its end.

    Examples
    --------
    >>> safe_name("Q3: shops / travel?", "report"), safe_name("../..", "report")
    ('Q3-shops-travel', 'report')
    """
    return re.sub(r"[^\w]+", "-", title)[:_LONGEST_NAME].strip("-_") or default


def free_path(name: str, suffix: str) -> Path:
    """Return a path beside the notebook at which no file is: ``report.pptx``, else ``report-2.pptx`` and so on."""
    path, number = Path(f"{name}{suffix}"), 1
    while path.exists():
        number += 1
        path = Path(f"{name}-{number}{suffix}")
    return path


def download_link(name: str, frame: pd.DataFrame) -> str:
    """Return a link that saves a frame as CSV without formulas, or says that it is too large for one."""
    text = io.StringIO()
    write_csv(frame, text)
    data = text.getvalue().encode("utf-8", "replace")
    if len(data) > LARGEST_LINK:
        return f"{escape(name, quote=True)}.csv is too large for a link ({_size(data)}): write Parquet"
    return saved_link(f"{name}.csv", data, "text/csv;charset=utf-8")


def saved_link(name: str, data: bytes, media: str) -> str:
    """Return a link that saves a file of a MIME type; the whole of it is in the link."""
    file = escape(name, quote=True)
    packed = base64.b64encode(data).decode("ascii")
    # JupyterLab gives links in widgets no colour of their own.
    style = "color:var(--jp-content-link-color,#0b60b0);text-decoration:underline"
    return f"<a style='{style}' download='{file}' href='data:{media};base64,{packed}'>{file}</a> ({_size(data)})"


def _size(data: bytes) -> str:
    return f"{max(len(data) / _KIB, 1):,.0f} KB"
