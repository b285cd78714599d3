"""``toolkit report``: from a list of sites to a page, slides or a workbook that says who their audience is."""

from __future__ import annotations

import gzip
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.cli.run import whole_number
from toolkit.cli.streams import say
from toolkit.interface.errors import InputError, TargetError
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    import argparse

    from toolkit.run import Run

__all__ = ["add_report"]

_FAILED: Final = 1
_ASKED: Final = ("segment", "categorize_content", "enrich")
_REST: Final = "rest"
_LISTED: Final = 300
#: How the text of a saved run begins.
_HEAD: Final = b'{"layout": '


def add_report(commands: Any) -> None:
    """Add the command to those of a parser."""
    command = commands.add_parser(
        "report",
        help="a report on the audience of many sites: a page (.html), slides (.pptx) or a workbook (.xlsx)",
        epilog="It asks segment, categorize_content and enrich of each site, three credits a site at least; what "
        "--store has already is not paid again. It ends with 0 if the report is of all sites that have content, with "
        "1 if something failed or it stopped before the end: then the report is of what was answered.",
    )
    command.add_argument(
        "input",
        nargs="?",
        default="-",
        metavar="LIST",
        help="a table (.csv, .tsv, .parquet) or a file with a site a line, packed (.gz) or not; or a run that "
        "run.save() wrote, of which nothing is asked again; standard input if it is left out or -",
    )
    command.add_argument(
        "-o",
        "--out",
        required=True,
        type=Path,
        metavar="FILE",
        help="the report: a name that ends in .html, .pptx or .xlsx",
    )
    command.add_argument("--title", help="title of the report")
    command.add_argument("--column", help="the column of a table that holds the sites")
    command.add_argument(
        "--groups",
        metavar="COLUMN",
        help="the column of a table that holds the group of each site; of a saved run, of its audiences or companies",
    )
    command.add_argument(
        "--baseline",
        metavar="NAME",
        help="what groups are compared with: the name of one of them, or rest (default: all sites together)",
    )
    command.add_argument("--budget", type=whole_number, metavar="CREDITS", help="credits that may be spent in all")
    command.add_argument(
        "--store", metavar="FILE", help="the file that keeps the answers, so that the same command pays only once"
    )
    command.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    place: Path = arguments.out
    # Everything that can be refused is, before anything is paid for.
    _check(arguments)
    from toolkit.reports.document import check_place, write_report  # noqa: PLC0415 - commands load only what they need

    check_place(place)
    if _is_saved(arguments.input):
        return _of_saved(arguments)
    groups = _groups(arguments)
    from toolkit.client import Client  # noqa: PLC0415 - as above

    with (
        Client() as client,
        client.run(
            arguments.input, _ASKED, column=arguments.column, budget=arguments.budget, store=arguments.store
        ) as run,
    ):
        say(str(run.plan()).splitlines())
        # Without it there would be no frames of what was paid for.
        client.filters()
        run.start(progress=sys.stderr.isatty())
        path = write_report(run, place, title=arguments.title, groups=groups, baseline=arguments.baseline)
        say(["", *_told(run, arguments), f"written: {path}"])
        return 0 if run.progress.state == "finished" and not run.progress.failed else _FAILED


def _is_saved(name: str) -> bool:
    """Return whether a file is a run that was saved; what cannot be read is told where the list is."""
    if name == "-":
        return False
    try:
        with gzip.open(name) as file:
            return file.read(len(_HEAD)) == _HEAD
    except (OSError, EOFError, zlib.error):
        return False


def _of_saved(arguments: argparse.Namespace) -> int:
    from toolkit.reports.document import write_report  # noqa: PLC0415 - commands load only what they need
    from toolkit.saved import load_run  # noqa: PLC0415 - as above

    for name in ("column", "budget", "store"):
        if getattr(arguments, name) is not None:
            raise InputError(f"--{name} is about asking, and of a saved run nothing is asked. Leave it out.")
    options = {"title": arguments.title, "groups": arguments.groups, "baseline": arguments.baseline}
    path = write_report(load_run(arguments.input), arguments.out, **options)
    say([f"written: {path}"])
    return 0


def _check(arguments: argparse.Namespace) -> None:
    if arguments.input == "-":
        for name in ("column", "groups"):
            if getattr(arguments, name):
                raise InputError(
                    f"--{name} is about a table, and standard input has a site a line. Name a table, such as sites.csv."
                )
    if arguments.baseline and not arguments.groups:
        raise InputError("--baseline is what groups are compared with. Add --groups COLUMN, or leave it out.")
    if arguments.title is not None and not printable(arguments.title).strip():
        raise InputError("--title is empty. Give the report a title, or leave it out for the usual one.")
    for name, taken in (("LIST", arguments.input), ("--store", arguments.store)):
        if taken not in {None, "-"} and Path(taken).resolve() == arguments.out.resolve():
            raise InputError(f"-o {arguments.out} would be written over {name}. Name another file.")


def _groups(arguments: argparse.Namespace) -> dict[str, list[str]] | None:
    """Return the sites of each group, by name; sites without one are in none."""
    if not arguments.groups:
        return None
    from toolkit.interface.targets import parse_target  # noqa: PLC0415
    from toolkit.runs.inputs import open_targets  # noqa: PLC0415 - commands load only what they need

    names = open_targets(arguments.input, arguments.groups)
    groups: dict[str, list[str]] = {}
    for target, name in zip(open_targets(arguments.input, arguments.column), names, strict=True):
        # What is no site stands among the failures, and in no group.
        with suppress(TargetError):
            if name.strip():
                groups.setdefault(name.strip(), []).append(parse_target(target).normal)
    if not groups:
        raise InputError(f"The column {arguments.groups!r} names no group. Choose another, or leave --groups out.")
    if arguments.baseline not in {None, _REST, *groups}:
        known = shortened(", ".join(sorted(groups)), _LISTED)
        raise InputError(f"There is no group {arguments.baseline!r} for a baseline. Choose from {known}, or take rest.")
    return {name: groups[name] for name in sorted(groups)}


def _told(run: Run, arguments: argparse.Namespace) -> list[str]:
    """Return what came of the run, in words."""
    progress = run.progress
    lines = [f"answered: {progress.answered + progress.stored:,} of {progress.total:,} questions"]
    if progress.failed:
        lines.append(f"failed: {progress.failed:,}")
    if progress.state != "finished":
        advice = "the same command goes on" if arguments.store else "with --store FILE the same command would go on"
        lines.append(f"stopped before the end: {progress.reason}; {advice}")
    return lines
