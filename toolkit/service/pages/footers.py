"""Where a page speaks of its owner, and where others speak: footers, and quotations."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

__all__ = ["footer_and_quotations"]

_SQUEEZE: Final = re.compile(r"[ \t\r\f\v\xa0]+")
_BLOCKS: Final = "p, div, li, br, tr, h1, h2, h3, h4, h5, h6, section, ul, ol, address"
_FOOTERS: Final = "footer, [id*=footer i], [class*=footer i], [role=contentinfo], address, [id*=imprint i]"
_QUOTES: Final = "blockquote, q, [class*=testimonial i], [class*=quote i], [class*=review i]"
_MOST_FOOTERS: Final = 20
_MOST_QUOTES: Final = 50
_LONGEST_FOOTER: Final = 10_000
_LONGEST_QUOTES: Final = 100_000


def footer_and_quotations(source: str) -> tuple[str, str]:
    r"""Return the text of a page's footers, a line a paragraph, and that of its block quotes and testimonials.

    >>> footer_and_quotations("<q>Well made</q><footer><p>© Kites Ltd</p><p>Leeds</p></footer>")
    ('© Kites Ltd\nLeeds', 'Well made')
    """
    tree = LexborHTMLParser(source)
    for node in tree.css("script, style, template, noscript, svg"):
        node.decompose()
    quotes = " ".join(" ".join(node.text(separator=" ").split()) for node in tree.css(_QUOTES)[:_MOST_QUOTES])
    lines: dict[str, None] = {}
    parted: set[int] = set()
    for node in tree.css(_FOOTERS)[:_MOST_FOOTERS]:
        # A footer within another has been parted with it.
        for block in node.css(_BLOCKS):
            if block.mem_id not in parted:
                parted.add(block.mem_id)
                block.insert_before("\n")
                block.insert_after("\n")
        lines |= dict.fromkeys(_SQUEEZE.sub(" ", line).strip() for line in node.text().split("\n"))
    return "\n".join(line for line in lines if line)[:_LONGEST_FOOTER], quotes[:_LONGEST_QUOTES]
