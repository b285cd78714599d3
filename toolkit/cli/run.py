"""``toolkit run``: many targets on the command line, planned, within a budget, and gone on with after any end."""

from __future__ import annotations

import argparse
import gzip
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from toolkit.cli.streams import add_quiet, chosen_format, print_csv, print_json, print_lines, say
from toolkit.frames.records import endpoints_of
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted
from toolkit.interface.words.labels import question_label, status_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolkit.client import Client
    from toolkit.frames.records import FrameName
    from toolkit.run import Run
    from toolkit.runs.plan import Plan
    from toolkit.runs.progress import Progress

__all__ = ["add_run", "whole_number"]

_FAILED: Final = 1
_SIGNALLED: Final = 128
_NAME_WIDTH: Final = 17
#: Inputs of which a frame is made at a time: written as text it takes several times its size.
_CSV_ROWS: Final = 10_000
_TABLES: Final = (".csv", ".csv.gz")
#: What a file is called that is asked for by mistake; anything else is the name of a folder.
_OTHER_FILES: Final = frozenset(
    {".db", ".gz", ".json", ".jsonl", ".parquet", ".sqlite", ".tsv", ".txt", ".xls", ".xlsx", ".xml", ".zip"}
)


def add_run(commands: Any) -> None:
    """Add the command to those of a parser."""
    command = commands.add_parser(
        "run",
        help="ask about many targets: planned, within a budget, and gone on with after any end",
        epilog="Ctrl-C stops cleanly and keeps what was answered; the same command goes on. "
        "It ends with 0 if every site was answered or has no content (410, 411), with 1 if something failed, nothing "
        "in the list is a web address, or it stopped before the end.",
    )
    command.add_argument(
        "input",
        nargs="?",
        default="-",
        metavar="INPUT",
        help="a table (.csv, .tsv, .parquet) or a file with a target a line, packed (.gz) or not; "
        "standard input if it is left out or -",
    )
    command.add_argument(
        "--ask",
        type=_names,
        default=("segment",),
        metavar="QUESTIONS",
        help="of segment, categorize, categorize_content and enrich, separated by commas (default segment)",
    )
    command.add_argument("--column", help="the column of a table that holds the targets")
    command.add_argument(
        "--store",
        metavar="FILE",
        help="the file that keeps the answers, and from which the same command goes on (default: the project's)",
    )
    command.add_argument(
        "--name", help="what the run is called in `toolkit runs`; of the list and the date if left out"
    )
    command.add_argument("--budget", type=whole_number, metavar="CREDITS", help="credits that the run may spend in all")
    command.add_argument(
        "--concurrency",
        type=whole_number,
        default=50,
        metavar="N",
        help="the most requests at a time (default %(default)s)",
    )
    command.add_argument(
        "--out",
        type=Path,
        metavar="PLACE",
        help="where the frames are written: a folder, for Parquet, or FILE.csv (.csv.gz), for one frame",
    )
    command.add_argument(
        "--frames",
        type=_names,
        metavar="NAMES",
        help="of audiences, codes, categories, companies, technologies and failures, separated by commas "
        "(default: all that are asked for)",
    )
    command.add_argument("--plan", action="store_true", help="only tell what would be sent and cost; send nothing")
    command.add_argument("--stale", action="store_true", help="use stored answers of any age")
    command.add_argument("--refresh", action="store_true", help="ask everything anew")
    command.add_argument("--retry-failed", action="store_true", help="send again what failed before in this run")
    command.add_argument(
        "--format",
        choices=("table", "json", "csv"),
        help="of the plan (default: a table to a terminal, JSON to a pipe); json without --plan: the summary",
    )
    add_quiet(command)
    command.set_defaults(run=_run)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise argparse.ArgumentTypeError(f"names separated by commas, not {text!r}")
    return names


def whole_number(text: str) -> int:
    """Read an option that is a whole number."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"a whole number, not {text!r}")
    return int(text)


def _run(arguments: argparse.Namespace) -> int:
    _check(arguments)
    from toolkit.client import Client  # noqa: PLC0415 - commands load only what they need

    began = time.monotonic()
    with (
        Client() as client,
        client.run(
            arguments.input,
            arguments.ask,
            column=arguments.column,
            budget=arguments.budget,
            concurrency=arguments.concurrency,
            store=arguments.store,
            name=arguments.name,
            stale=arguments.stale,
            refresh=arguments.refresh,
        ) as run,
    ):
        output = _Output.of(arguments, run)
        plan = _with_failed(run.plan()) if arguments.retry_failed else run.plan()
        if arguments.plan:
            _print_plan(plan, chosen_format(arguments))
            return 0
        say(str(plan).splitlines())
        output.prepare(client)
        caught = _send(run, retry_failed=arguments.retry_failed)
        summary = _Summary(run, plan, run.progress, time.monotonic() - began)
        say(["", *_lines(summary.rows(arguments))])
        written = output.write(run)
        if written:
            say(_lines([("written", output.told(len(written)))]))
        if arguments.format == "json":
            print_json({**summary.document(), "written": [str(path) for path in written]})
        status, name = summary.status(caught), run.name
    if name is not None and summary.is_of_nothing and not arguments.store:
        from toolkit.kept import runs  # noqa: PLC0415 - as above

        runs().delete(name)  # there is nothing in it to come back to
    return status


def _check(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be meant, before anything is opened."""
    if arguments.input == "-" and arguments.column:
        raise InputError("--column is about a table, and standard input has a target a line. Leave it out.")
    if arguments.frames is not None and arguments.out is None:
        raise InputError("--frames says what is written, and --out where to. Add --out FOLDER, or leave --frames out.")
    if arguments.plan:
        return
    if arguments.format == "csv":
        raise InputError(
            "--format csv is for --plan. To write a frame as CSV add --out FILE.csv; for the summary take json."
        )


def _with_failed(plan: Plan) -> Plan:
    """Return the plan of sending again what failed, too."""
    questions = (replace(one, to_send=one.to_send + one.failed, failed=0) for one in plan.questions)
    return replace(plan, questions=tuple(questions))


# Sending -------------------------------------------------------------------------------------------------------------


def _send(run: Run, *, retry_failed: bool) -> list[int]:
    """Send what is to be sent, and return the signals that came meanwhile."""
    shown = sys.stderr.isatty()
    with _caught_signals() as caught:

        def stop_if_told(_: Progress) -> None:
            if not caught:
                return
            if not said:
                said.append(True)
                # The first line ends the one that the bar stands in.
                say(["", "Stopping: what is under way is waited for. The same again stops at once."])
            run.stop("interrupted" if caught[0] == signal.SIGINT else "told to end")

        said: list[bool] = []
        run.watch(stop_if_told)
        begin = run.retry_failed if retry_failed else run.start
        begin(progress=shown)
        return caught


@contextmanager
def _caught_signals() -> Iterator[list[int]]:
    """Give a list that takes the first signal to end; a second one does what it did before."""
    caught: list[int] = []
    earlier: dict[int, Any] = {}

    def take(number: int, _: object) -> None:
        caught.append(number)
        give_back()

    def give_back() -> None:
        for number, handler in earlier.items():
            signal.signal(number, handler)

    if threading.current_thread() is threading.main_thread():  # no other thread gets signals
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number)
            if handler not in {None, signal.SIG_IGN}:  # as after nohup
                earlier[number] = handler
                signal.signal(number, take)
    try:
        yield caught
    finally:
        give_back()


# Writing -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Output:
    """Where the frames go: a folder, a table, or nowhere."""

    place: Path | None
    frames: tuple[FrameName, ...]

    @classmethod
    def of(cls, arguments: argparse.Namespace, run: Run) -> _Output:
        """Return what was asked for; what cannot be written so is told before anything is paid for."""
        place: Path | None = arguments.out
        if place is None:
            return cls(None, ())
        frames = cast("tuple[FrameName, ...]", arguments.frames) or run.frames
        for frame in frames:
            endpoints_of(frame, run.asked)
        output = cls(place, frames)
        if output.is_table:
            if arguments.frames is None and len(frames) == 2:  # noqa: PLR2004 - the other one has its failures
                output = cls(place, frames[:1])
            output._check_table(place)
        elif place.suffix.lower() in _OTHER_FILES or place.is_file():
            raise InputError(
                f"--out {place} is neither a folder nor a .csv file. Name a folder for Parquet, or FILE.csv for one "
                "frame."
            )
        for name, taken in (("INPUT", arguments.input), ("--store", arguments.store)):
            if taken not in {None, "-"} and output._covers(Path(taken)):
                raise InputError(f"--out {place} would be written over {name}, {taken}. Name another place.")
        return output

    @property
    def is_table(self) -> bool:
        """Whether it is a file of CSV."""
        return self.place is not None and self.place.name.lower().endswith(_TABLES)

    def prepare(self, client: Client) -> None:
        """Make sure, before anything is paid for, that the frames can be made and written."""
        if self.place is None:
            return
        if not self.is_table:
            for name in self.frames:
                (self.place / name).mkdir(parents=True, exist_ok=True)
        if {"audiences", "codes"} & set(self.frames):
            client.filters()

    def write(self, run: Run) -> list[Path]:
        """Write the frames and return the files."""
        if self.place is None:
            return []
        if not self.is_table:
            return run.to_parquet(self.place, self.frames)
        from toolkit.frames.files import write_csv  # noqa: PLC0415 - commands load only what they need

        partial = self.place.with_name(f"{self.place.name}.tmp")
        opened = gzip.open if self.place.name.lower().endswith(".gz") else open
        try:
            with opened(partial, "wt", encoding="utf-8", newline="") as file:
                for number, part in enumerate(run.iter_frames(self.frames[0], _CSV_ROWS)):
                    write_csv(part, cast("Any", file), header=number == 0)
            # Renamed when it is whole: an earlier table stays until then.
            partial.replace(self.place)
        finally:
            partial.unlink(missing_ok=True)
        return [self.place]

    def told(self, files: int) -> str:
        """Return where the frames are, in words."""
        listed = ", ".join(self.frames)
        return f"{self.place} ({listed})" if self.is_table else f"{self.place} ({listed}: {files:,} Parquet files)"

    def _check_table(self, place: Path) -> None:
        if len(self.frames) != 1:
            raise InputError(
                f"{place.name} holds one frame, and there are {', '.join(self.frames)}. Choose one with --frames, or "
                "name a folder."
            )
        if place.is_dir():
            raise InputError(f"--out {place} is a folder. Name a file in it.")
        if not place.parent.is_dir():
            raise InputError(f"There is no folder {place.parent} for {place.name}. Make it, or name another file.")
        if not os.access(place.parent, os.W_OK):
            raise InputError(f"Nothing may be written in the folder {place.parent}. Name another file.")

    def _covers(self, path: Path) -> bool:
        """Tell whether a file would be written over."""
        assert self.place is not None  # noqa: S101 - only asked of a place
        written, taken = self.place.resolve(), path.resolve()
        if self.is_table:
            return taken in {written, written.with_name(f"{written.name}.tmp")}
        return any(taken.is_relative_to(written / name) for name in self.frames)


# Telling -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Summary:
    """What came of a run."""

    of: Run
    plan: Plan
    progress: Progress
    seconds: float

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to be asked."""
        return self.progress.state == "finished"

    def status(self, caught: list[int]) -> int:
        """Return the exit status."""
        if not self.is_finished:
            return _SIGNALLED + caught[0] if caught else _FAILED
        return _FAILED if self.progress.failed or self.is_of_nothing else 0

    @property
    def is_of_nothing(self) -> bool:
        """Whether nothing in the list is a web address: it is empty, another list, or another column."""
        return not self.plan.counts.sites

    def rows(self, arguments: argparse.Namespace) -> list[tuple[str, str]]:
        """Return names and values; those without a value are left out."""
        progress, before = self.progress, self.plan.spent
        ended = "finished" if self.is_finished else "stopped"
        why = "" if self.is_finished else f": {progress.reason}"
        return [
            (ended, f"after {timedelta(seconds=round(self.seconds))}{why}"),
            ("sites", str(self.of.counts())),
            ("without answer", "; ".join(f"{words} ({count:,})" for words, count in self._reasons())),
            ("kept already", counted(progress.stored, "answer") if progress.stored else ""),
            ("credits", f"{progress.credits_used - before:,}" + (f", and {before:,} before" if before else "")),
            ("credits left", "" if progress.credits_left is None else f"{progress.credits_left:,}"),
            (
                "kept as",
                ""
                if arguments.store or self.is_of_nothing
                else f"{self.of.name}, for `toolkit report`; `toolkit runs` lists all",
            ),
            ("to go on", self._advice(arguments)),
        ]

    def document(self) -> dict[str, Any]:
        """Return the same for a program."""
        progress = self.progress
        return {
            "name": None if self.is_of_nothing else self.of.name,
            "state": progress.state,
            "reason": progress.reason,
            **asdict(self.of.counts()),
            "tasks": progress.total,
            "tasks_answered": progress.answered,
            "tasks_kept": progress.stored,
            "tasks_failed": progress.failed,
            "tasks_not_asked": progress.total - progress.done,
            "without_answer": self._without_answer(),
            "credits_used": progress.credits_used - self.plan.spent,
            "credits_used_before": self.plan.spent,
            "credits_left": progress.credits_left,
            "seconds": round(self.seconds, 3),
        }

    def _without_answer(self) -> dict[str, int]:
        return self.of.without_answer()

    def _reasons(self) -> list[tuple[str, int]]:
        """Return how many tasks have no answer, by what is said of it; questions that the same sites miss are one."""
        found: dict[tuple[str, str], int] = {}
        for name, count in self._without_answer().items():
            endpoint, _, status = name.partition(" ")
            why = status_label(int(status) if status.isdigit() else None)
            found[why, endpoint] = found.get((why, endpoint), 0) + count
        # As many can be others: which sites they are is read where two questions could be one.
        are_alike = len({(why, count) for (why, _), count in found.items()}) < len(found)
        missed = self._missed() if are_alike else {}
        alike: dict[tuple[str, int, frozenset[int]], list[str]] = {}
        for (why, endpoint), count in found.items():
            rows = frozenset(missed.get((why, endpoint), ()))
            alike.setdefault((why, count, rows), []).append(question_label(endpoint).lower())
        return [(f"{', '.join(asked)}: {why}", count) for (why, count, _), asked in alike.items()]

    def _missed(self) -> dict[tuple[str, str], set[int]]:
        """Return which rows of the list have no answer, by the reason and the question."""
        found: dict[tuple[str, str], set[int]] = {}
        for frame in self.of.iter_frames("failures"):
            for row, endpoint, status in zip(frame["row"], frame["endpoint"], frame["status"].fillna(0), strict=True):
                why = status_label(int(status) or None)
                found.setdefault((why, str(endpoint)), set()).add(int(row))
        return found

    def _advice(self, arguments: argparse.Namespace) -> str:
        if self.is_of_nothing:
            return "name a list, or a --column, that holds domains or URLs"
        if self.is_finished and not self.progress.failed:
            return ""
        again = "run the same command again" + (" with the same list" if arguments.input == "-" else "")
        if self.is_finished:
            return f"{again}; it sends only what failed"
        if "budget" in self.progress.reason:
            return f"{again} with a higher --budget"
        return again


def _print_plan(plan: Plan, kind: str) -> None:
    # The mean price: what a request is expected to cost.
    questions = [{**asdict(one), "price": one.price and one.price.mean} for one in plan.questions]
    if kind == "table":
        print_lines(str(plan).splitlines())
    elif kind == "csv":
        print_csv(list(questions[0]), [list(question.values()) for question in questions])
    else:
        print_json(
            {
                **asdict(plan.counts),
                "from_store": plan.stored,
                "stale": plan.stale,
                "to_send": plan.to_send,
                "credits_low": plan.credits_low,
                "credits_expected": plan.credits_expected,
                "credits_worst": plan.credits_worst,
                "budget": plan.budget,
                "credits_used_before": plan.spent,
                "credits_left": plan.credits_left,
                "seconds": plan.seconds,
                "questions": questions,
            }
        )


def _lines(rows: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{name + ':':<{_NAME_WIDTH}} {value}" for name, value in rows if value]
