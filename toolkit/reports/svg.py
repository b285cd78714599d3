"""Drawings that stand within a page: nothing in them runs or is fetched, and the same drawing is the same text."""

from __future__ import annotations

import re
from typing import Any, Final

from toolkit.interface.errors import InputError
from toolkit.reports.words import clean

__all__ = ["inline_svg"]

_SVG: Final = "{http://www.w3.org/2000/svg}"
_LINK: Final = "{http://www.w3.org/1999/xlink}href"
#: What holds other languages, runs, fetches, or animates an attribute into something else.
_UNWANTED: Final = frozenset({"script", "style", "foreignObject", "iframe", "object", "embed", "animate", "set", "a"})
_REFERENCE: Final = re.compile(r"url\(\s*(['\"]?)([^)]*?)\1\s*\)")


def inline_svg(drawing: bytes, prefix: str, alt: str) -> str:
    """Return a drawing as an ``svg`` element within a page: as wide as the page allows, up to its own width.

    Nothing in it runs, and its only addresses are its own parts and data that it carries. Identifiers begin with
    `prefix`, for they must differ between the drawings of a page, and those of plotly are made at random.

    Examples
    --------
    >>> drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="3"><g onclick="x()"/></svg>'
    >>> inline_svg(drawing, "a", "Kites").partition(" viewBox")[2]
    '="0 0 9 3" role="img" aria-label="Kites" style="max-width:9px"><g/></svg>'
    """
    from lxml import etree  # noqa: PLC0415 - of the extra "office", as is what draws

    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root: Any = etree.fromstring(drawing, parser)
    except etree.XMLSyntaxError as error:
        raise InputError(f"The drawing for {alt!r} is no SVG: {clean(error.msg)}. Draw it again.") from None
    if root.tag != f"{_SVG}svg":
        raise InputError(f"The drawing for {alt!r} is no SVG. Draw it again.")
    _strip(root)
    _rename(root, prefix)
    width, height = (_length(root.get(name)) for name in ("width", "height"))
    for name in ("width", "height", "style"):
        root.attrib.pop(name, None)
    if width and height:
        root.set("viewBox", root.get("viewBox") or f"0 0 {width:g} {height:g}")
    root.set("role", "img")
    root.set("aria-label", clean(alt))
    if width:
        root.set("style", f"max-width:{width:g}px")
    return str(etree.tostring(root, encoding="unicode"))


def _strip(root: Any) -> None:
    for element in list(root.iter()):
        if not isinstance(element.tag, str) or _local(element.tag) in _UNWANTED:
            parent = element.getparent()
            if parent is not None:
                parent.remove(element)
            continue
        for name, value in list(element.attrib.items()):
            local = _local(name)
            address = value.strip().lower()
            foreign = local in {"href", "src"} and not address.startswith(("#", "data:image/png", "data:image/jpeg"))
            # Classes have no styles here, and plotly makes some of them at random.
            if local.lower().startswith("on") or foreign or local == "class":
                del element.attrib[name]
            else:
                element.set(name, _REFERENCE.sub(lambda found: _own(found[2]), value))


def _local(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition("}")[2]


def _own(address: str) -> str:
    """Return a reference to a part of the same drawing; others lead nowhere."""
    return f"url('{address}')" if address.startswith("#") else "none"


def _rename(root: Any, prefix: str) -> None:
    found = [element for element in root.iter() if element.get("id")]
    names = {str(element.get("id")): f"{prefix}-{number}" for number, element in enumerate(found, 1)}
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            if name == "id":
                element.set(name, names[value])
            elif name in {"href", _LINK}:
                element.set(name, f"#{names[value[1:]]}" if value[1:] in names else value)
            else:
                element.set(name, _REFERENCE.sub(lambda found: _renamed(found[2], names), value))


def _renamed(address: str, names: dict[str, str]) -> str:
    return f"url('#{names.get(address[1:], address[1:])}')" if address.startswith("#") else "none"


def _length(text: str | None) -> float:
    try:
        return float((text or "").removesuffix("px"))
    except ValueError:
        return 0.0
