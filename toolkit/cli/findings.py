"""``toolkit findings``: all that is worth saying of a list of sites, a line a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit.cli.sites import add_looked_at, add_sites, given_run, looked_at
from toolkit.cli.streams import add_format, add_quiet, chosen_format, print_csv, print_json, print_lines, say

if TYPE_CHECKING:
    import argparse

    from toolkit.found import Findings

__all__ = ["add_findings"]

_FAILED: Final = 1


def add_findings(commands: Any) -> None:
    """Add the command to those of a parser."""
    command = commands.add_parser(
        "findings",
        help="all that is worth saying of many sites, ranked: a line a finding, with what speaks against it",
        epilog="It asks segment, categorize_content and enrich of each site of a list, three credits a site at least; "
        "of a run that is kept or was saved nothing is asked. It ends with 0 if the findings are of all sites that "
        "have content, with 1 if something failed or it stopped before the end: then they are of what was answered.",
    )
    add_sites(command)
    add_looked_at(command)
    add_format(command)
    add_quiet(command)
    command.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    options = looked_at(arguments)
    with given_run(arguments) as given:
        found = given.run.findings(**options)
    say(given.told)
    _print(found, chosen_format(arguments))
    return 0 if given.is_whole else _FAILED


def _print(found: Findings, kind: str) -> None:
    if kind == "json":
        print_json(_rows(found))
    elif kind == "csv":
        sites = found["sites"].map(" ".join)
        print_csv(list(found.columns), [list(row.values()) for row in _rows(found.assign(sites=sites))])
    else:
        print_lines(found.lines())
    if found.empty:
        say(["Nothing is worth saying of these sites: there are few of them, or nothing sets them apart."])


def _rows(found: Findings) -> list[dict[str, Any]]:
    """Return the findings as records, with None for what is missing."""
    plain = found.astype("object")
    return [
        {str(name): value for name, value in row.items()} for row in plain.where(plain.notna(), None).to_dict("records")
    ]
