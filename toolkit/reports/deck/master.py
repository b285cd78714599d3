"""The deck's own master: its theme has the brand's colours and font, and its layouts are those that the slides use."""

from __future__ import annotations

import io
from html import escape
from typing import TYPE_CHECKING, Any, Final

from lxml import etree
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu

from toolkit.charts.colours import GROUPS
from toolkit.interface.errors import InputError
from toolkit.reports.deck.boxes import Box, Grid, grid_of
from toolkit.reports.deck.colours import look_of, readable_on
from toolkit.reports.deck.forms import FOOTER, NUMBER, NUMBERED, PICTURE, TEXT, TITLE, Design, Form
from toolkit.reports.deck.text import BODY, SMALL, TITLES

if TYPE_CHECKING:
    from toolkit.reports.brand import Brand

__all__ = ["own_design"]

_WIDTH, _HEIGHT = 12_192_000, 6_858_000
#: Placeholders of the layouts, by what they take.
_HOLDERS: Final = {TITLE: 0, FOOTER: 11, NUMBER: 12, PICTURE: 13, TEXT: 14}
_COVER: Final = (40, 36, 32, 28, 24)
#: Of titles, where a claim would be cut otherwise.
_SMALLER: Final = (22, 20)
#: Names of the layouts, as they stand in the menu, and the format's types of those that it knows.
_LAYOUTS: Final = {
    "cover": ("Title", "title"),
    "answer": ("Answer", ""),
    "proof": ("Proof", ""),
    "text": ("Advice", ""),
    "divider": ("Section", "secHead"),
    "table": ("Table", ""),
}
#: Parts of the slide: the block of a cover, the stripe below it, the mark above a title, a logo's height and width.
_BLOCK, _STRIPE, _MARK, _LOGO, _LOGO_WIDTH = 0.6, 0.012, (0.045, 0.009), 0.065, 0.16
_PREFIXES: Final = nsdecls("a", "p", "r")


def own_design(brand: Brand) -> Design:
    """Return an empty presentation at 16:9 that looks as a brand does."""
    slides = Presentation()
    slides.slide_width, slides.slide_height = Emu(_WIDTH), Emu(_HEIGHT)
    master = slides.slide_master
    _dress(master, brand)
    logo = _logo_size(brand, master)
    grid = grid_of(_WIDTH, _HEIGHT, logo=logo[0] + _WIDTH // 40 if logo[0] else 0)
    boxes = _boxes(grid, has_logo=any(logo))
    _write_master(master, grid, brand, logo)
    layouts = list(slides.slide_layouts)
    for spare in layouts[len(_LAYOUTS) :]:
        slides.slide_layouts.remove(spare)
    forms = {}
    for layout, kind in zip(layouts, _LAYOUTS, strict=False):
        _write_layout(layout, kind, boxes[kind], brand, logo)
        sizes = _COVER if kind in {"cover", "divider"} else (*TITLES, *_SMALLER)
        forms[kind] = Form(layout, boxes[kind], {place: _HOLDERS[place] for place in boxes[kind]}, sizes)
    return Design(slides, forms, grid, look_of(master, forms["proof"].layout))


def _dress(master: Any, brand: Brand) -> None:
    """Put the brand's colours and font into the theme."""
    part = master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    theme = etree.fromstring(part.blob)
    theme.set("name", "Report")
    ground = brand.colour if readable_on(brand.colour) == "FFFFFF" else "1B1B1B"
    others = [colour.removeprefix("#") for colour in GROUPS[1:5]]
    colours = {
        "dk1": "1B1B1B",
        "lt1": "FFFFFF",
        "dk2": ground,
        "lt2": "F3F5F7",
        "accent1": brand.colour,
        "accent2": brand.accent,
        **{f"accent{number}": colour for number, colour in enumerate(others, 3)},
        "hlink": ground,
        "folHlink": "6B6B6B",
    }
    scheme = theme.find(f".//{qn('a:clrScheme')}")
    scheme.set("name", "Report")
    for name, colour in colours.items():
        entry = scheme.find(qn(f"a:{name}"))
        entry[:] = [etree.Element(qn("a:srgbClr"), val=colour)]
    fonts = theme.find(f".//{qn('a:fontScheme')}")
    fonts.set("name", "Report")
    for kind in ("majorFont", "minorFont"):
        fonts.find(f"{qn(f'a:{kind}')}/{qn('a:latin')}").set("typeface", brand.font)
    part.blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)


def _logo_size(brand: Brand, master: Any) -> tuple[int, int]:
    """Return width and height of the logo on a slide."""
    if not brand.logo:
        return 0, 0
    try:
        part, _ = master.part.get_or_add_image_part(io.BytesIO(brand.logo))
        width, height = part.image.size
    except (OSError, ValueError, SyntaxError, KeyError) as error:
        raise InputError(
            f"The logo cannot be read as a picture: {error!s:.100}. Save it again as PNG or JPEG."
        ) from None
    scale = min(_HEIGHT * _LOGO / height, _WIDTH * _LOGO_WIDTH / width)
    return max(int(width * scale), 1), max(int(height * scale), 1)


def _boxes(grid: Grid, *, has_logo: bool) -> dict[str, dict[str, Box]]:
    left, width = grid.area.left, grid.area.width
    band = {FOOTER: grid.footer, NUMBER: grid.number}
    lead = Box(left, grid.title.top, grid.title.width, int(_HEIGHT * 0.32))
    below = Box(left, int(_HEIGHT * 0.43), width, grid.area.bottom - int(_HEIGHT * 0.43))
    return {
        "cover": {
            TITLE: Box(left, int(_HEIGHT * 0.12), width, int(_HEIGHT * (_BLOCK - 0.16))),
            TEXT: Box(left, int(_HEIGHT * 0.66), int(width * (0.7 if has_logo else 1)), int(_HEIGHT * 0.2)),
        },
        "answer": {TITLE: lead, TEXT: below, **band},
        "proof": {TITLE: grid.title, PICTURE: grid.picture, TEXT: grid.side, **band},
        "text": {TITLE: grid.title, TEXT: grid.area, **band},
        "divider": {TITLE: Box(left, int(_HEIGHT * 0.3), width, int(_HEIGHT * 0.3)), NUMBER: grid.number},
        "table": {TITLE: grid.title, PICTURE: grid.area, **band},
    }


def _write_master(master: Any, grid: Grid, brand: Brand, logo: tuple[int, int]) -> None:
    body = grid.area
    texts = _holder(2, "Title", 'type="title"', grid.title, 'anchor="t"', "Title")
    texts += _holder(3, "Text", 'type="body" idx="1"', body, "", "Text", "Second level", "Third level")
    texts += _holder(4, "Footer", 'type="ftr" sz="quarter" idx="3"', grid.footer, 'anchor="ctr"', "", style=_small("l"))
    texts += _holder(
        5, "Slide Number", 'type="sldNum" sz="quarter" idx="4"', grid.number, 'anchor="ctr"', _FIELD, style=_small("r")
    )
    mark = Box(grid.title.left, int(_HEIGHT * 0.04), int(_WIDTH * _MARK[0]), int(_HEIGHT * _MARK[1]))
    rule = Box(body.left, int(_HEIGHT * 0.912), body.width, 9525)
    tree = _tree(_block(6, "Mark", mark, "accent2") + _block(7, "Rule", rule, "bg2") + texts)
    if any(logo):
        place = Box(body.right - logo[0], int(_HEIGHT * 0.045), *logo)
        tree.append(_picture(master, 8, place, brand))
    sheet = master._element  # noqa: SLF001 - the library reads masters, and writes none
    sheet.cSld.replace(sheet.cSld.spTree, tree)
    sheet.replace(sheet.find(qn("p:txStyles")), parse_xml(_STYLES))


def _write_layout(layout: Any, kind: str, boxes: dict[str, Box], brand: Brand, logo: tuple[int, int]) -> None:
    name, known = _LAYOUTS[kind]
    on_block = "bg1" if readable_on(brand.colour) == "FFFFFF" else "tx1"
    shapes = ""
    if kind == "cover":
        block = Box(0, 0, _WIDTH, int(_HEIGHT * _BLOCK))
        stripe = Box(0, block.bottom, _WIDTH, int(_HEIGHT * _STRIPE))
        shapes = _block(8, "Block", block, "accent1") + _block(9, "Stripe", stripe, "accent2")
    elif kind == "divider":
        shapes = _block(8, "Block", Box(0, 0, _WIDTH, _HEIGHT), "accent1")
    on_cover = _style(_COVER[0], "l", on_block)
    styles = {"cover": on_cover, "divider": on_cover, "answer": _style(TITLES[0], "l", "tx1")}
    title = 'type="ctrTitle"' if kind == "cover" else 'type="title"'
    anchor = {"cover": 'anchor="b"', "divider": 'anchor="ctr"'}.get(kind, "")
    shapes += _holder(2, "Title", title, boxes[TITLE], anchor, "Title", style=styles.get(kind, ""))
    if PICTURE in boxes:
        shapes += _holder(3, "Picture", f'sz="half" idx="{_HOLDERS[PICTURE]}"', boxes[PICTURE], "", "Chart or table")
    if TEXT in boxes:
        what = "subTitle" if kind == "cover" else "body"
        shapes += _holder(4, "Text", f'type="{what}" idx="{_HOLDERS[TEXT]}"', boxes[TEXT], "", "Text")
    if FOOTER in boxes:
        ftr = f'type="ftr" sz="quarter" idx="{_HOLDERS[FOOTER]}"'
        shapes += _holder(5, "Footer", ftr, boxes[FOOTER], "", "")
    if NUMBER in boxes:
        style = _small("r", on_block) if kind == "divider" else ""
        number = f'type="sldNum" sz="quarter" idx="{_HOLDERS[NUMBER]}"'
        shapes += _holder(6, "Slide Number", number, boxes[NUMBER], "", _FIELD, style=style)
    tree = _tree(shapes)
    if kind == "cover" and any(logo):
        scale = min(1.6, _WIDTH * 0.2 / logo[0])
        size = int(logo[0] * scale), int(logo[1] * scale)
        place = Box(_WIDTH - boxes[TITLE].left - size[0], boxes[TEXT].top, *size)
        tree.append(_picture(layout, 10, place, brand))
    sheet = layout._element  # noqa: SLF001 - as above
    sheet.attrib.pop("type", None)
    if known:
        sheet.set("type", known)
    if kind in {"cover", "divider"}:
        sheet.set("showMasterSp", "0")
    sheet.cSld.set("name", name)
    sheet.cSld.replace(sheet.cSld.spTree, tree)


# The format's own words ------------------------------------------------------------------------------------------

_FIELD: Final = "<field>"


def _tree(shapes: str) -> Any:
    return parse_xml(
        f'<p:spTree {_PREFIXES}><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr/>{shapes}</p:spTree>"
    )


def _place(box: Box) -> str:
    return f'<a:xfrm><a:off x="{box.left}" y="{box.top}"/><a:ext cx="{box.width}" cy="{box.height}"/></a:xfrm>'


def _block(number: int, name: str, box: Box, colour: str) -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr>{_place(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill>'
        f'<a:schemeClr val="{colour}"/></a:solidFill>'
        f"<a:ln><a:noFill/></a:ln></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
    )


def _holder(number: int, name: str, kind: str, box: Box, body: str, *prompts: str, style: str = "") -> str:
    lines = "".join(
        f'<a:p><a:pPr lvl="{level}"/>{_run(prompt)}</a:p>' if prompt else "<a:p/>"
        for level, prompt in enumerate(prompts)
    )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr><p:ph {kind}/></p:nvPr></p:nvSpPr><p:spPr>{_place(box)}"
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody>'
        f'<a:bodyPr lIns="0" tIns="0" rIns="0" bIns="0" {body}><a:noAutofit/></a:bodyPr>'
        f"<a:lstStyle>{style}</a:lstStyle>{lines}</p:txBody></p:sp>"
    )


def _run(prompt: str) -> str:
    if prompt == _FIELD:
        return f'<a:fld id="{NUMBERED}" type="slidenum"><a:rPr lang="en"/><a:t>‹#›</a:t></a:fld>'
    return f'<a:r><a:rPr lang="en"/><a:t>{escape(prompt)}</a:t></a:r>'


def _style(size: int, align: str, colour: str) -> str:
    return (
        f'<a:lvl1pPr algn="{align}"><a:defRPr sz="{size}00"><a:solidFill><a:schemeClr val="{colour}"/></a:solidFill>'
        f"</a:defRPr></a:lvl1pPr>"
    )


def _small(align: str, colour: str = "tx1") -> str:
    return _style(SMALL, align, colour)


def _level(number: int) -> str:
    indent = 228_600 * (number > 1)
    mark = '<a:buFont typeface="Arial"/><a:buChar char="•"/>' if indent else "<a:buNone/>"
    return (
        f'<a:lvl{number}pPr marL="{indent * (number - 1)}" indent="-{indent}" algn="l" rtl="0" eaLnBrk="1" '
        f'latinLnBrk="0" hangingPunct="1"><a:spcBef><a:spcPts val="600"/></a:spcBef>{mark}{_font(BODY, "n")}'
        f"</a:lvl{number}pPr>"
    )


def _font(size: int, kind: str) -> str:
    faces = "".join(
        f'<a:{script} typeface="+m{kind}-{end}"/>' for script, end in (("latin", "lt"), ("ea", "ea"), ("cs", "cs"))
    )
    is_title = int(kind == "j")
    ink = '<a:solidFill><a:schemeClr val="tx1"/></a:solidFill>'
    return f'<a:defRPr sz="{size}00" b="{is_title}" kern="1200">{ink}{faces}</a:defRPr>'


_STYLES: Final = (
    f'<p:txStyles {_PREFIXES}><p:titleStyle><a:lvl1pPr algn="l" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1">'
    f'<a:spcBef><a:spcPct val="0"/></a:spcBef><a:buNone/>{_font(TITLES[0], "j")}</a:lvl1pPr></p:titleStyle>'
    f"<p:bodyStyle>{''.join(map(_level, range(1, 10)))}</p:bodyStyle>"
    f'<p:otherStyle><a:lvl1pPr algn="l">{_font(BODY, "n")}</a:lvl1pPr></p:otherStyle></p:txStyles>'
)


def _picture(page: Any, number: int, box: Box, brand: Brand) -> Any:
    _, link = page.part.get_or_add_image_part(io.BytesIO(brand.logo))
    return parse_xml(
        f'<p:pic {_PREFIXES}><p:nvPicPr><p:cNvPr id="{number}" name="Logo" descr="Logo"/><p:cNvPicPr>'
        f'<a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr userDrawn="1"/></p:nvPicPr><p:blipFill>'
        f'<a:blip r:embed="{link}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>{_place(box)}'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
    )
