"""Damage: right answers with odd values in them, or odd bytes around them."""

from __future__ import annotations

import copy
import gzip
import json
import zlib
from typing import TYPE_CHECKING, Any, Final

from . import facts
from .truth import ANY, Case, Reply, Truth

if TYPE_CHECKING:
    from random import Random

_JSON: Final = "application/json"
#: Values that are written as they stand here, for no JSON writer writes them.
_RAW: Final[dict[str, str]] = {
    "401 digits": "7" * 401,
    "5,000 digits": "3" * 5000,
    "401 digits, negative": "-" + "7" * 401,
    "1e400": "1e400",
    "-1e400": "-1e400",
    "1E+999999": "1E+999999",
    "1e-400": "1e-400",
    "401 decimals": "0." + "1" * 401,
    "2**63": str(2**63),
    "2**64 + 1": str(2**64 + 1),
    "-2**63 - 1": str(-(2**63) - 1),
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "-0": "-0",
    "-0.0": "-0.0",
    "0x1F": "0x1F",
    "undefined": "undefined",
    "a surrogate": '"\\ud83d"',
    "a low surrogate": '"x\\udc00y"',
    "NUL": '"a\\u0000b"',
    "escape": '"\\u001b[31mred\\u001b[0m"',
    "bidi": '"\\u202egnp.exe"',
    "line separators": '"a\\u2028b\\u2029c\\u0085d"',
    "a raw newline": '"line\nline"',
    "a raw tab": '"a\tb"',
    "a raw NUL": '"a\x00b"',
    "a bad escape": '"\\x41"',
    "single quotes": "'single'",
    "markup": '"<img src=x onerror=alert(1)></script>"',
    "formula": "\"=cmd|' /C calc'!A0\"",
    "a large text": '"' + "long " * 30_000 + '"',
}
_ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    3,
    0.5,
    -0.5,
    1.5,
    87,
    1e18,
    "",
    " ",
    "text",
    "null",
    "N/A",
    "-",
    "1,234",
    [],
    [None],
    [[]],
    [{}],
    [1, 2, 3],
    ["a", None, 3, {"b": []}],
    {},
    {"": None},
    {"0": "a"},
    {"a": {"b": {"c": [1]}}},
    "ﷺ" * 50,
    "é" * 300,
)


def _paths(body: Any, prefix: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    parts: list[tuple[Any, ...]] = []
    entries = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for name, part in entries:
        parts += [(*prefix, name), *_paths(part, (*prefix, name))]
    return parts


def _put(body: Any, path: tuple[Any, ...], value: Any) -> None:
    for name in path[:-1]:
        body = body[name]
    body[path[-1]] = value


def _loosened(endpoint: str, path: tuple[Any, ...], content: dict[str, Any]) -> set[str]:
    """Return the names of the content that a change at a path may change."""
    top = str(path[0])
    if endpoint == "segment":
        if top == "status":
            return set()
        return {name for name in content if name.split(".")[0] == top} | ({top} if top == "personas" else set())
    if endpoint.startswith("content"):
        fields = {"std_classification": "v3", "std_taxonomy": "v3", "std_taxonomy_version2": "v2"}
        return {{"filtering_taxonomy": "filtering"}.get(top, fields.get(top, "persona_scores"))}
    if endpoint in {"enrich", "enrich_xml"} and top in {"company", "traffic", "social"}:
        return {str(path[-1])} if len(path) > 1 and path[-1] != "headquarters" else set(content) - {
            "categories", "ids", "technologies", "technology_categories"
        }  # fmt: skip
    if endpoint == "batch_results":
        return {"domains"}
    return {"categories", "ids", "tiers", "technologies", "technology_categories", "texts", "batch_id"}


def odd_value(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer of which one value, or a few, are odd."""
    body, content = facts.MAKERS[endpoint](rng, target)
    truth = Truth("either", "named", content)
    paths = [path for path in _paths(body) if path[0] not in {"url", "domain", "batch_id"}]
    raws: dict[str, str] = {}
    names = []
    for number in range(rng.choice((1, 1, 1, 1, 2, 4))):
        path = rng.choice(paths)
        if rng.random() < 0.5:
            name, text = rng.choice(tuple(_RAW.items()))
            mark = f"@@{number}@@"
            raws[f'"{mark}"'] = text
            value: Any = mark
        else:
            value = copy.deepcopy(rng.choice(_ODD))
            name = repr(value)[:20]
        names.append(f"{'.'.join(map(str, path))}={name}")
        truth.loose |= _loosened(endpoint, path, content)
        try:
            _put(body, path, value)
        except (KeyError, IndexError, TypeError):
            continue
    text = json.dumps(body, ensure_ascii=rng.random() < 0.5)
    for mark, raw in raws.items():
        text = text.replace(mark, raw)
    if endpoint == "enrich_xml":
        body = json.loads(json.dumps(body))
        text = facts.written_as_xml(_without_lists_at_top(body))
        for mark, raw in raws.items():
            text = text.replace(mark.strip('"'), facts.escaped(raw.strip('"')[:4000]))
    kind = "application/xml" if endpoint == "enrich_xml" else _JSON
    reply = Reply(text.encode("utf-8", "surrogatepass"), headers=[("Content-Type", kind)])
    return Case(index, "odd value", endpoint, target, reply, truth, calm=True, notes="; ".join(names)[:200])


def _without_lists_at_top(body: Any) -> dict[str, Any]:
    return {str(name) or "empty": part for name, part in body.items()} if isinstance(body, dict) else {}


def odd_confidence(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer with a confidence that is none, or is written otherwise."""
    body, content = facts.MAKERS[endpoint](rng, target)
    out = rng.random() < 0.5
    value: Any = rng.choice((1.0001, 1.5, -0.1, -1, 2, 87.5, 100, 1e9, 101, -87)) if out else None
    written: Any = value
    wanted: Any = (None, 0.875, 0.87, 1.0, 0.02) if out else None
    if not out:
        number = round(rng.uniform(0.05, 0.99), 2)
        written, wanted = rng.choice(
            (
                (f"{number * 100:.0f}%", (number, None)),
                (f"{number * 100:.0f} %", (number, None)),
                (f"{number}", (number,)),
                (f"{number}".replace(".", ","), (number, None)),
                ("high", ANY),
                ("Very High", ANY),
                ("medium", ANY),
                ({"value": number}, (number, None)),
                ([number], (number, None)),
                ({"score": number, "band": "high"}, (number, None)),
                (None, (None,)),
                (True, ANY),
                ("", (None,)),
                ("n/a", (None,)),
            )
        )
    if endpoint.startswith("content"):
        fields = [name for name in body if name.startswith(("std", "filter"))]
        field = rng.choice(fields)
        name = {"std_taxonomy_version2": "v2", "filtering_taxonomy": "filtering"}.get(field, "v3")
        if rng.random() < 0.3:
            person = next(iter(body["buyer_personas_confidence_selection"]))
            body["buyer_personas_confidence_selection"][person] = written
            content["persona_scores"][person] = wanted
            # A persona without a score has no place in a mapping of scores.
            loose = {"persona_scores"} if wanted is ANY or None in (wanted or ()) else set()
        else:
            for one in (f for f in fields if (f in {"std_classification", "std_taxonomy"}) == (name == "v3")):
                if one == field or name == "v3":
                    body[one][0][1] = f"Confidence: {written}" if not isinstance(written, dict | list) else written
            path = body[field][0][0].removeprefix("Category name: ")
            content[name] = {**content[name], path: wanted if not isinstance(written, bool) else ANY}
            loose = set()
    elif endpoint in {"categorize", "enrich"}:
        entry = rng.choice(body["categories"])
        entry["confidence"] = written
        content["categories"] = {**content["categories"], entry["name"]: wanted}
        loose = set()
    else:
        return odd_value(rng, index, endpoint, target)
    if out:  # where one is above 1, nobody can tell whether the others are percentages too
        for name in ("categories", "v3", "v2", "filtering", "persona_scores"):
            content[name] = {
                one: (had, None) if isinstance(had, float | int) else had for one, had in content.get(name, {}).items()
            }
    truth = Truth("answer", "named", content, loose=loose)
    reply = Reply(json.dumps(body).encode(), headers=[("Content-Type", _JSON)])
    kind = "confidence outside 0 to 1" if out else "confidence otherwise"
    return Case(index, kind, endpoint, target, reply, truth, notes=repr(written))


def other_site(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer that names another site, or the same one otherwise."""
    if endpoint in {"content_url", "content_text", "submit_batch", "batch_results"}:
        endpoint = rng.choice(("segment", "categorize", "enrich", "legacy"))
        target = facts.target_of(endpoint, f"c{index}-mutant")
    body, content = facts.MAKERS[endpoint](rng, target)
    field = "url" if endpoint in {"segment", "legacy"} else "domain"
    same = (
        f"https://{target}/",
        f"http://www.{target}",
        target.upper(),
        f"https://{target}",
        f"{target}.",
        f"  {target} ",
        f"//{target}/",
        f"https://{target}:443/",
        f"www.{target}",
        f"{target}/",
        f"https://{target}/index.php?utm_source=x",
    )
    other = ("other-site.example", "https://www.google.com/", "example.com", f"{target}.evil.example", f"x{target}")
    way = rng.choice(("same", "other", "other", "below", "absent"))
    truth = Truth("answer", "must", content)
    if way == "same":
        body[field] = rng.choice(same)
    elif way == "below":
        body[field] = rng.choice((f"m.{target}", f"https://shop.{target}/home", f"https://{target}/en/home"))
        truth = Truth("either", "free", content)
    elif way == "absent":
        body[field] = rng.choice((None, ""))
        if rng.random() < 0.5:
            del body[field]
    else:
        body[field] = rng.choice(other)
        truth = Truth("error")
    if endpoint == "legacy":
        truth.loose.add("texts")
    text = facts.written_as_xml(body) if endpoint == "enrich_xml" else json.dumps(body)
    kind = "application/xml" if endpoint == "enrich_xml" else _JSON
    reply = Reply(text.encode(), headers=[("Content-Type", kind)])
    notes = repr(body.get(field))
    return Case(index, f"site: {way}", endpoint, target, reply, truth, notes=notes)


def deep(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer that is nested deeply somewhere."""
    body, content = facts.MAKERS[endpoint](rng, target)
    levels = rng.choice((50, 300, 1100, 5_000, 100_000))
    opening, closing = rng.choice((("[", "]"), ('{"a":', "}"), ('[{"x":', "}]")))
    field = rng.choice(("extra", *body))
    nested = opening * levels + "1" + closing * levels
    body[field] = "@@"
    truth = Truth("either", "free", content, loose=_loosened(endpoint, (field,), content))
    if field in {"url", "domain", "batch_id"}:
        truth.loose |= {"batch_id"}
    if endpoint == "enrich_xml":
        nested = "<a>" * levels + "</a>" * levels
        text = facts.written_as_xml(body).replace("@@", nested)
    else:
        text = json.dumps(body).replace('"@@"', nested)
    kind = "application/xml" if endpoint == "enrich_xml" else _JSON
    reply = Reply(text.encode(), headers=[("Content-Type", kind)])
    return Case(index, f"depth {levels}", endpoint, target, reply, truth, notes=field)


def duplicates(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer that has names twice, with other values."""
    body, content = facts.MAKERS[endpoint](rng, target)
    other, _ = facts.MAKERS[endpoint](rng, target)
    names = rng.sample(tuple(body), min(2, len(body)))
    values = {name: rng.choice((None, other[name], [], "x", 403)) if name in other else None for name in names}
    extra = "".join(f", {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items())
    text = json.dumps(body)
    text = text[:-1] + extra + "}" if rng.random() < 0.5 else "{" + extra[2:] + ", " + text[1:]
    truth = Truth("either", "free", content, loose=set(content) | {"texts", "v3", "v2", "filtering", "persona_scores"})
    reply = Reply(text.encode(), headers=[("Content-Type", _JSON)])
    # A run that believes a status of 403 is right to stop.
    return Case(
        index, "names twice", endpoint, target, reply, truth, calm="status" not in names, notes=", ".join(names)
    )


def truncated(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer of which the end is missing, in the text or on the wire."""
    text, kind, _ = _written(rng, endpoint, target)
    data = text.encode()
    way = rng.choice(("text", "length", "chunks", "gzip", "short", "head"))
    at = rng.randrange(1, len(data) - 1)
    headers = [("Content-Type", kind)]
    if way == "text":
        reply = Reply(data[:at], headers=headers)
    elif way == "length":
        reply = Reply(data, headers=headers, cut=at)
    elif way == "chunks":
        reply = Reply(data, headers=headers, chunked=True, cut=at)
    elif way == "gzip":
        packed = gzip.compress(data)
        reply = Reply(packed[: rng.randrange(3, len(packed) - 9)], headers=[*headers, ("Content-Encoding", "gzip")])
    elif way == "short":
        reply = Reply(data, headers=headers, stated=at)
    else:
        reply = Reply(
            bare=rng.choice((b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nContent-Type: app", b"\r\n\r\n", b"\x00\x01"))
        )
    # A connection that breaks says nothing against the service's other answers, but many of them do.
    return Case(index, f"cut: {way}", endpoint, target, reply, Truth("error"), calm=way in {"text", "gzip"})


def _written(rng: Random, endpoint: str, target: str) -> tuple[str, str, dict[str, Any]]:
    body, content = facts.MAKERS[endpoint](rng, target)
    if endpoint == "enrich_xml":
        return facts.written_as_xml(body), "application/xml", content
    return json.dumps(body, ensure_ascii=False), _JSON, content


def encoded(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer in some encoding, declared rightly or wrongly."""
    text, kind, content = _written(rng, endpoint, target)
    plain = text.encode()
    named = [("Content-Type", kind)]
    raw_deflate = zlib.compressobj(wbits=-15)
    deflated = raw_deflate.compress(plain) + raw_deflate.flush()
    xml = endpoint == "enrich_xml"
    must: dict[str, Reply] = {
        "gzip": Reply(gzip.compress(plain), headers=[*named, ("Content-Encoding", "gzip")]),
        "GZIP": Reply(gzip.compress(plain), headers=[*named, ("content-encoding", "GZip")]),
        "deflate": Reply(zlib.compress(plain), headers=[*named, ("Content-Encoding", "deflate")]),
        "identity": Reply(plain, headers=[*named, ("Content-Encoding", "identity")]),
        "no encoding": Reply(plain, headers=[*named, ("Content-Encoding", "")]),
        "chunks": Reply(plain, headers=named, chunked=True),
        "gzip in chunks": Reply(gzip.compress(plain), headers=[*named, ("Content-Encoding", "gzip")], chunked=True),
        "BOM": Reply(b"\xef\xbb\xbf" + plain, headers=named),
        "charset utf-8": Reply(plain, headers=[("Content-Type", f"{kind}; charset=UTF-8")]),
        "text/html": Reply(plain, headers=[("Content-Type", "text/html; charset=UTF-8")]),
        "no content type": Reply(plain),
        "white space around": Reply(b"\r\n \n" * (not xml) + plain + b"\r\n\n", headers=named),
        "ASCII alone": Reply((text if xml else json.dumps(json.loads(text))).encode(), headers=named),
        "early hints": Reply(bare=b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + _bytes(plain, kind)),
        "100-continue": Reply(bare=b"HTTP/1.1 100 Continue\r\n\r\n" + _bytes(plain, kind)),
    }
    latin = text.encode("latin-1", "replace")
    free: dict[str, Reply] = {
        "x-gzip": Reply(gzip.compress(plain), headers=[*named, ("Content-Encoding", "x-gzip")]),
        "raw deflate": Reply(deflated, headers=[*named, ("Content-Encoding", "deflate")]),
        "latin-1, declared": Reply(latin, headers=[("Content-Type", f"{kind}; charset=ISO-8859-1")]),
        "latin-1, undeclared": Reply(latin, headers=named),
        "UTF-8 called latin-1": Reply(plain, headers=[("Content-Type", f"{kind}; charset=iso-8859-1")]),
        "UTF-8 called windows-1252": Reply(plain, headers=[("Content-Type", f"{kind}; charset=windows-1252")]),
        "UTF-16, declared": Reply(text.encode("utf-16"), headers=[("Content-Type", f"{kind}; charset=utf-16")]),
        "UTF-16, undeclared": Reply(text.encode("utf-16"), headers=named),
        "UTF-16LE": Reply(text.encode("utf-16-le"), headers=[("Content-Type", f"{kind}; charset=utf-16le")]),
        "UTF-32": Reply(text.encode("utf-32"), headers=named),
        "unknown charset": Reply(plain, headers=[("Content-Type", f"{kind}; charset=x-klingon")]),
        "charset of a codec": Reply(plain, headers=[("Content-Type", f"{kind}; charset=zlib")]),
        "charset idna": Reply(plain, headers=[("Content-Type", f"{kind}; charset=idna")]),
        "gzip claimed": Reply(plain, headers=[*named, ("Content-Encoding", "gzip")]),
        "gzip unclaimed": Reply(gzip.compress(plain), headers=named),
        "br claimed": Reply(plain, headers=[*named, ("Content-Encoding", "br")]),
        "zstd claimed": Reply(plain, headers=[*named, ("Content-Encoding", "zstd")]),
        "unknown encoding": Reply(plain, headers=[*named, ("Content-Encoding", "rot13")]),
        "two gzip members": Reply(
            gzip.compress(plain[:50]) + gzip.compress(plain[50:]), headers=[*named, ("Content-Encoding", "gzip")]
        ),
        "gzip and rubbish": Reply(gzip.compress(plain) + b"rubbish", headers=[*named, ("Content-Encoding", "gzip")]),
        "length and chunks": Reply(
            bare=b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"
            b"\r\nConnection: close\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(plain), plain)
        ),
        "no length": Reply(bare=b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + plain),
        "HTTP/0.9": Reply(bare=plain),
        "two lengths": Reply(
            bare=b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: %d\r\n\r\n%b" % (len(plain), plain)
        ),
        "201": Reply(plain, 201, "Created", named),
        "202": Reply(plain, 202, "Accepted", named),
        "203": Reply(plain, 203, "Non-Authoritative", named),
        "206": Reply(plain, 206, "Partial", named),
        "odd status": Reply(plain, 299, "Odd", named),
        "huge header": Reply(plain, headers=[*named, ("X-Padding", "p" * 60_000)]),
        "many headers": Reply(plain, headers=[*named, *((f"X-H{n}", "v") for n in range(400))]),
        "header of another encoding": Reply(plain, headers=[*named, ("X-Name", "Müller")]),
        "cookie": Reply(plain, headers=[*named, ("Set-Cookie", "a=b; Domain=.example; Max-Age=99999999999999999999")]),
        "stall": Reply(plain, headers=named, stall=30.0),
    }
    bad: dict[str, Reply] = {
        "gzip in gzip": Reply(
            gzip.compress(gzip.compress(plain)), headers=[*named, ("Content-Encoding", "gzip, gzip")]
        ),
        "ten gzips": Reply(_packed(plain, 10), headers=[*named, ("Content-Encoding", ", ".join(["gzip"] * 10))]),
        "204": Reply(bare=b"HTTP/1.1 204 No Content\r\n\r\n"),
        "304": Reply(bare=b"HTTP/1.1 304 Not Modified\r\n\r\n"),
        "rubbish": Reply(rng.randbytes(500), headers=named),
        "protocol": Reply(bare=b"SSH-2.0-OpenSSH_8.9\r\n"),
    }
    if "stall" in free and rng.random() < 0.97:
        del free["stall"]
    level, replies = rng.choices((("must", must), ("free", free), ("bad", bad)), (4, 6, 2))[0]
    name, reply = rng.choice(tuple(replies.items()))
    if level == "bad":
        truth = Truth("error")
    else:
        truth = Truth("answer", level, content)
        if "latin" in name or "windows" in name:
            # Names that the encoding has no letter for are lost already.
            truth.loose |= {"name", "personas", "city", "persona_scores", "texts", "revenue_range", "categories", "ids"}
    calm = reply.bare is None and not reply.stall and name not in {"gzip claimed", "br claimed"}
    kind = f"encoding: {name}"
    return Case(index, kind, endpoint, target, reply, truth, calm=calm and level != "bad", notes=level)


def _packed(data: bytes, times: int) -> bytes:
    for _ in range(times):
        data = gzip.compress(data)
    return data


def _bytes(data: bytes, kind: str) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n"
    return head.encode() + data


def empty(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return a body with nothing in it."""
    text = rng.choice((b"", b" ", b"\n", b"null", b"[]", b'""', b"\xef\xbb\xbf", b"\x00", b"[{}]", b"[null]", b"[[]]"))
    status = rng.choice((200, 200, 200, 202, 500))
    reply = Reply(text, status, headers=[("Content-Type", _JSON)])
    return Case(index, "nothing", endpoint, target, reply, Truth("error"), notes=repr(text))


def bomb(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return a small body that is large when it is unpacked; more than 32 MB are refused."""
    way = rng.choice(("blank", "nested", "text", "entities", "list"))
    headers = [("Content-Type", _JSON), ("Content-Encoding", "gzip")]
    megabytes = 48 * 2**20
    if way == "blank":
        reply = Reply(_BOMBS.setdefault(way, gzip.compress(b" " * megabytes)), headers=headers)
    elif way == "text":
        data = b'{"status": 200, "labels": {"a": "' + b"a" * megabytes + b'"}}'
        reply = Reply(_BOMBS.setdefault(way, gzip.compress(data)), headers=headers)
    elif way == "list":
        reply = Reply(_BOMBS.setdefault(way, gzip.compress(b"[" + b"0," * (megabytes // 2) + b"0]")), headers=headers)
    elif way == "nested":
        packed = _BOMBS.setdefault(way, _packed(b" " * megabytes, 4))
        reply = Reply(packed, headers=[headers[0], ("Content-Encoding", "gzip, gzip, gzip, gzip")])
    else:
        entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
        declared = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "ha">{entities}]>'
        text = f"{declared}<r><company><name>&a9;</name></company></r>"
        reply = Reply(text.encode(), headers=[("Content-Type", "application/xml")])
        endpoint, target = "enrich_xml", facts.target_of("enrich_xml", f"c{index}-mutant")
    return Case(index, f"bomb: {way}", endpoint, target, reply, Truth("error"), calm=True)


_BOMBS: Final[dict[str, bytes]] = {}
