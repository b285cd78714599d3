"""Findings of a run that can be asked further: all that is worth saying, a coverage, and a segment over its sites."""

from __future__ import annotations

import ast
from html import escape
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import pandas as pd

from toolkit import findings
from toolkit.frames.records import CATEGORIZED
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, printable, text_block
from toolkit.segments.definition import Segment
from toolkit.segments.export import export_segment
from toolkit.segments.overlaps import segment_overlap
from toolkit.segments.plan import plan_sites
from toolkit.segments.tree import conditions

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import plotly.graph_objects as go

    from toolkit.findings.incidence import Groups
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.segments.plan import SitePlan

__all__ = ["Coverage", "Findings", "RunSegment"]

#: What a finding's table is asked of.
_ASKED: Final = frozenset({"compare", "coverage", "drift", "gaps", "nearest", "shares", "table"})

#: What a reader is shown of a finding. The other columns are for the next step.
_READ: Final = ("rank", "certainty", "sentence", "against")
_CELL: Final = "text-align:left;vertical-align:top;white-space:normal"
_NEXT: Final = "evidence(rank) gives the table behind one, figure(rank) its picture, columns names all that is known"


class Coverage(pd.DataFrame):
    """What of a taxonomy the sites of a run cover: the frame of `toolkit.findings.coverage`, which knows its run.

    Rows or columns of it are plain frames, and are taken by the same functions of `toolkit.findings`.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> covered = sample_run().coverage("content-v3")
    >>> covered.by_tier()[["tier", "nodes", "seen"]].to_numpy().tolist()[0][:2]
    [1, 37]
    """

    _metadata = ["_asked"]  # noqa: RUF012 - pandas adds to a list of its own
    _asked: dict[str, Any]

    @classmethod
    def of(cls, frame: pd.DataFrame, taxonomy: str, **options: Any) -> Coverage:
        """Work out the coverage of a frame."""
        found = findings.coverage(frame, taxonomy, **options)
        itself = cls(found)
        itself.attrs = found.attrs
        object.__setattr__(itself, "_asked", {"frame": frame, "taxonomy": taxonomy} | options)
        return itself

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    def gaps(self) -> pd.DataFrame:
        """Return what no site shows, the largest gaps first; see `toolkit.findings.gaps`."""
        return findings.gaps(self)

    def by_tier(self) -> pd.DataFrame:
        """Return how much of each tier is seen; see `toolkit.findings.coverage_by_tier`."""
        return findings.coverage_by_tier(self)

    def by_group(self) -> pd.DataFrame:
        """Return how much below each top category is seen; see `toolkit.findings.coverage_by_group`."""
        return findings.coverage_by_group(self)

    def concentration(self, *, tier: int | None = None) -> pd.DataFrame:
        """Return whether the sites crowd in a few categories; see `toolkit.findings.concentration`."""
        return findings.concentration(self, tier=tier)

    def accumulation(self, **options: Any) -> pd.DataFrame:
        """Return how many categories ever more sites show; see `toolkit.findings.accumulation`."""
        return findings.accumulation(**self._asked | options)

    def unseen(self, **options: Any) -> pd.DataFrame:
        """Return how many categories no site has shown yet; see `toolkit.findings.unseen`."""
        return findings.unseen(**self._asked | options)

    def plot(self, *, depth: int | None = None) -> go.Figure:  # type: ignore[override] # a coverage has its pictures
        """Draw how much of each main topic is seen; with a depth, as a treemap that shows so many levels at a time.

        See `toolkit.charts.coverage_bars` and `toolkit.charts.coverage_treemap`.
        """
        from toolkit import charts  # noqa: PLC0415 - charts take seconds to load

        return charts.coverage_bars(self) if depth is None else charts.coverage_treemap(self, depth=depth)


class SitesOfRun(Protocol):
    """What a segment needs of a run: its frames, who was answered, and its vocabulary."""

    @property
    def frames(self) -> tuple[str, ...]: ...
    def known_vocabulary(self) -> Vocabulary | None: ...
    def frame(self, name: Any) -> pd.DataFrame: ...
    def sites(self, of: str | None = None) -> pd.DataFrame: ...


class RunOfFindings(SitesOfRun, Protocol):
    """What findings need of a run: its groups and the columns of its table, too."""

    def grouped(self, groups: Groups) -> Groups: ...
    def table_by_target(self) -> pd.DataFrame: ...


class Findings(pd.DataFrame):
    """Everything worth saying of a run's sites: the frame of `toolkit.findings.findings`, which knows its run.

    It is shown as it is read, in a notebook and in a terminal: whole sentences, how certain they are and what speaks
    against them. Rows of it, as of `head`, are findings as well; columns of it are shown as of any frame, but not cut.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> found = sample_run().findings()
    >>> found.evidence(1)["verdict"].eq("over").any()
    np.True_
    >>> found[found["kind"] == "gap"]  # doctest: +ELLIPSIS
    4  a count  7 of the 32 main topics other than sensitive ones are on none of the sites: ...
    <BLANKLINE>
    1 finding; ...
    """

    _metadata = ["_names"]  # noqa: RUF012 - pandas adds to a list of its own
    _names: dict[str, Any]

    @classmethod
    def of(cls, run: RunOfFindings, groups: Groups, weight: str | pd.Series | None, **options: Any) -> Self:
        """Work out the findings of a run; `options` are those of `toolkit.answered.Answered.findings`."""
        for name in ("beside", "before"):
            if options[name] is not None and not hasattr(options[name], "frames"):
                kind = type(options[name]).__name__
                raise InputError(f"{name} must be a run, or one that was saved, not {kind}.")
        members = run.grouped(groups)
        if isinstance(groups, str) and isinstance(members, pd.Series):
            members = members.rename(groups)
        others = {name: None if options[name] is None else _frames(options[name]) for name in ("beside", "before")}
        found = findings.findings(
            _frames(run),
            members,
            weight,
            table=run.table_by_target(),
            brief=options["brief"],
            vocabulary=run.known_vocabulary() if options["brief"] is not None else None,
            **others,
        )
        itself = cls(found)
        itself.attrs = found.attrs
        object.__setattr__(itself, "_names", {"run": run, "groups": groups, "before": options["before"]})
        return itself

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return Findings

    def __repr__(self) -> str:
        if self._is_read:
            return "\n".join([*self.lines()[: self._most], "", f"{self._count}; {_NEXT}"])
        with pd.option_context("display.max_colwidth", None):
            return super().__repr__()

    def _repr_html_(self) -> str | None:
        if not self._is_read:
            with pd.option_context("display.max_colwidth", None):
                return super()._repr_html_()  # type: ignore[misc, no-any-return]
        titles = ("", "Certainty", "Finding", "What speaks against it")
        head = "".join(f"<th style='{_CELL}'>{title}</th>" for title in titles)
        body = "".join(
            "<tr>" + "".join(f"<td style='{_CELL}'>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._rows_read()[: self._most]
        )
        foot = f"<small>{self._count}; {_NEXT}</small>"
        return text_block(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{foot}")

    def lines(self) -> list[str]:
        """Return each finding as a line of text: its rank, how certain it is, its sentence, what speaks against it."""
        rows = self._rows_read()
        widths = [max((len(row[place]) for row in rows), default=0) for place in (0, 1)]
        return [
            f"{rank:>{widths[0]}}  {certainty:<{widths[1]}}  {sentence}"
            + (f" Against it: {against}." if against else "")
            for rank, certainty, sentence, against in rows
        ]

    def evidence(self, rank: int) -> pd.DataFrame:
        """Return the table behind the finding of a rank.

        Raises
        ------
        InputError
            If there is no such rank, or the finding has no table.
        """
        frame: pd.DataFrame = _called(self._call("table", rank), self._names)
        return frame

    def figure(self, rank: int) -> go.Figure:
        """Draw the finding of a rank; its sentence is the title.

        Raises
        ------
        InputError
            If there is no such rank, or the finding has no picture.
        """
        from toolkit import charts  # noqa: PLC0415 - charts take seconds to load
        from toolkit.charts.template import retitled  # noqa: PLC0415

        pictures = {name: getattr(charts, name) for name in charts.__all__}
        figure = _called(self._call("chart", rank), pictures | self._names)
        return retitled(figure, str(self.loc[self["rank"] == rank, "sentence"].iloc[0]))

    @property
    def _is_read(self) -> bool:
        """Whether it has what a reader is shown: columns that are taken alone, or turned, have not."""
        return set(_READ) <= set(self.columns)

    @property
    def _most(self) -> int | None:
        most: int | None = pd.get_option("display.max_rows")
        return most or None

    @property
    def _count(self) -> str:
        shown = self._most
        rest = f", of which {shown:,} are shown" if shown is not None and shown < len(self) else ""
        return counted(len(self), "finding") + rest

    def _rows_read(self) -> list[tuple[str, ...]]:
        rows = pd.DataFrame(self)[list(_READ)].astype("object").itertuples(index=False, name=None)
        return [tuple("" if pd.isna(cell) else printable(str(cell)) for cell in row) for row in rows]

    def _call(self, column: str, rank: int) -> str:
        if not {"rank", "sentence", column} <= set(self.columns):
            raise InputError(
                "These are columns of findings alone. Ask the frame as run.findings() gave it, or rows of it."
            )
        mine = self[self["rank"] == rank]
        if mine.empty:
            raise InputError(f"There is no finding of rank {rank!r}. Ranks go from 1 to {len(self)}.")
        text = mine[column].iloc[0]
        if not isinstance(text, str):
            raise InputError(f"The finding of rank {rank} has no {column}. Its sites stand in the column 'sites'.")
        return text


def _frames(run: SitesOfRun) -> dict[str, pd.DataFrame]:
    return {name: run.frame(name) for name in run.frames if name != "failures"}


def _called(text: str, names: dict[str, Any]) -> Any:
    """Return what a call gives that a finding names: of known names, questions and literals, and nothing else."""

    def value(node: ast.expr) -> Any:
        if isinstance(node, ast.Call):
            options = {str(option.arg): value(option.value) for option in node.keywords}
            return value(node.func)(*map(value, node.args), **options)
        if isinstance(node, ast.Attribute) and node.attr in _ASKED:
            return getattr(value(node.value), node.attr)
        return names[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)

    try:
        return value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, KeyError):
        raise InputError(
            f"{text!r:.80} is no call that a finding names. Pass the frame as run.findings() gave it."
        ) from None


class RunSegment(Segment):
    """A segment over the sites of a run, made by ``run.segment(text)``.

    Parameters
    ----------
    run : Run or SavedRun
        Its vocabulary checks the text; its sites are matched.
    text, name
        As of `Segment`.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> segment = sample_run().segment("any(INT.SPORTS.*, INT.TRAVEL.*)")
    >>> len(segment.plan(most=3))
    3
    """

    def __init__(self, run: SitesOfRun, text: str, name: str | None = None) -> None:
        super().__init__(text, run.known_vocabulary(), name)
        self._run = run

    def match(
        self, codes: pd.DataFrame | None = None, categories: pd.DataFrame | None = None, **options: Any
    ) -> pd.DataFrame:
        """Return one row a site of the run, or of frames: whether it matches, and why; see `Segment.match`."""
        return super().match(**self._given(codes, categories) | options)

    def size(
        self, codes: pd.DataFrame | None = None, categories: pd.DataFrame | None = None, **options: Any
    ) -> pd.DataFrame:
        """Return how many sites match, with an interval; see `Segment.size`."""
        return super().size(**self._given(codes, categories) | options)

    def sites(
        self, codes: pd.DataFrame | None = None, categories: pd.DataFrame | None = None, **options: Any
    ) -> list[str]:
        """Return the sites that match; see `Segment.sites`."""
        return super().sites(**self._given(codes, categories) | options)

    def overlap(self, *others: Segment, **options: Any) -> pd.DataFrame:
        """Return how many sites it shares with other segments; see `toolkit.segments.segment_overlap`."""
        if stray := next((type(one).__name__ for one in others if not isinstance(one, Segment)), ""):
            raise InputError(f"overlap takes segments, not {stray}. Pass run.segment('INT.PETS.*'), for example.")
        return segment_overlap([self, *others], **self._frames() | {"sites": self._answered(*others)} | options)

    def plan(self, **options: Any) -> SitePlan:
        """Return which sites to take, so that together they have the codes it asks for.

        Parameters
        ----------
        **options
            As of `toolkit.segments.plan_sites`: ``most``, ``costs``, ``budget``, ``weights``, ``exact``, ``seconds``.
        """
        frames = self._frames()
        return plan_sites(frames.pop("codes", None), self, **frames | options)

    def export(self, path: str | PathLike[str], *, plan: SitePlan | None = None) -> list[Path]:
        """Write its sites with reasons and its codes with labels as files; see `toolkit.segments.export_segment`."""
        frames = self._frames() | {"sites": self._answered()}
        return export_segment(self, frames.pop("codes", None), path, plan=plan, **frames)

    def _given(self, codes: pd.DataFrame | None, categories: pd.DataFrame | None) -> dict[str, Any]:
        """Return frames that are passed, or else those of the run and who was answered."""
        if codes is None and categories is None:
            return self._frames() | {"sites": self._answered()}
        return {"codes": codes, "categories": categories}

    def _answered(self, *others: Segment) -> pd.DataFrame:
        """Return who was answered by what decides: a segment of categories alone does not wait for codes."""
        subjects = {condition.subject for segment in (self, *others) for condition in conditions(segment.tree)}
        return self._run.sites("codes" if subjects.difference(CATEGORIZED) else "categories")

    def _frames(self) -> dict[str, Any]:
        """Return what the run has answers for."""
        known: dict[str, Any] = {"vocabulary": self.vocabulary}
        return known | {name: self._run.frame(name) for name in ("codes", "categories") if name in self._run.frames}
