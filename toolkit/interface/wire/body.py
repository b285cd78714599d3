"""A body's bytes as decoded data: JSON in any encoding, also beside the notices of PHP, or XML as JSON would say it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring
from pydantic_core import from_json

from toolkit.interface.wire.verdict import says_error

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

__all__ = ["decoded"]

#: Levels of XML beyond which no answer of the interface goes.
_DEEPEST: Final = 100
#: Places where JSON may begin behind notices; each costs a reading up to its first fault.
_MOST_STARTS: Final = 20
#: What PHP writes before or behind an answer while it goes on; after a fatal error there is none.
_NOTICE: Final = re.compile(r"\b(?:Warning|Notice|Deprecated|Strict Standards)(?:</b>)?\s*:", re.IGNORECASE)
_NOTHING: Final = frozenset({"null", "nil", "none", "void"})
_LISTS: Final = frozenset({"array", "list"})
_OBJECTS: Final = frozenset({"object", "struct", "map", "hash"})
_TEXTS: Final = frozenset({"string", "str", "text"})
_READERS: Final[dict[str, Callable[[str], Any]]] = {
    **dict.fromkeys(("integer", "int", "long"), int),
    **dict.fromkeys(("number", "float", "double", "decimal"), float),
    **dict.fromkeys(("boolean", "bool"), lambda value: value.lower() in {"true", "1"}),
}
_KINDS: Final = _NOTHING | _LISTS | _OBJECTS | _TEXTS | _READERS.keys()
#: Elements that are the entries of a list wherever they stand.
_ENTRIES: Final = frozenset({"item", "entry", "element", "row", "li"})


def decoded(body: bytes, media: str = "") -> Any:
    r"""Return what a body says; a ValueError tells in words what it is instead.

    JSON may be in any encoding of Unicode, with or without a byte order mark, and between notices of PHP.

    An XML element is an object of its children and attributes. It is a list where its ``type`` says so, where it has
    several children of one name and no others, or where these are named as entries are (``item``) or as one of what it
    is named for (``category`` in ``categories``). The text of an element with attributes is its ``name``.

    >>> decoded(b"<b>Warning</b>: it rains in <b>a.php</b><br />\n" + b'{"domain": "a.example"}')
    {'domain': 'a.example'}
    >>> decoded(b'<r><categories><category id="42">Pets</category></categories></r>', "application/xml")
    {'categories': [{'id': '42', 'name': 'Pets'}]}
    """
    if "xml" in media or body[:64].lstrip().startswith(b"<?xml"):
        return _xml(body.strip())
    try:
        return from_json(body)
    except ValueError:  # other encodings, halves of characters and depths, which the module of the language reads
        return _json(body)


def _json(body: bytes) -> Any:
    # White space of one byte is part of a character in other encodings.
    bare = body if b"\0" in body[:4] else body.strip()
    if not bare:
        raise ValueError("the body is empty")
    try:
        return json.loads(bare)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError as error:
        words = str(error)
    text = bare.decode("utf-8", errors="replace")
    found = _between_notices(text)
    if found is None:
        raise ValueError(words)
    return found


def _between_notices(text: str) -> dict[str, Any] | None:
    """Return the JSON object in a text of which all else is notices of PHP."""
    start = -1
    for _ in range(_MOST_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            return None
        try:
            found, end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        around = (text[:start].strip(), text[end:].strip())
        if all(not part or _NOTICE.search(part) for part in around):
            return found if isinstance(found, dict) else None
    return None


def _xml(body: bytes) -> Any:
    if not body:
        raise ValueError("the body is empty")
    try:
        root = fromstring(body)
        if _name(root.tag).lower() == "html":
            raise ValueError("it is a page of HTML")
        value = _plain(root)
    except (ParseError, DefusedXmlException, LookupError, RecursionError) as error:
        raise ValueError(f"XML: {error}") from None
    name = _name(root.tag)
    return {name: value} if says_error(name) and not isinstance(value, dict) else value


def _plain(node: Element, level: int = 0) -> Any:
    """Read an XML element: by its `type` attribute where it has one, else by its make-up."""
    if level > _DEEPEST:
        raise RecursionError("it is nested too deeply")
    kind, text = node.get("type", "").rpartition(":")[2].lower(), (node.text or "").strip()
    # What stands in a namespace, such as the place of a schema, is about the document.
    stated = {name: value for name, value in node.attrib.items() if not name.startswith("{")}
    if kind in _KINDS:
        del stated["type"]
    else:
        kind = ""
    children = list(node)
    if kind in _NOTHING or any(_name(name) == "nil" and value == "true" for name, value in node.attrib.items()):
        return None
    if kind in _LISTS or (not kind and _is_list(node, level)):
        return [_plain(child, level + 1) for child in children]
    if kind in _OBJECTS or children or (stated and not kind):
        return stated | ({"name": text} if text and not children else {}) | _plain_object(children, level + 1)
    return _READERS.get(kind, str)(text)


def _is_list(node: Element, level: int) -> bool:
    """Tell whether an element is a list by what its children are called; the whole answer is one only of entries."""
    names = {_name(child.tag) for child in node}
    if len(names) != 1:
        return False
    [one], own = names, _name(node.tag)
    several = own in {f"{one}s", f"{one}es", f"{one[:-1]}ies", f"{one}_list", f"{one}List"} or len(node) > 1
    return one in _ENTRIES or (several and level > 0)


def _plain_object(children: list[Element], level: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    repeated: set[str] = set()
    for child in children:
        name, value = _name(child.tag), _plain(child, level)
        if name in repeated:
            found[name].append(value)
        elif name in found:  # a repeated element is a list
            repeated.add(name)
            found[name] = [*(found[name] if isinstance(found[name], list) else [found[name]]), value]
        else:
            found[name] = value
    return found


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]
