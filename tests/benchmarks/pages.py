"""Pages as large sites serve them: prose of the sample web in shells of scripts, state, styles, menus and widgets."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from toolkit.service.pages.fetching import Fetched
from toolkit.service.samples import _root

if TYPE_CHECKING:
    from random import Random

__all__ = ["page_of"]

#: Words that scripts, addresses and names of classes are made of.
PARTS = (
    *("hero", "card", "teaser", "promo", "slot", "grid", "layout", "track", "event", "item", "price", "cart", "user"),
    *("session", "module", "view", "render", "state", "props", "config", "image", "media", "video", "consent"),
    *("banner", "header", "footer", "nav", "link", "button", "label", "author", "section", "topic", "score", "feed"),
)


@cache
def prose() -> tuple[tuple[str, ...], ...]:
    """Return the paragraphs of each English sample site that has enough of them."""
    found = []
    for folder in sorted(path for path in _root().iterdir() if path.is_dir()):
        paragraphs: dict[str, None] = {}
        for file in sorted(folder.glob("*.html")):
            source = file.read_text(encoding="utf-8", errors="ignore")
            if 'lang="en"' in source:
                nodes = LexborHTMLParser(source).css("p")
                paragraphs |= dict.fromkeys(text for node in nodes if len(text := node.text(strip=True)) > 80)
        if len(paragraphs) >= 10:
            found.append(tuple(paragraphs))
    return tuple(found)


def page_of(seed: int, words: tuple[int, int] = (500, 1500), shell: tuple[int, int] = (110_000, 190_000)) -> Fetched:
    """Build one page: so many words of an article of one site, and so many characters of shell around it."""
    draw = random.Random(seed)  # noqa: S311 - the same pages every time
    sites = prose()
    own, others = sites[seed % len(sites)], sites[(seed + 1) % len(sites)]
    paragraphs: list[str] = []
    wanted = draw.randint(*words)
    while sum(len(paragraph.split()) for paragraph in paragraphs) < wanted:
        paragraphs.append(draw.choice(own))
    size = draw.randint(*shell)
    title = " ".join(own[0].split()[:8])
    host = f"https://site-{seed}.example"
    source = (
        f'<!doctype html><html lang="en" class="no-js page-{draw.choice(PARTS)}"><head><meta charset="utf-8">'
        f"<title>{title} | Site {seed}</title>{_metas(title, own[0], host)}{_style(draw, size // 7)}"
        f"{_scripts(draw, size // 4)}</head><body>{_menu(draw, size // 9)}<main><article><h1>{title}</h1>"
        f"{_article(draw, paragraphs)}</article>{_comments(draw, own)}</main>{_widgets(draw, others, size // 9)}"
        f"<footer><p>© Site {seed}. All rights reserved.</p>{_menu(draw, size // 40)}</footer>"
        f'<script id="page-state" type="application/json">{_state(draw, own, size // 3)}</script></body></html>'
    )
    return Fetched(f"{host}/{draw.choice(PARTS)}/{seed}", {"server": "nginx"}, source.encode(), "text/html", "utf-8")


def _metas(title: str, description: str, host: str) -> str:
    data = {"@context": "https://schema.org", "@type": "Article", "headline": title, "publisher": {"url": host}}
    return (
        f'<meta name="description" content="{description[:150]}"><meta property="og:title" content="{title}">'
        f'<meta property="og:type" content="article"><link rel="canonical" href="{host}/"><meta name="viewport" '
        f'content="width=device-width"><script type="application/ld+json">{json.dumps(data)}</script>'
        '<script async src="https://www.googletagmanager.com/gtm.js?id=GTM-K1TES9"></script>'
        '<script src="/assets/vendor.3f2a.js" defer></script>'
    )


def _style(draw: Random, size: int) -> str:
    rules = []
    while sum(map(len, rules)) < size:
        rules.append(
            f".{_name(draw)}>.{_name(draw)}:hover{{margin:{draw.randint(0, 40)}px;color:#{draw.randint(0, 999):03}}}"
        )
    return f"<style>{''.join(rules)}</style>"


def _scripts(draw: Random, size: int) -> str:
    lines = ["window.dataLayer=window.dataLayer||[];"]
    while sum(map(len, lines)) < size:
        one, other = draw.choice(PARTS), draw.choice(PARTS)
        lines.append(
            f'!function(e,t){{var n=t.{one}||{{}};n.{other}=function(r){{return e.{one}(r,"{_name(draw)}")}},'
            f'window.{one}{draw.randint(0, 99)}=n,t.config=t.config||{{{other}:!0,url:"https://cdn.example/{_name(draw)}.js"}}'
            "}(window,document);"
        )
    half = len(lines) // 2
    return f"<script>{''.join(lines[:half])}</script><script>{''.join(lines[half:])}</script>"


def _state(draw: Random, paragraphs: tuple[str, ...], size: int) -> str:
    entries: list[str] = []
    while sum(map(len, entries)) < size:
        entry = {
            "id": draw.randint(10**6, 10**7),
            "kind": draw.choice(PARTS),
            "url": f"/{draw.choice(PARTS)}/{_name(draw)}",
            "image": {"src": f"https://img.example/{_name(draw)}.jpg?w=640&q=75", "width": 640, "alt": None},
            "teaser": f"<p>{draw.choice(paragraphs)[:120]}</p>",
            "flags": {name: draw.random() < 0.5 for name in draw.sample(PARTS, 4)},
        }
        entries.append(json.dumps(entry).replace("<", "\\u003c"))
    return f'{{"entries":[{",".join(entries)}]}}'


def _menu(draw: Random, size: int) -> str:
    entries: list[str] = []
    while sum(map(len, entries)) < size:
        name = draw.choice(PARTS)
        entries.append(
            f'<li class="{_name(draw)} {name}__item"><a class="{name}__link" href="/{name}/{draw.randint(1, 999)}" '
            f'data-track="{_name(draw)}"><svg viewBox="0 0 24 24"><path d="M{draw.randint(1, 9)} 3l4 9z"/></svg>'
            f"<span>{name.title()} {draw.choice(PARTS)}</span></a></li>"
        )
    return f'<nav class="mega-{draw.choice(PARTS)}"><ul>{"".join(entries)}</ul></nav>'


def _article(draw: Random, paragraphs: list[str]) -> str:
    parts = []
    for number, paragraph in enumerate(paragraphs):
        words = paragraph.split()
        at = draw.randrange(len(words))
        words[at] = f'<a href="/{draw.choice(PARTS)}/{number}" class="{_name(draw)}">{words[at]}</a>'
        if number % 4 == 1:
            parts.append(f'<h2 class="{_name(draw)}">{" ".join(paragraphs[number - 1].split()[:5])}</h2>')
        if number % 6 == 2:
            parts.append(
                f'<figure class="{_name(draw)}"><img loading="lazy" src="https://img.example/{number}.jpg" alt="" '
                f'srcset="/{number}-640.jpg 640w, /{number}-1280.jpg 1280w"><figcaption>Photo</figcaption></figure>'
            )
        parts.append(f'<div class="{_name(draw)}"><p>{" ".join(words)}</p></div>')
    return "".join(parts)


def _comments(draw: Random, paragraphs: tuple[str, ...]) -> str:
    entries = "".join(
        f'<li class="comment"><b class="comment-author">reader{draw.randint(1, 99)}</b>'
        f"<p>{draw.choice(paragraphs)[:90]}</p></li>"
        for _ in range(draw.randint(0, 15))
    )
    return f'<section id="comments" class="comments"><h3>Comments</h3><ol>{entries}</ol></section>'


def _widgets(draw: Random, paragraphs: tuple[str, ...], size: int) -> str:
    cards: list[str] = []
    while sum(map(len, cards)) < size:
        text = draw.choice(paragraphs)
        cards.append(
            f'<div class="{_name(draw)} related-card"><a href="/{draw.choice(PARTS)}/{draw.randint(1, 999)}"><img '
            f'src="https://img.example/{_name(draw)}.jpg" alt=""><h4>{text[:50]}</h4></a><p>{text[:80]}</p></div>'
        )
    return f'<aside class="related">{"".join(cards)}</aside><div id="cookie-{_name(draw)}">We use cookies.</div>'


def _name(draw: Random) -> str:
    return f"{draw.choice(PARTS)}-{draw.choice(PARTS)}-{draw.getrandbits(20):x}"
