"""The vocabulary that the service can emit: as the filters document, as an object, and as a page for people."""

from __future__ import annotations

import tomllib
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.vocabulary import Vocabulary
from toolkit.service.knowledge.lexicon import knowledge_rows

__all__ = ["INDUSTRIES", "browsable_page", "filters_document", "service_vocabulary"]

#: Path of the category whose children are the B2B industries.
INDUSTRIES: Final = "Business and Finance > Industries"


@cache
def _enumerations() -> dict[str, Any]:
    text = files("toolkit.service.knowledge").joinpath("enumerations.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def filters_document() -> dict[str, Any]:
    """Return the vocabulary as the filters endpoint sends it."""
    source = _enumerations()
    taxonomy = Taxonomy.load("content-v3")
    industries = {child.name: child.name for child in taxonomy.children(taxonomy.by_path(INDUSTRIES).id)}
    return {
        "vocab_version": source["vocab_version"],
        "audience_type": _values(source["audience_type"]),
        "demographics": {name: _values(table) for name, table in source["demographics"].items()},
        "interests": _groups("interests.tsv", "sub_interests"),
        "purchase_intent": _groups("purchase_intent.tsv", "segments"),
        "b2b": {
            **{name: _values(table) for name, table in source["b2b"].items()},
            "industry": _values({"values": industries}),
        },
        "content_context": {name: _values(table) for name, table in source["content_context"].items()},
        "confidence": _values({"values": {"low": "Low", "medium": "Medium", "high": "High"}}),
        "status": 200,
    }


@cache
def service_vocabulary() -> Vocabulary:
    """Return the vocabulary as an object, built once from the document."""
    return Vocabulary.parse(filters_document())


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
    return _PAGE.format(version=escape(document["vocab_version"]), enumerations=enumerations, codes=codes)


def _values(table: dict[str, Any]) -> list[dict[str, str]]:
    return [{"value": value, "label": label} for value, label in table["values"].items()]


def _groups(name: str, members: str) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    for row in knowledge_rows(name):
        entry = {"code": row["code"], "label": row["label"]}
        if row["code"].count(".") == 1:
            groups.append({**entry, members: []})
        else:
            groups[-1][members].append(entry)
    return groups


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


_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Audience segmentation taxonomy {version}</title>
<style>
body{{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}}
table{{border-collapse:collapse;margin-bottom:1rem}}td{{padding:.1rem 1.5rem .1rem 0;vertical-align:top}}
code{{font-size:.9em}}h2{{margin-top:2.5rem;border-bottom:1px solid #999}}h3{{margin-bottom:.2rem}}
input{{font:inherit;width:100%;max-width:30rem;padding:.3rem}}
</style></head><body>
<h1>Audience segmentation taxonomy, version {version}</h1>
<p>Every value that the segmentation can emit. <a href="/api/audience/filters.php">The same as JSON</a>.
<a href="#interests">Interests</a> · <a href="#purchase_intent">Purchase intent</a></p>
<p><label>Search <input id="search" type="search" placeholder="dogs, mortgage, PI.SOFTWARE …"></label></p>
<h2>Enumerations</h2>{enumerations}{codes}
<script>
document.getElementById("search").addEventListener("input", function (event) {{
  var wanted = event.target.value.toLowerCase();
  document.querySelectorAll("section").forEach(function (section) {{
    var head = section.querySelector("h3").textContent.toLowerCase().includes(wanted), shown = 0;
    section.querySelectorAll("tr").forEach(function (row) {{
      row.hidden = !head && !row.textContent.toLowerCase().includes(wanted);
      shown += !row.hidden;
    }});
    section.hidden = !head && !shown;
  }});
}});
</script></body></html>
"""
