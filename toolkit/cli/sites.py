"""The sites that a command tells of: a list that is asked about, a run that is kept, or one that was saved."""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
import zlib
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.cli.run import whole_number
from toolkit.cli.streams import say
from toolkit.interface.errors import InputError, TargetError, nearest_to
from toolkit.interface.text import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.answered import Answered
    from toolkit.run import Run

__all__ = ["GivenRun", "add_looked_at", "add_sites", "given_run", "listed", "looked_at"]

#: What is asked of each site of a list.
_ASKED: Final = ("segment", "categorize_content", "enrich")
#: Frames with a row a site, whose columns group sites too, and the groups by what sites are mostly about.
_FRAMES: Final = ("audiences", "companies")
_MAIN: Final = "main category"
_REST: Final = "rest"
_LISTED: Final = 300
#: How the text of a saved run begins.
_HEAD: Final = b'{"layout": '
_WIDTH: Final = 60


def add_sites(command: argparse.ArgumentParser) -> None:
    """Give a command its list, and the options of asking about it."""
    command.add_argument(
        "input",
        nargs="?",
        default="-",
        metavar="LIST",
        help="a table (.csv, .tsv, .parquet) or a file with a site a line, packed (.gz) or not; or a run that "
        "is kept, by its name, or one that run.save() wrote, of which nothing is asked again; standard input if it "
        "is left out or -",
    )
    command.add_argument("--column", help="the column of a table that holds the sites")
    command.add_argument("--budget", type=whole_number, metavar="CREDITS", help="credits that may be spent in all")
    command.add_argument(
        "--store", metavar="FILE", help="the file that keeps the answers, so that the same command pays only once"
    )


def add_looked_at(command: argparse.ArgumentParser) -> None:
    """Give a command what is looked at beside the answers: groups, weights, an earlier run and a brief."""
    command.add_argument(
        "--groups",
        metavar="COLUMN",
        help="the column that holds the group of each site: any of the table, or of the audiences or companies that "
        "are found, such as audience_type",
    )
    command.add_argument(
        "--weight", metavar="COLUMN", help="the column of the table with what each site counts, such as the spend on it"
    )
    command.add_argument(
        "--before", metavar="SAVED_RUN", help="an earlier run, as run.save() wrote it: what changed since is told"
    )
    command.add_argument(
        "--brief",
        type=listed,
        metavar="CODES",
        help="codes and categories that are wanted, separated by commas, such as INT.PETS.*,Travel: which "
        'are missing is told; one with a comma stands in quotes ("…")',
    )


def looked_at(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_looked_at` was given, as findings and reports take it."""
    options = {name: getattr(arguments, name) for name in ("groups", "weight", "brief")}
    if arguments.before is not None:
        from toolkit.saved import load_run  # noqa: PLC0415 - commands load only what they need

        options["before"] = load_run(arguments.before)
    return options


def listed(text: str) -> list[str]:
    """Read an option of several: what has a comma itself stands in quotes."""
    found = [entry.strip() for entry in next(csv.reader([text], skipinitialspace=True), [])]
    if not all(found) or not found:
        raise argparse.ArgumentTypeError(f"nothing stands before or after a comma in {text!r:.80}")
    return found


@dataclass(frozen=True, slots=True)
class GivenRun:
    """The run of the sites that a command is given, what came of it in lines, and whether nothing failed."""

    run: Answered
    told: tuple[str, ...] = ()
    is_whole: bool = True


@contextmanager
def given_run(arguments: argparse.Namespace) -> Iterator[GivenRun]:
    """Open the run that is kept or was saved, or ask about the list; what can be refused is before that."""
    if _is_saved(arguments.input):
        from toolkit.saved import load_run  # noqa: PLC0415 - commands load only what they need

        _refuse_asking(arguments)
        yield GivenRun(load_run(arguments.input))
    elif arguments.input != "-" and not Path(arguments.input).exists():
        with _kept(arguments) as given:
            yield given
    else:
        _check_table(arguments)
        with _asked(arguments) as given:
            yield given


@contextmanager
def _asked(arguments: argparse.Namespace) -> Iterator[GivenRun]:
    from toolkit.client import Client  # noqa: PLC0415 - commands load only what they need

    with (
        Client() as client,
        client.run(
            arguments.input, _ASKED, column=arguments.column, budget=arguments.budget, store=arguments.store
        ) as run,
    ):
        plan = run.plan()
        if not plan.counts.sites:
            raise InputError(
                f"Nothing in the list is a web address: {plan.counts}. Name a list, or a --column, that holds domains "
                "or URLs."
            )
        say(str(plan).splitlines())
        # Without it there would be no frames of what was paid for.
        client.filters()
        run.start(progress=sys.stderr.isatty())
        yield GivenRun(run, ("", *_told(run, arguments)), _is_whole(run))


@contextmanager
def _kept(arguments: argparse.Namespace) -> Iterator[GivenRun]:
    """Open a run that the project keeps, with what it has answers to."""
    from toolkit.kept import runs  # noqa: PLC0415 - commands load only what they need

    kept = runs()
    if arguments.input not in kept:
        near = nearest_to(arguments.input, kept)
        raise InputError(
            f"There is no file '{shortened(arguments.input, _WIDTH)}', and no run is kept by this name. "
            + (f"Did you mean {', '.join(near)}? " if near else "")
            + "`toolkit runs` lists them."
        )
    _refuse_asking(arguments)
    with kept[arguments.input] as run:
        yield GivenRun(run, (f"kept: {kept.about(arguments.input)}",), _is_whole(run))


def _is_whole(run: Run) -> bool:
    return run.progress.state == "finished" and not run.progress.failed


def _is_saved(name: str) -> bool:
    """Return whether a file is a run that was saved; what cannot be read is told where the list is."""
    if name == "-":
        return False
    try:
        with gzip.open(name) as file:
            return file.read(len(_HEAD)) == _HEAD
    except (OSError, EOFError, zlib.error):
        return False


def _refuse_asking(arguments: argparse.Namespace) -> None:
    for name in ("column", "budget", "store"):
        if getattr(arguments, name) is not None:
            raise InputError(f"--{name} is about asking, and of a saved run nothing is asked. Leave it out.")


def _check_table(arguments: argparse.Namespace) -> None:
    """Refuse what the list does not have, while it costs nothing."""
    is_found = arguments.groups in _found_columns()
    if arguments.input == "-":
        for name in ("column", "weight", *([] if is_found else ["groups"])):
            if getattr(arguments, name):
                raise InputError(
                    f"--{name} is about a table, and standard input has a site a line. Name a table, such as sites.csv."
                )
        return
    if arguments.groups:
        try:
            _check_groups(arguments)
        except InputError:
            # What is found of the sites groups them too, if the table has no such column.
            if not is_found or _has_column(arguments, arguments.groups):
                raise
    if arguments.weight:
        _check_weight(arguments)


def _found_columns() -> set[str]:
    from toolkit.frames.schemas import SCHEMAS  # noqa: PLC0415 - commands load only what they need

    return {_MAIN}.union(*(SCHEMAS[name] for name in _FRAMES))


def _has_column(arguments: argparse.Namespace, column: str) -> bool:
    from toolkit.runs.inputs import open_targets  # noqa: PLC0415 - commands load only what they need

    try:
        open_targets(arguments.input, column)
    except InputError:
        return False
    return True


def _rows(arguments: argparse.Namespace, column: str) -> Iterator[tuple[str, str]]:
    """Yield the sites of a table with their cells of a column; what is no site stands among the failures later."""
    from toolkit.interface.targets import parse_target  # noqa: PLC0415 - commands load only what they need
    from toolkit.runs.inputs import open_targets  # noqa: PLC0415 - as above

    try:
        cells = open_targets(arguments.input, column)
    except InputError as error:
        option = "groups" if column == arguments.groups else "weight"
        raise InputError(str(error).replace("column=", f"{option}=")) from None
    for target, cell in zip(open_targets(arguments.input, arguments.column), cells, strict=True):
        with suppress(TargetError):
            yield parse_target(target).normal, cell.strip()


def _check_groups(arguments: argparse.Namespace) -> None:
    groups = {name for _, name in _rows(arguments, arguments.groups) if name}
    if not groups:
        raise InputError(f"The column {arguments.groups!r} names no group. Choose another, or leave --groups out.")
    baseline = getattr(arguments, "baseline", None)
    if baseline not in {None, _REST, *groups}:
        known = shortened(", ".join(sorted(groups)), _LISTED)
        raise InputError(f"There is no group {baseline!r} for a baseline. Choose from {known}, or take rest.")


def _check_weight(arguments: argparse.Namespace) -> None:
    import pandas as pd  # noqa: PLC0415 - commands load only what they need

    from toolkit.findings.given.weight import weighed  # noqa: PLC0415 - as above

    rows = list(_rows(arguments, arguments.weight))
    sites = pd.Index([site for site, _ in rows], dtype=object)
    weighed(pd.Series([cell for _, cell in rows], index=sites, name=arguments.weight, dtype=object), sites)


def _told(run: Run, arguments: argparse.Namespace) -> list[str]:
    """Return what came of the run, in words."""
    progress = run.progress
    lines = [f"sites: {run.counts()}"]
    if progress.state != "finished":
        advice = "the same command goes on" if arguments.store else "with --store FILE the same command would go on"
        lines.append(f"stopped before the end: {progress.reason}; {advice}")
    return lines
