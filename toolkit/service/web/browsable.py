"""The vocabulary as a page for people."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import HTMLResponse, Response

from toolkit.service.knowledge.vocabulary import filters_document

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["answer_page", "browsable_page"]


def answer_page(request: Request) -> Response:
    """Answer with the page, or with 304 to who has it already."""
    content, headers = _kept_page()
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return HTMLResponse(content, headers=headers)


@cache
def _kept_page() -> tuple[bytes, dict[str, str]]:
    content = browsable_page().encode()
    return content, {
        # Nothing but the page's own style and search may run, and nothing is fetched or framed.
        "Content-Security-Policy": f"default-src 'none'; style-src {_hash(_STYLE)}; script-src {_hash(_SCRIPT)}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "Cache-Control": "public, max-age=3600",
        "ETag": f'"{sha256(content).hexdigest()[:32]}"',
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "DENY",
    }


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def browsable_page() -> str:
    """Return the vocabulary as a self-contained HTML page with headings, anchors and a search field."""
    document = filters_document()
    parts = [_enumeration_table("audience_type", document["audience_type"])]
    for block in ("demographics", "b2b", "content_context"):
        parts += [_enumeration_table(name, values) for name, values in document[block].items()]
    enumerations = "".join(parts)
    codes = "".join(
        f"<h2 id='{block}'>{title}</h2>" + "".join(_group_table(group, members) for group in document[block])
        for block, title, members in (
            ("interests", "Interests", "sub_interests"),
            ("purchase_intent", "Purchase intent", "segments"),
        )
    )
    return _PAGE.format(
        version=escape(document["vocab_version"]), enumerations=enumerations, codes=codes, style=_STYLE, script=_SCRIPT
    )


def _enumeration_table(name: str, values: list[dict[str, str]]) -> str:
    rows = "".join(f"<tr><td><code>{escape(v['value'])}</code><td>{escape(v['label'])}" for v in values)
    title = escape(name.replace("_", " ").capitalize())
    return f"<section><h3 id='{escape(name)}'>{title} ({len(values)})</h3><table>{rows}</table></section>"


def _group_table(group: dict[str, Any], members: str) -> str:
    rows = "".join(f"<tr><td><code>{escape(m['code'])}</code><td>{escape(m['label'])}" for m in group[members])
    return (
        f"<section><h3>{escape(group['label'])} <code>{escape(group['code'])}</code> ({len(group[members])})</h3>"
        f"<table>{rows}</table></section>"
    )


_STYLE: Final = """
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}
table{border-collapse:collapse;margin-bottom:1rem}td{padding:.1rem 1.5rem .1rem 0;vertical-align:top}
code{font-size:.9em}h2{margin-top:2.5rem;border-bottom:1px solid #999}h3{margin-bottom:.2rem}
input{font:inherit;width:100%;max-width:30rem;padding:.3rem}
"""
_SCRIPT: Final = """
document.getElementById("search").addEventListener("input", function (event) {
  var wanted = event.target.value.toLowerCase();
  document.querySelectorAll("section").forEach(function (section) {
    var head = section.querySelector("h3").textContent.toLowerCase().includes(wanted), shown = 0;
    section.querySelectorAll("tr").forEach(function (row) {
      row.hidden = !head && !row.textContent.toLowerCase().includes(wanted);
      shown += !row.hidden;
    });
    section.hidden = !head && !shown;
  });
});
"""
_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Audience segmentation taxonomy {version}</title>
<style>{style}</style></head><body>
<h1>Audience segmentation taxonomy, version {version}</h1>
<p>Every value that the segmentation can emit. <a href="/api/audience/filters.php">The same as JSON</a>.
<a href="#interests">Interests</a> · <a href="#purchase_intent">Purchase intent</a></p>
<p><label>Search <input id="search" type="search" placeholder="dogs, mortgage, PI.SOFTWARE …"></label></p>
<h2>Enumerations</h2>{enumerations}{codes}
<script>{script}</script></body></html>
"""
