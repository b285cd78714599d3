"""A deck's file: the same bytes for the same slides."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any, Final

from pptx.opc.constants import RELATIONSHIP_TYPE

if TYPE_CHECKING:
    from toolkit.reports.contents import Report

__all__ = ["packed"]

_MADE: Final = (1980, 1, 1, 0, 0, 0)
_BY: Final = "Audience toolkit"
_LONGEST: Final = 255
#: Parts that say something of other slides: those that the library's own empty file was made from.
_STALE: Final = {RELATIONSHIP_TYPE.EXTENDED_PROPERTIES, RELATIONSHIP_TYPE.THUMBNAIL}


def packed(slides: Any, report: Report) -> bytes:
    """Return a presentation as a file that says what it is of, and not when it was written."""
    core = slides.core_properties
    core.title, core.subject, core.author = report.title[:_LONGEST], report.subtitle[:_LONGEST], _BY
    core.last_modified_by, core.revision, core.language = _BY, 1, "en"
    core.keywords = core.comments = core.category = ""
    core.created = core.modified = report.at
    relations = slides.part.package._rels  # noqa: SLF001 - the library has no door to these parts
    for link in [link for link, one in relations.items() if one.reltype in _STALE]:
        relations.pop(link)
    for link in [link for link, one in slides.part.rels.items() if one.reltype == RELATIONSHIP_TYPE.PRINTER_SETTINGS]:
        slides.part.rels.pop(link)
    file = io.BytesIO()
    slides.save(file)
    written = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, _MADE), old.read(name), zipfile.ZIP_DEFLATED)
    return written.getvalue()
