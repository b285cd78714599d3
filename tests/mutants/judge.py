"""What came of a case, held against what must come of it."""

from __future__ import annotations

import math
import re
import sqlite3
import traceback
import zlib
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import toolkit as tk
from toolkit.interface.models import Answer
from toolkit.interface.vocabulary import Vocabulary

from .refusals import spellings
from .truth import KEY, V1_KEY, Case, content_of, differences

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

#: Outcomes that are right; every other one is a failure.
RIGHT: Final = ("ok", "refused", "partly", "unclassed")
#: Seconds after which a case counts as hanging; the time of the machine's other work is in it.
LONGEST: Final = 8.0
_STEERING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
#: What a segmentation still says where nothing of the site was read.
_FORMAL: Final = frozenset({"vocab_version", "labels", "audience_type"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a case ended: one of `RIGHT`, or the name of a failure in capitals; and why."""

    outcome: str
    detail: str = ""


def judge(case: Case, result: Any, seconds: float = 0.0) -> Verdict:
    """Return what is to be said of what came of a case: an answer, a vocabulary, or an exception."""
    if isinstance(result, BaseException) and not isinstance(result, tk.ToolkitError):
        return Verdict("FOREIGN", f"{type(result).__name__}: {result}"[:300])
    if seconds > LONGEST:
        return Verdict("HANG", f"{seconds:.1f} s")
    try:
        shown = _shown(result)
        leak = _leak(case, result, shown)
    except Exception as error:
        return Verdict("FOREIGN", f"when shown: {type(error).__name__}: {error}"[:300])
    if leak:
        return Verdict("KEY", leak)
    if found := _STEERING.search(shown):
        return Verdict("STEERING", f"{found[0]!r} in {shown[max(0, found.start() - 30) : found.end() + 10]!r}")
    if isinstance(result, tk.ToolkitError):
        return _of_error(case, result)
    if case.truth.verdict == "error":
        return Verdict("ERROR TAKEN FOR AN ANSWER", shown[:200])
    return _of_vocabulary(case, result) if isinstance(result, Vocabulary) else _of_answer(case, result)


def _of_error(case: Case, error: tk.ToolkitError) -> Verdict:
    status = getattr(error, "status", None)
    said = f"{type(error).__name__}: {error}"[:240]
    if status == 200:
        return Verdict("ERROR SAYS 200", said)
    if isinstance(error, tk.errors.InputError | tk.errors.ConfigurationError):
        return Verdict("NOT SENT", said)
    truth = case.truth
    if truth.verdict == "answer":
        return Verdict("REFUSED" if truth.level == "must" else "refused", said)
    if truth.verdict == "error" and truth.statuses:
        if status not in truth.statuses and (status is None or truth.level == "free"):
            return Verdict("unclassed", said)
        if status not in truth.statuses:
            return Verdict("STATUS", f"{status}, not {sorted(truth.statuses)}: {said}")
    return Verdict("ok")


def _of_answer(case: Case, answer: Answer) -> Verdict:
    truth, found = case.truth, content_of(answer)
    for name, value in found.items():
        for score in value.values() if isinstance(value, dict) and name in _SCORED else ():
            if score is not None and not (isinstance(score, int | float) and 0 <= score <= 1):
                return Verdict("CONFIDENCE", f"{name}: {score!r}")
    if case.endpoint == "legacy" and not _has_texts(answer) and truth.content:
        return Verdict("EMPTY", "no text was kept")
    lost, wrong = differences(truth, found)
    if wrong:
        return Verdict("WRONG", "; ".join(wrong)[:300])
    if not lost:
        return Verdict("ok")
    words = "; ".join(lost)[:300]
    if not set(found) - _FORMAL and set(truth.content) - _FORMAL - truth.loose:
        return Verdict("EMPTY", words)
    if truth.level == "free":
        return Verdict("partly", words)
    return Verdict("LOST", words)


_SCORED: Final = frozenset({"v3", "v2", "filtering", "persona_scores", "categories"})


def _has_texts(answer: Answer) -> bool:
    return bool(answer.raw)


def _of_vocabulary(case: Case, vocabulary: Vocabulary) -> Verdict:
    content = case.truth.content
    told = " ".join(map(str, vocabulary.problems())).casefold()
    wrong, lost, reported = [], [], False
    members = {code.code for code in vocabulary.codes.values() if not code.is_group}
    groups = {code.rsplit(".", 1)[0] for code in content["codes"]} | content["groups"]
    lost += [f"code {code}" for code in content["codes"] - members]
    wrong += [f"code {code}" for code in vocabulary.codes if code not in content["codes"] | groups]
    unlabelled = False
    for code, label in content["labels"].items():
        had = vocabulary.codes[code].label if code in vocabulary.codes else label
        if had.casefold() == code.rsplit(".", 1)[-1].replace("_", " ").casefold() and had != label:
            unlabelled = True  # a label made from the code, in place of the one that was given
        elif had != label:
            wrong.append(f"label of {code}: {had!r}, not {label!r}")
    for field, values in content["values"].items():
        known = vocabulary.values.get(field, {})
        if not known:
            if field not in told and field.replace("_", " ") not in told:
                lost.append(f"{field}: all")
            else:
                reported = True
            continue
        wrong += [f"{field}: {value!r}" for value in known if value not in values]
        lost += [f"{field}: {value!r}" for value in values if value not in known]
        if list(values) != list(known) and set(values) == set(known):
            wrong.append(f"{field}: the order")
        wrong += [
            f"{field}: label {known[value]!r}, not {label!r}"
            for value, label in values.items()
            if isinstance(label, str) and value in known and known[value] != label
        ]
    wrong += [
        f"{field}: {list(values)[:3]}"
        for field, values in vocabulary.values.items()
        if field not in content["values"] and field != "confidence"
    ]
    if wrong:
        return Verdict("WRONG", "; ".join(wrong)[:300])
    if not lost and unlabelled and case.truth.level != "free" and not told:
        return Verdict("LOST", "labels")
    if not lost:
        return Verdict("refused" if reported else "partly" if unlabelled else "ok")
    words = "; ".join(lost)[:300]
    if not vocabulary.codes or not set(vocabulary.values) - {"confidence"}:
        return Verdict("EMPTY", words)
    return Verdict("partly" if case.truth.level == "free" and told else "LOST", words)


# What is shown ------------------------------------------------------------------------------------------------------


def _shown(result: Any) -> str:
    """Return what a person sees of it."""
    if isinstance(result, BaseException):
        return f"{result}\n{result!r}"
    html = result._repr_html_() if isinstance(result, Answer) else ""
    return f"{result!r}\n{result}\n{html}".replace("\n", " ").replace("\r", " ")


def _texts(*values: Any) -> list[str]:
    """Return every text that stands in values, however deeply."""
    waiting, found = list(values), []
    left = 200_000  # a bomb's millions of parts are looked at no longer than that
    while waiting and (left := left - 1):
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, bytes):
            found.append(one.decode("latin-1"))
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple | set | frozenset):
            waiting += one
    return found


@cache
def _needles() -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{way} ({family})", written.casefold())
        for family, key in (("B", KEY), ("A", V1_KEY))
        for way, written in spellings(key).items()
        if way not in {"lower case", "upper case", "percent, lower", "JSON escapes, all", "JSON solidus"}
    )


def leaked(text: str) -> str:
    """Return how a key stands in a text; empty where it does not."""
    folded = text.casefold()
    for way, needle in _needles():
        if needle in folded:
            at = folded.index(needle)
            return f"{way}: {text[max(0, at - 30) : at + len(needle) + 10]!r}"[:200]
    return ""


def _leak(case: Case, result: Any, shown: str) -> str:
    parts = [shown]
    if isinstance(result, BaseException):
        parts += ["".join(traceback.format_exception(result)), *_texts(result.args, vars(result))]
    elif isinstance(result, Answer):
        parts += _texts(result.raw, dict(result), result.provenance.model_dump())
    if case.key is not None:
        if "error" in case.kind and re.search(
            rf"(?<![A-Za-z0-9]){re.escape(case.key)}(?![A-Za-z0-9])", " ".join(parts)
        ):
            return f"the short key {case.key}"
        return ""
    return leaked("\n".join(parts))


def leaks_of_file(path: Path) -> list[str]:
    """Return how keys stand in the bytes of files of a store: as they are, and unpacked."""
    found = []
    for file in path.parent.glob(f"{path.name}*"):
        found += [f"{file.name}: {leak}"] if (leak := leaked(file.read_bytes().decode("latin-1"))) else []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            for row in connection.execute(f'SELECT * FROM "{name}"'):  # noqa: S608 - names of the file's own tables
                for cell in row:
                    text = _unpacked(cell) if isinstance(cell, bytes) else cell if isinstance(cell, str) else ""
                    if text and (leak := leaked(text)):
                        found.append(f"{name}: {leak}")
    return found


def _unpacked(cell: bytes) -> str:
    for bits in (47, -15):
        try:
            return zlib.decompressobj(wbits=bits).decompress(cell, 2**25).decode("latin-1")
        except zlib.error:
            continue
    return cell.decode("latin-1")


# Frames -------------------------------------------------------------------------------------------------------------


def judge_frame(name: str, frame: pd.DataFrame, wanted: pd.Series, targets: set[str]) -> str:
    """Return what is wrong with a frame, given the dtypes that it must have and the targets that it has rows of."""
    dtypes = frame.dtypes
    if list(dtypes.index) != list(wanted.index):
        return f"{name}: columns {sorted(set(dtypes.index) ^ set(wanted.index))}"
    for column, dtype in wanted.items():
        if dtypes[column] != dtype:
            return f"{name}: {column} is {dtypes[column]}, not {dtype}"
    if missing := targets - set(frame["target"]):
        return f"{name}: no row for {sorted(missing)[:3]}"
    if name == "categories":
        scores = frame["confidence"].dropna()
        if not scores.between(0, 1).all() or any(math.isinf(score) for score in scores):
            return f"{name}: a confidence of {scores[~scores.between(0, 1)].iloc[0]!r}"
    if "status" in frame and "error" in frame:
        odd = frame[(frame["status"] == 200) & frame["error"].notna()]
        if len(odd):
            return f"{name}: status 200 beside the error {odd['error'].iloc[0]!r}"
    text = frame.to_csv(index=False)
    text.encode()
    if leak := leaked(text):
        return f"{name}: a key: {leak}"
    return ""
