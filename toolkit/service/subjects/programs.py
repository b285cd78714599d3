"""Pages that show programs: names, options, files and calls as they are typed, whatever words stand in them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.marks import may_match
from toolkit.service.knowledge.pieces import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.service.pages.parsed import Page

__all__ = ["DOCUMENTED", "TECHNOLOGY", "programming"]

#: What documentation is of, and pages that show programs: of other things their words are pictures.
DOCUMENTED: Final = ("Technology & Computing", "Business and Finance", "Science", "Video Gaming")

#: Identifier of Technology & Computing, and with it that of Computing, the same in both content taxonomies.
TECHNOLOGY: Final = "596"
_SOFTWARE: Final = (TECHNOLOGY, "599")
#: What is added to their scores: less than what a subject has of which a page speaks plainly, such as genetics.
_ADDED: Final = 0.25
#: The same of documentation of a program: what it tells of is named after things (stables, recipes, normals).
_DOCUMENTED: Final = 1.0
#: Marks of which a page of it has more: its address, a version there or in the title, what makes such sites, and what
#: these put behind a heading to link to it.
_MARKS: Final = 2
_AT_DOCS: Final = re.compile(
    r"://(?:docs?|documentation|developers?|devdocs|api|manual)\.|/(?:docs?|documentation|api)/", re.IGNORECASE
)
_AT_VERSION: Final = re.compile(
    r"/(?:latest|stable|master|v?[0-9]{1,3}\.[0-9x]{1,3}(?:\.[0-9x]{1,3})?)(?:/|$)", re.IGNORECASE
)
_TITLED: Final = re.compile(r"\b(?:docs|documentation|manual|reference|api)\b", re.IGNORECASE)
_VERSION: Final = re.compile(r"\bv?[0-9]{1,3}\.(?:[0-9]{1,3}|x)\b")
_MAKERS: Final = re.compile(
    r"sphinx|mkdocs|docusaurus|gitbook|vitepress|vuepress|rustdoc|javadoc|doxygen|antora", re.IGNORECASE
)
_LINK: Final = "¶"
#: So many different pieces of code no page shows by the way.
_LEAST: Final = 5
#: Without any of these there are not so many, and the text is not gone through.
_SIGNS: Final = ("_", "()", " --", "=>", "==", "::", ".js", ".py", ".sh", ".toml", ".yaml", ".yml", ".conf", ".xml")
#: snake_case and camelCase (no iPhone), calls, files, options, commands, versions, operators.
_CODE: Final = re.compile(
    r"\b[a-z][a-z0-9]{1,40}(?:_[a-z0-9]{1,40}){1,8}\b|\b[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8}\b"
    r"|\b(?!(?:i|e|mac)[A-Z])[a-z]{2,40}[A-Z][a-zA-Z]{1,40}\b|\b[A-Za-z_.]{2,60}\(\)"
    r"|\b[\w-]{1,60}\.(?:py|js|ts|jsx|tsx|json|ya?ml|toml|rs|go|cpp|hpp|sh|conf|ini|xml|css|sql|java|rb|php|dll|lua|cfg)\b"
    r"|(?<![\w-])--[a-z][a-z-]{1,40}\b"
    r"|(?<![\w.])v?\d{1,4}\.\d{1,4}\.\d{1,4}(?![\w.])|\b0x[0-9a-fA-F]{1,40}\b|=>|!=|==|&&|\|\|"
)
#: Code that has a blank in it.
_COMMAND: Final = re.compile(
    r"\b(?:npm|pip|apt-get|apt|brew|cargo|docker|git|kubectl|sudo|yarn|pnpm|conda) "
    r"(?:install|run|add|build|clone|commit|push|pull|update|exec|init|checkout|apply|get)\b"
)


# Both taxonomies ask, and the web-filtering categories.
@lru_cache(maxsize=16)
def programming(page: Page) -> dict[str, dict[str, float]]:
    """Return what a page's code or its making adds to the scores of software, by what is said of it.

    Its words name parts of a program.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> text = "Call leaf.prune() before tree_walk() or set max_depth in garden.toml; --graft and root_node are gone."
    >>> programming(page_from_text(text))
    {'shows the code of programs': {'596': 0.25, '599': 0.25}}
    """
    if _is_documentation(page):
        return {"documents a program": dict.fromkeys(_SOFTWARE, _DOCUMENTED)}
    if not any(sign in text for text in page.stated for sign in _SIGNS):
        return {}
    found = {piece for text in page.stated for piece in written(text).texts(_code_in).split("\n") if piece}
    typed = [text for text in page.stated if may_match(_COMMAND, text)]
    found |= {command[0].lower() for text in typed for command in _COMMAND.finditer(text)}
    return {"shows the code of programs": dict.fromkeys(_SOFTWARE, _ADDED)} if len(found) >= _LEAST else {}


def _is_documentation(page: Page) -> bool:
    """Tell whether a page is of the documentation of a program, as its address, title and making tell."""
    titled = _TITLED.search(page.title) is not None
    marks = (
        _AT_DOCS.search(page.url) is not None,
        _AT_VERSION.search(page.url) is not None,
        titled,
        titled and _VERSION.search(page.title) is not None,
        _MAKERS.search(page.metas.get("generator", "")) is not None,
        any(heading.endswith(_LINK) for heading in page.headings),
    )
    return sum(marks) > _MARKS


def _code_in(pieces: Sequence[str]) -> list[str]:
    """Return the code in pieces of text, a line each."""
    return ["".join(f"{code.lower()}\n" for code in _CODE.findall(piece)) for piece in pieces]
