"""``toolkit report``: from a list of sites to a page, slides or a workbook that says who their audience is."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from toolkit.cli.sites import add_looked_at, add_sites, given_run, listed, looked_at
from toolkit.cli.streams import add_quiet, say
from toolkit.interface.errors import InputError
from toolkit.interface.text import printable, shortened

__all__ = ["add_report"]

_FAILED: Final = 1
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
    add_sites(command)
    command.add_argument(
        "-o",
        "--out",
        required=True,
        type=Path,
        metavar="FILE",
        help="the report: a name that ends in .html, .pptx or .xlsx",
    )
    _add_contents(command)
    _add_looks(command)
    add_quiet(command)
    command.set_defaults(run=_run)


def _add_contents(command: argparse.ArgumentParser) -> None:
    from toolkit.reports.choice import PARTS  # noqa: PLC0415 - commands load only what they need

    command.add_argument("--title", help="title of the report")
    command.add_argument("--client", default="", metavar="NAME", help="for whom it is")
    add_looked_at(command)
    command.add_argument(
        "--baseline",
        metavar="NAME",
        help="what groups are compared with: the name of one of them, or rest (default: all sites together)",
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


def _parts(text: str) -> tuple[str, ...]:
    from toolkit.reports.choice import chosen_parts  # noqa: PLC0415 - commands load only what they need

    try:
        return chosen_parts(listed(text))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _run(arguments: argparse.Namespace) -> int:
    # Everything that can be refused is, before anything is paid for.
    _check(arguments)
    from toolkit.reports.document import check_place, read_template  # noqa: PLC0415 - commands load only what they need

    check_place(arguments.out)
    read_template(arguments.template, arguments.out)
    options = _options(arguments)
    with given_run(arguments) as given, _Progress() as told:
        path = given.run.report(arguments.out, **options, progress=told)
    say([*given.told, f"written: {path}"])
    return 0 if given.is_whole else _FAILED


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the report is asked for, read from its files."""
    options = {name: getattr(arguments, name) for name in ("title", "client", "baseline", "parts")} | looked_at(
        arguments
    )
    if arguments.brand is not None:
        from toolkit.reports.brand_file import read_brand  # noqa: PLC0415 - commands load only what they need

        options["brand"] = read_brand(arguments.brand)
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
