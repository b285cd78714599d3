"""The commands about the vocabulary: ``toolkit filters`` and ``toolkit validate``."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from toolkit.cli.streams import (
    add_format,
    chosen_format,
    load_little,
    print_csv,
    print_json,
    print_lines,
    room,
    say,
    standard_input,
)
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    import argparse

    from toolkit.interface.vocabulary import Problem, Vocabulary

__all__ = ["add_vocabulary"]

_FAILED = 1
_NEAR = 3


def add_vocabulary(commands: Any) -> None:
    """Add both commands to those of a parser."""
    filters = commands.add_parser("filters", help="the vocabulary of the segmentation")
    filters.add_argument("search", nargs="?", help="only codes near this text")
    add_format(filters)
    filters.set_defaults(run=_run_filters)
    validate = commands.add_parser("validate", help="check codes, or a segmentation's JSON, against the vocabulary")
    validate.add_argument("codes", nargs="*", help="codes; from standard input (codes or JSON) if there are none")
    add_format(validate)
    validate.set_defaults(run=_run_validate)


def _run_filters(arguments: argparse.Namespace) -> int:
    vocabulary = _vocabulary()
    wanted = arguments.search
    found = vocabulary.search(wanted, limit=len(vocabulary.codes)) if wanted else tuple(vocabulary.codes.values())
    values = {} if wanted else vocabulary.values
    if not found:
        say(_nothing_like(vocabulary, wanted))
    kind = chosen_format(arguments)
    if kind == "json":
        listed = [{"code": code.code, "label": code.label, "group": code.group} for code in found]
        print_json(listed if wanted else vocabulary.raw)
    elif kind == "csv":
        rows = [(code.code, code.label, str(code.kind), code.group) for code in found]
        rows += [(value, label, name, "") for name, labels in values.items() for value, label in labels.items()]
        print_csv(("code", "label", "kind", "group"), rows)
    else:
        width = max((len(code.code) for code in found), default=0)
        # A narrow terminal has no room for two columns: then each label stands beside its code.
        width = width if width + max((len(code.label) for code in found), default=0) + 2 <= room() else 0
        print_lines(f"{code.code:<{width}}  {code.label}" for code in found)
        print_lines(f"{name}: {', '.join(labels)}" for name, labels in values.items())
    return 0 if found else _FAILED


def _nothing_like(vocabulary: Vocabulary, wanted: str) -> list[str]:
    """Return in words that nothing was found, and what is spelt most like it, with its code."""
    labels: dict[str, list[str]] = {}
    for code in vocabulary.codes.values():
        labels.setdefault(code.label, []).append(code.code)
    near = [f"{label} ({', '.join(labels[label])})" for label in nearest_to(wanted, labels, _NEAR)]
    if near:
        return [f"Nothing was found for {wanted!r}. Nearest: {'; '.join(near)}."]
    broad = sorted({code.label for code in vocabulary.codes.values() if code.is_group and code.kind == "interest"})
    return [f"Nothing was found for {wanted!r}, nor anything spelt like it. Try one of: {', '.join(broad)}."]


def _run_validate(arguments: argparse.Namespace) -> int:
    document = arguments.codes or _document(standard_input())
    vocabulary = _vocabulary()
    problems = _problems(vocabulary, document)
    kind = chosen_format(arguments)
    if kind == "json":
        print_json([asdict(problem) for problem in problems])
    elif kind == "csv":
        rows = [(problem.where, problem.field, problem.value, ", ".join(problem.nearest)) for problem in problems]
        print_csv(("where", "field", "value", "nearest"), rows)
    elif problems:
        print_lines(
            f"{problem.where}  {problem.field}  {problem.value!r} is unknown; "
            f"nearest: {', '.join(problem.nearest) or 'none, search with toolkit filters WORD'}"
            for problem in problems
        )
    else:
        print_lines([f"All are known (codes of version {vocabulary.version})."])
    return _FAILED if problems else 0


def _document(text: str) -> Any:
    """Read what is to be validated: JSON, or else words."""
    if not text.strip():
        raise InputError("No codes were given. Name codes, or send codes or JSON on standard input.")
    try:
        document = json.loads(text)
    except RecursionError:
        raise InputError("The JSON on standard input is nested too deeply.") from None
    except ValueError as error:
        if text.lstrip().startswith(("{", "[", '"')):
            raise InputError(f"Standard input begins like JSON but is none: {error}.") from None
        return text.split()
    if document is None or isinstance(document, bool):
        raise InputError(f"The JSON on standard input is {text.strip()}, which holds no codes.")
    if isinstance(document, dict | list):
        return document
    return [document if isinstance(document, str) else text.strip()]


def _problems(vocabulary: Vocabulary, document: Any) -> list[Problem]:
    from toolkit.interface.vocabulary import Problem  # noqa: PLC0415

    if not isinstance(document, list):
        return list(vocabulary.problems(document))
    found = []
    for position, item in enumerate(document):
        where = f"$[{position}]"
        if isinstance(item, dict | list):
            inner = vocabulary.problems(item)
            found += [replace(problem, where=where + problem.where.removeprefix("$")) for problem in inner]
        else:
            # In a list every word is meant for a code: one that does not look like it is misspelt.
            word = item if isinstance(item, str) else json.dumps(item)
            if word not in vocabulary:
                found.append(Problem(where, "code", word, vocabulary.nearest(word)))
    return found


def _vocabulary() -> Vocabulary:
    load_little()
    from toolkit.client import Client  # noqa: PLC0415 - commands load only what they need

    with Client() as client:
        return client.filters()
