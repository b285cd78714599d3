"""A report as one page that needs nothing else: no server, no network, no other file."""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any, Final

from toolkit.reports.svg import inline_svg
from toolkit.reports.texts import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolkit.reports.contents import Methods, Report, Section, Table

__all__ = ["html_page", "script_json"]

#: The largest layouts of charts that a page of this width shows.
_CONFIG: Final = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["sendChartToCloud"],
    "responsive": True,
    "showLink": False,
}
#: What could end a script or begin a comment in it; JSON has an escape for each.
_UNSAFE: Final = re.compile("[<>&\u2028\u2029]")
_STYLE: Final = """
:root { --ink: #1b1b1b; --soft: #4a4a4a; --line: #c9c9c9; --blue: #00507d; --pale: #f3f6f9; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff; font: 17px/1.55 system-ui, "Segoe UI", sans-serif; }
header, nav, main, footer { max-width: 1040px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 48px; }
h1 { font-size: 2.1rem; line-height: 1.2; margin: 0 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 1.45rem; line-height: 1.3; margin: 4px 0 12px; overflow-wrap: anywhere; }
h3 { font-size: 1.1rem; margin: 28px 0 8px; }
p { max-width: 46rem; margin: 0 0 12px; overflow-wrap: anywhere; }
a { color: var(--blue); }
a:focus-visible, .scroll:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px; }
.skip { position: absolute; left: -999px; background: #fff; padding: 8px 16px; }
.skip:focus { left: 8px; top: 8px; z-index: 1; }
.sub, .foot, figcaption, .note, caption { color: var(--soft); }
.kicker { color: var(--blue); font-weight: 600; margin: 0; }
.foot, figcaption, .note { font-size: .9rem; }
nav { margin-top: 24px; }
nav h2 { font-size: 1.1rem; margin: 0 0 8px; }
nav > div { background: var(--pale); border-left: 4px solid var(--blue); padding: 16px 20px; }
nav ol { margin: 0; padding-left: 1.4rem; }
nav li { margin: 4px 0; overflow-wrap: anywhere; }
main > section { border-top: 1px solid var(--line); margin-top: 40px; padding-top: 28px; }
figure { margin: 20px 0; }
figure svg { display: block; width: 100%; height: auto; }
.scroll { overflow-x: auto; margin: 16px 0 6px; }
table { border-collapse: collapse; font-size: .92rem; line-height: 1.4; }
caption { text-align: left; padding: 0 0 8px; }
th, td { text-align: left; vertical-align: top; padding: 5px 18px 5px 0; border-bottom: 1px solid #e2e2e2; }
th { font-weight: 600; }
tbody th { font-weight: 400; max-width: 26rem; overflow-wrap: anywhere; }
td { overflow-wrap: break-word; max-width: 34rem; }
.count { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(9rem, 14rem) 1fr; gap: 6px 20px; margin: 0 0 16px; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
li { max-width: 46rem; }
footer { margin-top: 48px; padding-bottom: 48px; }
@media (max-width: 640px) { dl { grid-template-columns: 1fr; gap: 2px; } dd { margin-bottom: 8px; } }
@media print {
  body { font-size: 11pt; } header, nav, main, footer { max-width: none; padding: 0; } .skip { display: none; }
  main > section { break-before: page; border: 0; margin: 0; padding: 0; }
  figure, tr, dl > * { break-inside: avoid; } h2, h3 { break-after: avoid; } .scroll { overflow: visible; }
  a { color: inherit; text-decoration: none; }
}
"""


def html_page(report: Report, drawings: Mapping[int, bytes] | None = None) -> str:
    """Write a report as a page of HTML.

    Parameters
    ----------
    report : Report
        What it says.
    drawings : mapping of int to bytes, optional
        The figures of sections as SVG, by the section's place from 0. A section whose figure is not among them gets a
        chart that plotly.js draws in the reader's browser; the library is then in the page, once.

    Returns
    -------
    str
        The page. It asks for nothing outside itself, and says so to the browser.
    """
    drawn = drawings or {}
    live = {place: part.figure for place, part in enumerate(report.sections) if part.figure and place not in drawn}
    sections = [_section(place, part, drawn.get(place)) for place, part in enumerate(report.sections)]
    links = [(f"finding-{place + 1}", f"{part.name}: {part.title}") for place, part in enumerate(report.sections)]
    listed = "\n".join(f'<li><a href="#{name}">{escape(words)}</a></li>' for name, words in [*links, _METHODS_LINK])
    scripts = " 'unsafe-inline'" if live else " 'none'"
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; script-src{scripts}; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{escape(report.title)}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            '<a class="skip" href="#main">Skip to the findings</a>',
            f'<header><h1>{escape(report.title)}</h1><p class="sub">{escape(report.subtitle)}</p></header>',
            '<nav aria-labelledby="contents"><div><h2 id="contents">In this report</h2>',
            f"<ol>{listed}</ol></div></nav>",
            '<main id="main">',
            *sections,
            _methods(report.methods),
            "</main>",
            f'<footer><p class="foot">{escape(report.title)} · {escape(report.subtitle)}</p></footer>',
            *_scripts(live),
            "</body>",
            "</html>",
            "",
        ]
    )


def script_json(value: Any) -> str:
    r"""Return a value as JSON that nothing in it can end the script of.

    Examples
    --------
    >>> script_json({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), sort_keys=True)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_METHODS_LINK: Final = ("methods", "Methods: how these findings were got")


def _section(place: int, part: Section, drawing: bytes | None) -> str:
    head, picture = f"finding-{place + 1}", _picture(place, part, drawing)
    lines = [
        f'<section id="{head}" aria-labelledby="{head}-title">',
        f'<p class="kicker">{escape(part.name)}</p>',
        f'<h2 id="{head}-title">{escape(part.title)}</h2>',
        *(f"<p>{escape(text)}</p>" for text in part.text),
        picture,
        _table(part.table, f"{head}-table") if part.table else "",
        *(f'<p class="note">{escape(note)}</p>' for note in part.notes),
        f'<p class="foot">{escape(part.footer)}</p>'
        if part.footer and not (part.caption and (drawing or part.figure))
        else "",
        "</section>",
    ]
    return "\n".join(line for line in lines if line)


def _picture(place: int, part: Section, drawing: bytes | None) -> str:
    if drawing is None and part.figure is None:
        return ""
    alt = _alt(part)
    caption = f"<figcaption>{escape(part.caption)}</figcaption>" if part.caption else ""
    if drawing is not None:
        return f"<figure>{inline_svg(drawing, f'drawing-{place + 1}', alt)}{caption}</figure>"
    return (
        f'<figure><div id="chart-{place + 1}" role="img" aria-label="{escape(alt)}"></div>'
        "<noscript><p>This chart is drawn by a script, and scripts are off. The table has its numbers.</p></noscript>"
        f"{caption}</figure>"
    )


def _alt(part: Section) -> str:
    if part.chart is not None and part.chart.alt:
        return part.chart.alt
    meta = getattr(getattr(part.figure, "layout", None), "meta", None)
    said = meta.get("alt") if isinstance(meta, dict) else None
    return clean(said or part.title)


def _table(table: Table, name: str) -> str:
    heads = [
        f'<th scope="col"{_side(number, column.form)}>{escape(column.heading)}'
        + ("<br>(95 % interval)" if column.low else "")
        + "</th>"
        for number, column in enumerate(table.read)
    ]
    forms = [column.form for column in table.read]
    body = []
    for row in table.rows():
        first, *others = row
        cells = [f'<th scope="row">{escape(first)}</th>']
        cells += [f"<td{_side(1, form)}>{escape(cell)}</td>" for cell, form in zip(others, forms[1:], strict=True)]
        body.append(f"<tr>{''.join(cells)}</tr>")
    more = table.left_out()
    return "\n".join(
        [
            # A region that scrolls must be reached by the keyboard.
            f'<div class="scroll" role="region" tabindex="0" aria-labelledby="{name}"><table>',
            f'<caption id="{name}">{escape(table.caption)}</caption>',
            f"<thead><tr>{''.join(heads)}</tr></thead>",
            f"<tbody>{''.join(body)}</tbody>",
            "</table></div>",
            f'<p class="note">{escape(more)}</p>' if more else "",
        ]
    )


def _side(number: int, form: str) -> str:
    return ' class="count"' if number and form != "text" else ""


def _methods(methods: Methods) -> str:
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in methods.facts)
    lines = [
        '<section id="methods" aria-labelledby="methods-title">',
        '<p class="kicker">Methods</p>',
        '<h2 id="methods-title">How these findings were got</h2>',
        f"<dl>{facts}</dl>" if facts else "",
        *_listed("How the numbers are computed", methods.text),
        *_listed("What this report cannot say", methods.limits),
    ]
    for number, table in enumerate(methods.tables, 1):
        lines.append(_table(table, f"methods-table-{number}"))
    return "\n".join([line for line in lines if line] + ["</section>"])


def _listed(title: str, texts: Iterable[str]) -> list[str]:
    entries = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return [f"<h3>{escape(title)}</h3>", f"<ul>{entries}</ul>"] if entries else []


def _scripts(live: Mapping[int, Any]) -> Sequence[str]:
    if not live:
        return ()
    from plotly.offline import get_plotlyjs  # noqa: PLC0415 - five million characters, only where they are needed

    calls = []
    for place, figure in live.items():
        drawn = json.loads(figure.to_json())
        parts = (f"chart-{place + 1}", drawn["data"], drawn["layout"], _CONFIG)
        calls.append(f"Plotly.newPlot({','.join(map(script_json, map(_as_json, parts)))});")
    return (f"<script>{get_plotlyjs()}</script>", f"<script>{''.join(calls)}</script>")


def _as_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)
