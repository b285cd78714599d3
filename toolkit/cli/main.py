"""The command line: ``toolkit lab``, ``serve``, ``listen``, ``run``, ``findings``, ``segment``, and others."""

from __future__ import annotations

import argparse
import gc
import sys
import textwrap
from contextlib import nullcontext, redirect_stderr
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.cli.findings import add_findings
from toolkit.cli.kept import add_runs
from toolkit.cli.report import add_report
from toolkit.cli.run import add_run, whole_number
from toolkit.cli.streams import (
    add_format,
    add_quiet,
    chosen_format,
    drop_unwritten,
    load_little,
    print_json,
    print_lines,
    standard_input,
    take_every_letter,
)
from toolkit.cli.vocabulary import add_vocabulary
from toolkit.interface.errors import ConfigurationError, InputError, ToolkitError, need
from toolkit.interface.text import printable
from toolkit.interface.version import __version__
from toolkit.interface.words.terms import in_terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.client import Client
    from toolkit.interface.models import Outcome

__all__ = ["command", "main"]

_FAILED = 1
_MISUSED = 2
_ENDS: Final = """\
It ends with
  0    all went well; no command at all gives this help
  1    something failed, was found wrong or not found, or stopped before the end
  2    it was called in a wrong way, and nothing was asked
  130  Ctrl-C
Results go to standard output; progress and what went wrong to standard error. \
A reader of the pipe that has enough, such as `| head`, is no failure.
"""
#: Where lines go on that say how a command ends.
_LEAD: Final = " " * 7
#: Requests of a command at a time.
_AT_ONCE = 8
_LAST_PORT = 65_535
#: New objects after which the collector starts in a command.
_OBJECTS: Final = 200_000
_ENRICH_TABLES: Final = ("companies", "technologies", "categories")
#: Options of ``categorize`` of which only one has a meaning.
_CLASHES: Final = (
    ("--text", "targets"),
    ("--text", "--domain"),
    ("--text", "--root-fallback"),
    ("--domain", "--personas"),
    ("--domain", "--root-fallback"),
)


def command() -> int:
    """Run a command in the process that is started for it, and return how it ends: `main`, quick to start and to end.

    What loading makes stays: the collector would walk over all of it time and again while it grows, and at the end of
    the process, which frees it anyway.
    """
    gc.set_threshold(_OBJECTS)
    # httpx has a command of its own, which nobody asks for here, and three packages to draw it. None leaves it out.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
    try:
        return main()
    finally:
        gc.freeze()


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command: 0 if all went well, 1 if something failed or was found wrong, 2 if the command was misused."""
    take_every_letter()
    status = 0
    try:
        try:
            status = _run(argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        drop_unwritten()  # the reader of the pipe has gone, as with `| head`
    except ToolkitError as error:
        _complain(str(error))
        return _MISUSED if isinstance(error, InputError) else _FAILED
    except OSError as error:
        drop_unwritten()
        words = error.strerror or str(error)
        _complain(f"{error.filename}: {words}." if error.filename else f"{words}.")
        return _FAILED
    except KeyboardInterrupt:
        return 130
    return status


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    arguments, others = parser.parse_known_args(argv)
    if others and arguments.run not in {_run_app, _run_lab}:
        parser.error(f"unrecognized arguments: {printable(' '.join(others))}")
    arguments.options = others
    if arguments.run is None:
        parser.print_help()
        return 0
    # What went wrong is told where the command has ended.
    quiet = redirect_stderr(StringIO()) if getattr(arguments, "quiet", False) else nullcontext()
    with quiet:
        status: int = arguments.run(arguments)
    return status


def _complain(words: str) -> None:
    print(f"toolkit: {printable(in_terminal(words))}", file=sys.stderr)


class _Help(argparse.HelpFormatter):
    """Help whose lines stay lines, each as wide as the terminal, with what each command does beside its name."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = [
            textwrap.wrap(line, width, subsequent_indent=_LEAD if line[:1] == " " else "") for line in text.splitlines()
        ]
        return "\n".join(f"{indent}{part}" for line in lines for part in line)

    def add_argument(self, action: argparse.Action) -> None:
        super().add_argument(action)
        # Commands stand further in than what they are measured with.
        longest = max((len(name) for name in getattr(action, "choices", None) or ()), default=0)
        inner = self._current_indent + self._indent_increment
        self._action_max_length = max(self._action_max_length, longest + inner)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="toolkit",
        description="Categorize, segment and enrich domains and URLs. Without a key and base URLs in the environment "
        "the embedded service answers.",
        epilog=_ENDS,
        formatter_class=_Help,
    )
    parser.set_defaults(run=None)
    parser.add_argument("--version", action="version", version=f"toolkit {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="command")
    _add_questions(commands)
    add_run(commands)
    add_findings(commands)
    add_report(commands)
    add_runs(commands)
    add_vocabulary(commands)
    _add_servers(commands)
    completion = commands.add_parser(
        "completion",
        help="print the script by which a shell completes commands and options",
        epilog='bash and zsh: eval "$(toolkit completion bash)" in the file that they read when they start; fish: '
        "toolkit completion fish > ~/.config/fish/completions/toolkit.fish",
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=_run_completion)
    return parser


def _add_questions(commands: Any) -> None:
    segment = commands.add_parser("segment", help="the audience of URLs")
    segment.add_argument("--legacy", action="store_true", help="the legacy free-text shape")
    segment.set_defaults(check=_check_segment, question=_segment, frame="codes")
    categorize = commands.add_parser("categorize", help="content categories of URLs or of a text")
    categorize.add_argument("--text", help="a text to categorize, in place of targets")
    categorize.add_argument("--domain", action="store_true", help="ask family A, which categorizes whole domains")
    categorize.add_argument("--personas", action="store_true", help="with scores of personas")
    categorize.add_argument(
        "--root-fallback", action="store_true", help="the root domain for a subdomain with little text"
    )
    categorize.set_defaults(check=_check_categorize, question=_categorize, frame="categories")
    enrich = commands.add_parser("enrich", help="facts about the company behind domains")
    enrich.add_argument(
        "--include", type=_groups, help="data groups, separated by commas: company, technologies, social, …"
    )
    enrich.add_argument("--xml", action="store_true", help="let the answer travel as XML; the result is the same")
    enrich.add_argument("--table", choices=_ENRICH_TABLES, help="what a row of CSV is about (default companies)")
    enrich.set_defaults(check=_check_enrich, question=_enrich)
    for command in (segment, categorize, enrich):
        command.add_argument("targets", nargs="*", help="domains or URLs; from standard input if there are none")
        add_format(command)
        add_quiet(command)
        command.set_defaults(run=_run_questions)


def _add_servers(commands: Any) -> None:
    app = commands.add_parser(
        "app",
        help="open the workbench alone: from a list to a report, without code",
        epilog="Reports, and the runs that are kept, go to the folder where it is started. Other options go to "
        "JupyterLab: --no-browser, --port=…",
    )
    app.add_argument(
        "--ends-after",
        type=whole_number,
        default=60,
        metavar="SECONDS",
        help="how long after its window is closed it ends, and nothing is under way (default %(default)s)",
    )
    app.set_defaults(run=_run_app)
    lab = commands.add_parser(
        "lab",
        help="open JupyterLab on the starter notebook",
        epilog="Other options go to JupyterLab: --no-browser, --port=…",
    )
    lab.set_defaults(run=_run_lab)
    serve = commands.add_parser("serve", help="run the embedded service on loopback", allow_abbrev=False)
    serve.add_argument("--port", type=_port, default=8765, help="port; 0 takes a free one (default %(default)s)")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    serve.add_argument(
        "--key-file",
        metavar="FILE",
        help="API keys, one a line, each an account; - reads standard input (default: TOOLKIT_SERVE_KEYS, separated by "
        "commas; without any, one is made)",
    )
    serve.add_argument("--quota", type=int, help="answers an account gets in a month")
    serve.add_argument("--credits", type=int, default=1_000_000, help="credits of an account (default %(default)s)")
    serve.add_argument("--rate", type=float, help="requests a second of an account; more get 429")
    serve.add_argument("--burst", type=int, default=50, help="requests that may come at once (default %(default)s)")
    serve.add_argument(
        "--workers", type=int, help="processes that read pages; 0 for none but this (default: a core each, at most 8)"
    )
    serve.add_argument("--allow-private", action="store_true", help="fetch pages from private addresses too")
    serve.add_argument("--no-samples", action="store_true", help="leave out the bundled sample web")
    serve.add_argument("--webhook-url", help="address for notifications of quota and of batches without their own")
    serve.add_argument(
        "--webhook-secret-file",
        metavar="FILE",
        help="the secret that signs them (default: TOOLKIT_SERVE_WEBHOOK_SECRET; without one they are not signed)",
    )
    serve.add_argument(
        "--database",
        type=Path,
        metavar="FILE",
        help="keep use, batch jobs and pending notifications in a file across restarts; needs keys of yours",
    )
    serve.add_argument(
        "--ranked-domains",
        type=Path,
        metavar="FILE",
        help="a CSV file of rank,domain[,previous_rank] or a domain a line, for the traffic rank; may be gzipped",
    )
    serve.add_argument(
        "--faults",
        default="",
        metavar="SPEC",
        help="let answers fail on demand: 429=0.05:2,burst=20:5,503=0.02,reset=0.02,slow=0.1:3,truncated=0.02,"
        "malformed=0.05,expire=100,quota=50,seed=7",
    )
    serve.set_defaults(run=_run_serve)
    listen = commands.add_parser(
        "listen",
        help="print notifications as they come, a JSON object a line",
        epilog="Secrets are read from TOOLKIT_WEBHOOK_SECRET, several separated by commas; without one, one is made.",
    )
    listen.add_argument("--port", type=_port, default=8766, help="port; 0 takes a free one (default %(default)s)")
    listen.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    listen.add_argument("--path", default="/", help="path that notifications are posted to (default %(default)s)")
    listen.add_argument(
        "--secret-file",
        metavar="FILE",
        help="webhook secrets, one a line; - reads standard input (default: TOOLKIT_WEBHOOK_SECRET, with commas)",
    )
    listen.add_argument("--inbox", metavar="FILE", help="a file that remembers what came, over restarts")
    listen.add_argument("--once", action="store_true", help="end after the first event")
    listen.add_argument("--allow-public", action="store_true", help="listen where other machines can reach it too")
    listen.set_defaults(run=_run_listen)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_LAST_PORT)) and int(text) <= _LAST_PORT):
        raise argparse.ArgumentTypeError(f"a port is a whole number from 0 to {_LAST_PORT}, not {text!r}")
    return int(text)


def _groups(text: str) -> list[str]:
    from toolkit.interface.calls import INCLUDE  # noqa: PLC0415 - commands load only what they need

    groups = [group.strip() for group in text.split(",") if group.strip()]
    unknown = [group for group in groups if group not in INCLUDE]
    if unknown or not groups:
        raise argparse.ArgumentTypeError(f"choose from {', '.join(INCLUDE)}, not {', '.join(unknown) or text!r}")
    return groups


def _check_segment(arguments: argparse.Namespace) -> None:
    if arguments.legacy and arguments.format == "csv":
        raise InputError("The legacy shape is free text, which has no rows. Leave out --legacy, or take --format json.")


def _check_categorize(arguments: argparse.Namespace) -> None:
    given = {
        "--text": arguments.text is not None,
        "targets": bool(arguments.targets),
        "--domain": arguments.domain,
        "--personas": arguments.personas,
        "--root-fallback": arguments.root_fallback,
    }
    for one, other in _CLASHES:
        if given[one] and given[other]:
            raise InputError(f"{one} and {other} cannot be used together. Leave one out.")


def _check_enrich(arguments: argparse.Namespace) -> None:
    if arguments.table and chosen_format(arguments) != "csv":
        raise InputError("--table is about the rows of CSV. Add --format csv, or leave it out.")
    arguments.frame = arguments.table or _ENRICH_TABLES[0]


def _run_questions(arguments: argparse.Namespace) -> int:
    arguments.check(arguments)
    targets = _targets(arguments)
    if not targets:
        raise InputError("No targets were given. Name domains or URLs, or send them on standard input.")
    load_little()
    from toolkit.client import Client  # noqa: PLC0415 - commands load only what they need

    kind = chosen_format(arguments)
    with Client() as client:
        # Before anything is paid for: without it there would be no table.
        extras = [client.filters()] if (kind, arguments.frame) == ("csv", "codes") else []
        outcomes = _ask(client, arguments, targets)
    if kind == "csv":
        from toolkit import frames  # noqa: PLC0415
        from toolkit.frames.files import write_csv  # noqa: PLC0415

        write_csv(getattr(frames, arguments.frame)(outcomes, *extras), sys.stdout)
    elif kind == "json":
        bodies = [outcome.answer.raw if outcome.answer else _error_body(outcome) for outcome in outcomes]
        print_json(bodies[0] if len(bodies) == 1 else bodies)
    else:
        for outcome in outcomes:
            print_lines(_outcome_lines(outcome))
    return _FAILED if any(outcome.error for outcome in outcomes) else 0


def _targets(arguments: argparse.Namespace) -> list[str]:
    if getattr(arguments, "text", None) is not None:
        return [""]
    if arguments.targets:
        return list(arguments.targets)
    text = standard_input()
    if not text.strip():
        return []
    from toolkit.runs.inputs import split_targets  # noqa: PLC0415

    return list(dict.fromkeys(split_targets(text)))


def _ask(client: Client, arguments: argparse.Namespace, targets: list[str]) -> list[Outcome]:
    from toolkit.interface.models import Outcome  # noqa: PLC0415

    text: str | None = getattr(arguments, "text", None)
    if text is None:
        question, options = arguments.question(arguments)
        # A few at a time: what comes after a used-up quota is not sent.
        with client.ask(
            targets, question, options={question: options}, concurrency=_AT_ONCE, store=client.store or False
        ) as run:
            return run.outcomes()
    try:
        answer = client.categorize_content(text=text, personas=arguments.personas)
    except (ConfigurationError, InputError):
        raise
    except ToolkitError as error:
        return [Outcome(text, "categorize_content", error=error)]
    return [Outcome(text, "categorize_content", answer=answer)]


def _segment(arguments: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    return "segment", {"format": "legacy"} if arguments.legacy else {}


def _categorize(arguments: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    if arguments.domain:
        return "categorize", {}
    return "categorize_content", {"personas": arguments.personas, "root_fallback": arguments.root_fallback}


def _enrich(arguments: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    return "enrich", {"include": arguments.include, "format": "xml" if arguments.xml else "json"}


def _outcome_lines(outcome: Outcome) -> list[str]:
    from toolkit.frames.files import definition_lines  # noqa: PLC0415

    if outcome.answer is None:
        from toolkit.interface.errors import ServiceError  # noqa: PLC0415
        from toolkit.interface.words.labels import failure_words  # noqa: PLC0415

        error = outcome.error
        rows = [("failed", in_terminal("no answer" if error is None else failure_words(error)))]
        if isinstance(error, ServiceError):
            rows += [("details", in_terminal(error.detail)), ("request", in_terminal(error.request_id or ""))]
        return definition_lines(outcome.target, rows)
    return definition_lines(outcome.answer.subject, outcome.answer.rows())


def _error_body(outcome: Outcome) -> dict[str, Any]:
    return {"target": outcome.target, "status": outcome.status, "error": in_terminal(str(outcome.error))}


def _run_app(arguments: argparse.Namespace) -> int:
    from toolkit.cli.app import open_app  # noqa: PLC0415 - commands load only what they need

    return open_app(Path.cwd(), arguments.options, arguments.ends_after)


def _run_completion(arguments: argparse.Namespace) -> int:
    from toolkit.cli.completion import completion_script  # noqa: PLC0415 - commands load only what they need

    print(completion_script(_parser(), arguments.shell))
    return 0


def _run_lab(arguments: argparse.Namespace) -> int:
    from toolkit.cli.lab import open_lab  # noqa: PLC0415

    return open_lab(Path.cwd(), arguments.options)


def _run_listen(arguments: argparse.Namespace) -> int:
    from toolkit.cli.listen import listen  # noqa: PLC0415 - commands load only what they need

    return listen(arguments)


def _run_serve(arguments: argparse.Namespace) -> int:
    need("service", "toolkit serve")
    from toolkit.cli.serve import serve  # noqa: PLC0415

    return serve(arguments)
