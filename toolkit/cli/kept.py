"""``toolkit runs``: the runs of a project, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit.cli.streams import add_format, chosen_format, print_csv, print_json, print_lines, say
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    import argparse

    from toolkit.runs.kept import KeptRun

__all__ = ["add_runs"]

_COLUMNS: Final = ("name", "date", "sites", "answered", "failed", "credits", "bytes", "state")
_GAP: Final = 2


def add_runs(commands: Any) -> None:
    """Add the command to those of a parser."""
    command = commands.add_parser(
        "runs",
        help="the runs that are kept: name, date, sites, credits, state",
        epilog="They stand in the folder that TOOLKIT_RUNS names, else in the nearest .toolkit here or above. "
        "`toolkit findings NAME` says what is worth saying of one, `toolkit report NAME -o report.pptx` makes a report "
        "of it, and nothing is asked again.",
    )
    changes = command.add_mutually_exclusive_group()
    changes.add_argument("--rename", nargs=2, metavar=("OLD", "NEW"), help="give a run another name")
    changes.add_argument("--delete", metavar="NAME", help="delete a run with its answers; it cannot be had again")
    add_format(command)
    command.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from toolkit.kept import runs, size_in_words  # noqa: PLC0415 - commands load only what they need

    kept = runs()
    for name in [arguments.delete] if arguments.delete else (arguments.rename or [])[:1]:
        if name not in kept:
            raise InputError(f"No run is kept as {name!r:.80}. `toolkit runs` lists them.")
    if arguments.delete:
        kept.delete(arguments.delete)
    elif arguments.rename:
        kept.rename(*arguments.rename)
    rows = [_row(run) for run in kept.entries()]
    kind = chosen_format(arguments)
    if kind == "json":
        print_json([dict(zip(_COLUMNS, row, strict=True)) for row in rows])
    elif kind == "csv":
        print_csv(_COLUMNS, rows)
    elif rows:
        titles = ["size" if title == "bytes" else title for title in _COLUMNS]
        shown = [titles, *([*map(str, row[:6]), size_in_words(row[6]), row[7]] for row in rows)]
        widths = [max(map(len, column)) + _GAP for column in zip(*shown, strict=True)]
        print_lines(
            "".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in shown
        )
    if not rows:
        say([f"No run is kept in {kept.path} yet. `toolkit run LIST` makes one."])
    return 0


def _row(run: KeptRun) -> tuple[Any, ...]:
    began = f"{run.begun:%Y-%m-%d %H:%M}"
    return run.name, began, run.sites, run.answered, run.failed, run.credits, run.size, run.state
