"""The command line: ``toolkit lab``, ``serve``, ``segment``, ``categorize``, ``enrich``, ``filters``, ``validate``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolkit import __version__
from toolkit.errors import InputError, ToolkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolkit.outcomes import Outcome
    from toolkit.vocabulary import Vocabulary

__all__ = ["main"]

_FAILED = 1
_MISUSED = 2
_LAST_PORT = 65_535


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments; those of the process if left out.

    Returns
    -------
    int
        0 if all went well, 1 if something failed or was found wrong, 2 if the command was misused.
    """
    parser = _parser()
    arguments, others = parser.parse_known_args(argv)
    if others and arguments.run is not _run_lab:
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    arguments.options = others
    try:
        status: int = arguments.run(arguments)
    except BrokenPipeError:
        # The reader of the pipe has gone, as with `| head`; Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ToolkitError as error:
        print(f"toolkit: {error}", file=sys.stderr)
        return _MISUSED if isinstance(error, InputError) else _FAILED
    except KeyboardInterrupt:
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="toolkit",
        description="Categorize, segment and enrich domains and URLs. Without a key and base URLs in the environment "
        "the embedded service answers.",
    )
    parser.add_argument("--version", action="version", version=f"toolkit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_questions(commands)
    _add_vocabulary(commands)
    _add_servers(commands)
    return parser


def _add_questions(commands: Any) -> None:
    segment = commands.add_parser("segment", help="the audience of URLs")
    segment.add_argument("--legacy", action="store_true", help="the legacy free-text shape")
    segment.set_defaults(ask=_ask_segment, frame="codes")
    categorize = commands.add_parser("categorize", help="content categories of URLs or of a text")
    categorize.add_argument("--text", help="a text to categorize, in place of targets")
    categorize.add_argument("--domain", action="store_true", help="ask family A, which categorizes whole domains")
    categorize.add_argument("--personas", action="store_true", help="with scores of personas")
    categorize.add_argument(
        "--root-fallback", action="store_true", help="the root domain for a subdomain with little text"
    )
    categorize.set_defaults(ask=_ask_categorize, frame="categories")
    enrich = commands.add_parser("enrich", help="facts about the company behind domains")
    enrich.add_argument("--include", help="data groups, separated by commas: company, technologies, social, …")
    enrich.add_argument("--xml", action="store_true", help="let the answer travel as XML; the result is the same")
    enrich.set_defaults(ask=_ask_enrich, frame="companies")
    for command in (segment, categorize, enrich):
        command.add_argument("targets", nargs="*", help="domains or URLs; from standard input if there are none")
        _add_format(command)
        command.set_defaults(run=_run_questions)


def _add_vocabulary(commands: Any) -> None:
    filters = commands.add_parser("filters", help="the vocabulary of the segmentation")
    filters.add_argument("search", nargs="?", help="only codes near this text")
    _add_format(filters)
    filters.set_defaults(run=_run_filters)
    validate = commands.add_parser("validate", help="check codes, or a segmentation's JSON, against the vocabulary")
    validate.add_argument("codes", nargs="*", help="codes; from standard input (codes or JSON) if there are none")
    _add_format(validate)
    validate.set_defaults(run=_run_validate)


def _add_servers(commands: Any) -> None:
    lab = commands.add_parser(
        "lab",
        help="open JupyterLab on the starter notebook",
        epilog="Other options go to JupyterLab: --no-browser, --port=…",
    )
    lab.set_defaults(run=_run_lab)
    serve = commands.add_parser("serve", help="run the embedded service on loopback")
    serve.add_argument("--port", type=_port, default=8765, help="port; 0 takes a free one (default %(default)s)")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    serve.add_argument("--key", action="append", default=[], help="an API key; repeat for several accounts")
    serve.add_argument("--quota", type=int, help="answers an account gets in a month")
    serve.add_argument("--credits", type=int, default=1_000_000, help="credits of an account (default %(default)s)")
    serve.add_argument("--rate", type=float, help="requests a second of an account; more get 429")
    serve.add_argument("--burst", type=int, default=50, help="requests that may come at once (default %(default)s)")
    serve.add_argument("--allow-private", action="store_true", help="fetch pages from private addresses too")
    serve.add_argument("--no-samples", action="store_true", help="leave out the bundled sample web")
    serve.add_argument("--webhook-url", help="address for notifications of quota and of batches without their own")
    serve.add_argument("--webhook-secret", help="secret that signs them")
    serve.set_defaults(run=_run_serve)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_LAST_PORT)) and int(text) <= _LAST_PORT):
        raise argparse.ArgumentTypeError(f"a port is a whole number from 0 to {_LAST_PORT}, not {text!r}")
    return int(text)


def _add_format(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--format", choices=("table", "json", "csv"), help="default: a table to a terminal, JSON to a pipe"
    )


def _run_questions(arguments: argparse.Namespace) -> int:
    from toolkit.client import Client  # noqa: PLC0415 - commands load only what they need
    from toolkit.lookup import split_targets  # noqa: PLC0415

    text = getattr(arguments, "text", None)
    targets = [""] if text is not None else arguments.targets or split_targets(_standard_input())
    if not targets:
        raise InputError("No targets were given. Name domains or URLs, or send them on standard input.")
    with Client() as client:
        ask: Callable[[Client, argparse.Namespace, str], Outcome] = arguments.ask
        outcomes = [ask(client, arguments, target) for target in targets]
        _print_outcomes(outcomes, arguments, client.filters if arguments.frame == "codes" else None)
    return _FAILED if any(outcome.error for outcome in outcomes) else 0


def _ask_segment(client: Any, arguments: argparse.Namespace, target: str) -> Outcome:
    return _outcome(
        "segment", target, lambda: client.segment(target, format="legacy" if arguments.legacy else "structured")
    )


def _ask_categorize(client: Any, arguments: argparse.Namespace, target: str) -> Outcome:
    if arguments.domain:
        return _outcome("categorize", target, lambda: client.categorize(target))
    url = target if arguments.text is None else None
    return _outcome(
        "categorize_content",
        target or arguments.text,
        lambda: client.categorize_content(
            url, text=arguments.text, personas=arguments.personas, root_fallback=arguments.root_fallback
        ),
    )


def _ask_enrich(client: Any, arguments: argparse.Namespace, target: str) -> Outcome:
    wire = "xml" if arguments.xml else "json"
    return _outcome("enrich", target, lambda: client.enrich(target, include=arguments.include, format=wire))


def _outcome(endpoint: str, target: str, ask: Callable[[], Any]) -> Outcome:
    from toolkit.outcomes import Outcome  # noqa: PLC0415

    try:
        return Outcome(target, endpoint, answer=ask())
    except ToolkitError as error:
        return Outcome(target, endpoint, error=error)


def _print_outcomes(
    outcomes: list[Outcome], arguments: argparse.Namespace, vocabulary: Callable[[], Vocabulary] | None
) -> None:
    kind = _format(arguments)
    if kind == "json":
        bodies = [outcome.answer.raw if outcome.answer else _error_body(outcome) for outcome in outcomes]
        _print_json(bodies[0] if len(bodies) == 1 else bodies)
        return
    if kind == "csv":
        from toolkit import frames, tables  # noqa: PLC0415

        build = getattr(frames, arguments.frame)
        tables.write_csv(build(outcomes, vocabulary()) if vocabulary else build(outcomes), sys.stdout)
        return
    from toolkit.tables import definition_lines  # noqa: PLC0415

    for outcome in outcomes:
        if outcome.answer is not None:
            print("\n".join(definition_lines(outcome.answer.subject, outcome.answer.rows())))
        else:
            print("\n".join(definition_lines(outcome.target, [("failed", str(outcome.error))])))


def _run_filters(arguments: argparse.Namespace) -> int:
    from toolkit.client import Client  # noqa: PLC0415

    with Client() as client:
        vocabulary = client.filters()
    found = vocabulary.search(arguments.search) if arguments.search else tuple(vocabulary.codes.values())
    kind = _format(arguments)
    if kind == "json":
        listed = [{"code": code.code, "label": code.label, "group": code.group} for code in found]
        _print_json(listed if arguments.search else vocabulary.raw)
    elif kind == "csv":
        import pandas as pd  # noqa: PLC0415

        from toolkit.tables import write_csv  # noqa: PLC0415

        rows = [(code.code, code.label, code.kind, code.group) for code in found]
        write_csv(pd.DataFrame(rows, columns=["code", "label", "kind", "group"]), sys.stdout)
    else:
        width = max((len(code.code) for code in found), default=0) + 2
        for code in found:
            print(f"{code.code:<{width}}{code.label}")
        if not arguments.search:
            for name, values in vocabulary.values.items():
                print(f"{name}: {', '.join(values)}")
    return 0


def _run_validate(arguments: argparse.Namespace) -> int:
    from toolkit.client import Client  # noqa: PLC0415

    with Client() as client:
        vocabulary = client.filters()
    document: Any = arguments.codes
    if not document:
        text = _standard_input()
        try:
            document = json.loads(text)
        except ValueError:
            document = text.split()
    problems = vocabulary.problems(document)
    if isinstance(document, list):
        # A word that does not even look like a code is one that was misspelt.
        seen = {problem.value for problem in problems}
        odd = [word for word in document if isinstance(word, str) and word not in vocabulary and word not in seen]
        problems += tuple(type_problem(vocabulary, word) for word in odd)
    if _format(arguments) == "table":
        for problem in problems:
            print(
                f"{problem.where}  {problem.field}  {problem.value!r} is unknown; nearest: {', '.join(problem.nearest)}"
            )
        if not problems:
            print(f"All known in vocabulary {vocabulary.version}.")
    else:
        _print_json([{name: getattr(problem, name) for name in problem.__slots__} for problem in problems])
    return _FAILED if problems else 0


def type_problem(vocabulary: Vocabulary, word: str) -> Any:
    """Return the problem of a word that is no code at all."""
    from toolkit.vocabulary import Problem  # noqa: PLC0415

    return Problem("$", "code", word, vocabulary.nearest(word))


def _run_lab(arguments: argparse.Namespace) -> int:
    from toolkit.lab import open_lab  # noqa: PLC0415

    return open_lab(Path.cwd(), arguments.options)


def _run_serve(arguments: argparse.Namespace) -> int:
    from toolkit.server import serve  # noqa: PLC0415

    return serve(arguments)


def _standard_input() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    return sys.stdin.read()


def _format(arguments: argparse.Namespace) -> str:
    return arguments.format or ("table" if sys.stdout.isatty() else "json")


def _error_body(outcome: Outcome) -> dict[str, Any]:
    return {"target": outcome.target, "status": outcome.status, "error": str(outcome.error)}


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))
