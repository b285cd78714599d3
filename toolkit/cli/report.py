"""``toolkit report``: from a list of sites to a page, slides or a workbook that says who their audience is."""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from toolkit.cli.run import whole_number
from toolkit.cli.streams import add_quiet, say
from toolkit.interface.errors import InputError, TargetError, nearest_to
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.run import Run

__all__ = ["add_report"]

_FAILED: Final = 1
_ASKED: Final = ("segment", "categorize_content", "enrich")
#: Frames with a row a site, whose columns group sites too, and the groups by what sites are mostly about.
_FRAMES: Final = ("audiences", "companies")
_MAIN: Final = "main category"
_REST: Final = "rest"
_LISTED: Final = 300
#: How the text of a saved run begins.
_HEAD: Final = b'{"layout": '
_WIDTH: Final = 60


def add_report(commands: Any) -> None:
    """Add the command to those of a parser."""
    command = commands.add_parser(
        "report",
        help="a report on the audience of many sites: a page (.html), slides (.pptx) or a workbook (.xlsx)",
        epilog="It asks segment, categorize_content and enrich of each site, three credits a site at least; what "
        "--store has already is not paid again. Everything that can be refused is, before anything is paid for. It "
        "ends with 0 if the report is of all sites that have content, with 1 if something failed or it stopped before "
        "the end: then the report is of what was answered; with 2 if it was called in a wrong way, and with 130 on "
        "Ctrl-C: then there is no report, and one that was there before is as it was.",
    )
    command.add_argument(
        "input",
        nargs="?",
        default="-",
        metavar="LIST",
        help="a table (.csv, .tsv, .parquet) or a file with a site a line, packed (.gz) or not; or a run that "
        "is kept, by its name, or one that run.save() wrote, of which nothing is asked again; standard input if it "
        "is left out or -",
    )
    command.add_argument(
        "-o",
        "--out",
        required=True,
        type=Path,
        metavar="FILE",
        help="the report: a name that ends in .html, .pptx or .xlsx",
    )
    _add_asking(command)
    _add_contents(command)
    _add_looks(command)
    add_quiet(command)
    command.set_defaults(run=_run)


def _add_asking(command: argparse.ArgumentParser) -> None:
    command.add_argument("--column", help="the column of a table that holds the sites")
    command.add_argument("--budget", type=whole_number, metavar="CREDITS", help="credits that may be spent in all")
    command.add_argument(
        "--store", metavar="FILE", help="the file that keeps the answers, so that the same command pays only once"
    )


def _add_contents(command: argparse.ArgumentParser) -> None:
    from toolkit.reports.choice import PARTS  # noqa: PLC0415 - commands load only what they need

    command.add_argument("--title", help="title of the report")
    command.add_argument("--client", default="", metavar="NAME", help="for whom it is")
    command.add_argument(
        "--groups",
        metavar="COLUMN",
        help="the column that holds the group of each site: any of the table, or of the audiences or companies that "
        "are found, such as audience_type",
    )
    command.add_argument(
        "--baseline",
        metavar="NAME",
        help="what groups are compared with: the name of one of them, or rest (default: all sites together)",
    )
    command.add_argument(
        "--weight", metavar="COLUMN", help="the column of the table with what each site counts, such as the spend on it"
    )
    command.add_argument(
        "--before", metavar="SAVED_RUN", help="an earlier run, as run.save() wrote it: the report says what changed"
    )
    command.add_argument(
        "--brief",
        type=_listed,
        metavar="CODES",
        help="codes and categories that are wanted, separated by commas, such as INT.PETS.*,Travel: the report says "
        'which are missing; one with a comma stands in quotes ("…")',
    )
    command.add_argument(
        "--parts",
        type=_parts,
        metavar="NAMES",
        help=f"which parts, in this order, separated by commas (default: {', '.join(PARTS)})",
    )


def _add_looks(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--brand",
        metavar="FILE",
        help="a .toml or .json file with logo (a PNG or JPEG file beside it), colours (one or two, such as #00507D) "
        "and font",
    )
    command.add_argument(
        "--template", type=Path, metavar="FILE.pptx", help="for slides: your own file, whose layouts are used"
    )


def _listed(text: str) -> list[str]:
    """Return what commas separate; what has a comma itself stands in quotes."""
    found = [entry.strip() for entry in next(csv.reader([text], skipinitialspace=True), [])]
    if not all(found) or not found:
        raise argparse.ArgumentTypeError(f"nothing stands before or after a comma in {text!r:.80}")
    return found


def _parts(text: str) -> tuple[str, ...]:
    from toolkit.reports.choice import chosen_parts  # noqa: PLC0415 - commands load only what they need

    try:
        return chosen_parts(_listed(text))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _run(arguments: argparse.Namespace) -> int:
    # Everything that can be refused is, before anything is paid for.
    _check(arguments)
    from toolkit.reports.document import check_place, read_template  # noqa: PLC0415 - commands load only what they need

    check_place(arguments.out)
    read_template(arguments.template, arguments.out)
    options = _options(arguments)
    if _is_saved(arguments.input):
        return _of_saved(arguments, options)
    if arguments.input != "-" and not Path(arguments.input).exists():
        return _of_kept(arguments, options)
    _check_table(arguments)
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
        with _Progress() as told:
            path = run.report(arguments.out, **options, progress=told)
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


def _of_saved(arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    from toolkit.saved import load_run  # noqa: PLC0415 - commands load only what they need

    _refuse_asking(arguments)
    with _Progress() as told:
        path = load_run(arguments.input).report(arguments.out, **options, progress=told)
    say([f"written: {path}"])
    return 0


def _of_kept(arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    """Make the report of a run that the project keeps, of what it has answers to."""
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
    with kept[arguments.input] as run, _Progress() as told:
        path = run.report(arguments.out, **options, progress=told)
        is_whole = run.progress.state == "finished" and not run.progress.failed
    say([f"kept: {kept.about(arguments.input)}", f"written: {path}"])
    return 0 if is_whole else _FAILED


def _refuse_asking(arguments: argparse.Namespace) -> None:
    for name in ("column", "budget", "store"):
        if getattr(arguments, name) is not None:
            raise InputError(f"--{name} is about asking, and of a saved run nothing is asked. Leave it out.")


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the report is asked for, read from its files."""
    names = ("title", "client", "groups", "baseline", "weight", "brief", "parts")
    options = {name: getattr(arguments, name) for name in names}
    if arguments.brand is not None:
        from toolkit.reports.brand_file import read_brand  # noqa: PLC0415 - commands load only what they need

        options["brand"] = read_brand(arguments.brand)
    if arguments.before is not None:
        from toolkit.saved import load_run  # noqa: PLC0415 - as above

        options["before"] = load_run(arguments.before)
    if arguments.template is not None:
        options["template"] = arguments.template
    return options


def _check(arguments: argparse.Namespace) -> None:
    if arguments.baseline and not arguments.groups:
        raise InputError("--baseline is what groups are compared with. Add --groups COLUMN, or leave it out.")
    if arguments.title is not None and not printable(arguments.title).strip():
        raise InputError("--title is empty. Give the report a title, or leave it out for the usual one.")
    if "changes" in (arguments.parts or ()) and arguments.before is None:
        raise InputError("The part 'changes' needs an earlier run. Add --before SAVED_RUN, or leave it out.")
    for name in ("input", "store", "before", "brand", "template"):
        taken = getattr(arguments, name)
        if taken not in {None, "-"} and Path(taken).resolve() == arguments.out.resolve():
            shown = "LIST" if name == "input" else f"--{name}"
            raise InputError(f"-o {arguments.out} would be written over {shown}. Name another file.")


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
    if arguments.baseline not in {None, _REST, *groups}:
        known = shortened(", ".join(sorted(groups)), _LISTED)
        raise InputError(f"There is no group {arguments.baseline!r} for a baseline. Choose from {known}, or take rest.")


def _check_weight(arguments: argparse.Namespace) -> None:
    import pandas as pd  # noqa: PLC0415 - commands load only what they need

    from toolkit.findings.given.weight import weighed  # noqa: PLC0415 - as above

    rows = list(_rows(arguments, arguments.weight))
    sites = pd.Index([site for site, _ in rows], dtype=object)
    weighed(pd.Series([cell for _, cell in rows], index=sites, name=arguments.weight, dtype=object), sites)


class _Progress:
    """Tells a person at a terminal how far the report is, on one line that goes when it is written."""

    def __init__(self) -> None:
        self._is_told = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._show("")

    def __call__(self, done: float, words: str) -> None:
        """Take how far it is, from 0 to 1, and with what."""
        self._show(f"report: {100 * done:3.0f} % {printable(words)}")

    def _show(self, line: str) -> None:
        if self._is_told:
            with suppress(OSError):
                print(f"\r{shortened(line, _WIDTH):<{_WIDTH}}", end="\r", file=sys.stderr, flush=True)


def _told(run: Run, arguments: argparse.Namespace) -> list[str]:
    """Return what came of the run, in words."""
    progress = run.progress
    lines = [f"sites: {run.counts()}"]
    if progress.state != "finished":
        advice = "the same command goes on" if arguments.store else "with --store FILE the same command would go on"
        lines.append(f"stopped before the end: {progress.reason}; {advice}")
    return lines
