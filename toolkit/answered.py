"""What can be found in the answers of a run, at hand or saved, and told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit.framed import INPUT, Framed
from toolkit.frames.records import CATEGORIZED
from toolkit.interface.checks import check_once
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime
    from pathlib import Path

    import pandas as pd

    from toolkit.findings.incidence import Groups
    from toolkit.found import Coverage, Findings, RunSegment
    from toolkit.frames.records import FrameName

__all__ = ["Answered"]

#: What is compared besides codes and categories.
_FACTS: Final = ("technologies", "companies", "table")
#: What can stand for a column.
_GIVEN: Final = {"group": "groups as lists of targets by name", "weigh": "numbers as a Series indexed by target"}


class Answered(Framed):
    """What `Run` and `SavedRun` have in common: what can be found in their answers, and told.

    Each finding counts who was answered by the questions that it is about, also the sites whose answers are empty.
    """

    def compare(
        self, groups: Groups = None, baseline: Any = None, *, of: str | None = None, **options: Any
    ) -> pd.DataFrame:
        """Say which codes or categories groups of the sites have more or less often; see `toolkit.findings.compare`.

        Parameters
        ----------
        groups : str, mapping, Series or DataFrame
            A column of `table`, or of the audiences or companies, by name; or groups as `toolkit.findings.compare`
            takes them.
        baseline : str, iterable of str, DataFrame or run, optional
            What groups are compared with; by default all sites together. Another run brings its own sites.
        of : {"codes", "categories", "content-v3", "content-v2", "filtering", "technologies", "companies", "table"}, \
optional
            Of what; by default codes where the run asked for them, else categories. Of companies and of the run's own
            table, what several sites can have in common.
        **options
            As of `toolkit.findings.compare`: ``dimensions``, ``level``, …; ``cluster`` and ``weight`` may name columns.

        Returns
        -------
        DataFrame
            One row a group and code. Where groups are by a field, sites of which it is not known are no others, and
            ``attrs["about"]["grouped_by"]`` names it, so that pictures call the groups as reports do. Its own values,
            which all or none of a group have, are no rows and no tests, unless `dimensions` asks for them.

        Examples
        --------
        >>> from toolkit import sample_run
        >>> sample_run().compare("audience_type").attrs["about"]["sites"]
        62
        """
        from toolkit.findings import compare  # noqa: PLC0415 - statistics, where they are wanted

        frame, _, cut = self._of(of)
        if isinstance(groups, str) and "dimensions" not in options:
            frame = _without(frame, groups)
        grouped = {"among": self._grouped_among(groups)}
        found = compare(frame, self.grouped(groups), baseline, **cut | grouped | self._columns(options))
        if isinstance(groups, str):
            # For pictures: what sites of a group are called.
            found.attrs["about"]["grouped_by"] = groups
        return found

    def findings(
        self,
        groups: Groups = None,
        weight: str | pd.Series | None = None,
        *,
        brief: Iterable[str] | None = None,
        beside: Answered | None = None,
        before: Answered | None = None,
    ) -> Findings:
        """Say everything worth saying of the sites, the strongest first; see `toolkit.findings.findings`.

        Parameters
        ----------
        groups : str, mapping, Series or DataFrame, optional
            As of `compare`; by default columns of `table` that make groups, kinds of audience and main categories.
        weight : str or Series, optional
            What a site counts, such as ``"Spend"``: a column of `table`, or numbers indexed by target.
        brief : iterable of str, optional
            Codes and categories that are wanted, such as ``["INT.PETS.*", "Travel"]``: those that are missing are told.
        beside : run, optional
            Another list, such as the competitors': what this one lacks beside it.
        before : run, optional
            An earlier run: what changed since.

        Returns
        -------
        Findings
            A frame with one row a finding, which also gives ``evidence(rank)``, its table, and ``figure(rank)``.

        Examples
        --------
        >>> from toolkit import sample_run
        >>> found = sample_run().findings()
        >>> found["sentence"].iloc[0].partition(":")[0]
        'All 7 shop listings whose business model is known live by e-commerce, against 1 of the 19 others.'
        """
        from toolkit.found import Findings  # noqa: PLC0415 - statistics, where they are wanted

        return Findings.of(self, groups, weight, brief=brief, beside=beside, before=before)

    def coverage(self, taxonomy: str = "content-v3", **options: Any) -> Coverage:
        """Say what of a taxonomy the sites cover; see `toolkit.findings.coverage`.

        Parameters
        ----------
        taxonomy : str
            ``content-v3``, ``content-v2``, ``interest`` or ``purchase_intent``.
        **options
            As of `toolkit.findings.coverage`: ``threshold``, ``weight``, which may name a column as for `shares`.

        Returns
        -------
        Coverage
            A frame with one row a category, which also gives ``gaps()``, ``unseen()``, ``plot()`` and more.

        Examples
        --------
        >>> from toolkit import sample_run
        >>> sample_run().coverage("content-v3").attrs["about"]["sites"]
        62
        """
        from toolkit.found import Coverage  # noqa: PLC0415 - statistics, where they are wanted

        frame, part, _ = self._of(taxonomy if taxonomy in CATEGORIZED else "codes")
        vocabulary = None if part in CATEGORIZED else self.vocabulary
        return Coverage.of(frame, taxonomy, **{"vocabulary": vocabulary} | self._columns(options))

    def segment(self, text: str, name: str | None = None) -> RunSegment:
        """Read a segment, checked against the run's vocabulary, and say which of its sites match.

        Parameters
        ----------
        text : str
            Which sites are wanted, in the language of segments.
        name : str, optional
            Name for tables and files.

        Returns
        -------
        RunSegment
            The segment over this run: ``match()``, ``size()``, ``plan(most=5)``, ``export("segment.xlsx")``.

        Raises
        ------
        InputError, UnknownCodeError
            If the text does not follow the language, or names what there is not.

        Examples
        --------
        >>> from toolkit import sample_run
        >>> segment = sample_run().segment("INT.PETS.* and income_level >= middle")
        >>> segment.match()["matches"].sum() > 0
        np.True_
        """
        from toolkit.found import RunSegment  # noqa: PLC0415 - statistics, where they are wanted

        return RunSegment(self, text, name)

    def shares(self, of: str | None = None, **options: Any) -> pd.DataFrame:
        """Say which part of the sites has each code, category or technology; see `toolkit.findings.shares`.

        Parameters
        ----------
        of : {"codes", "categories", "content-v3", "content-v2", "filtering", "technologies", "companies", "table"}, \
optional
            Of what; by default codes where the run asked for them, else categories.
        **options
            As of `toolkit.findings.shares` or `toolkit.findings.technology_shares`; ``cluster`` and ``weight`` may name
            a column of `table`, or of the audiences or companies, such as ``weight="Spend"``, here as in `compare`,
            `coverage` and (``cluster``) `drift`.

        Examples
        --------
        >>> from toolkit import sample_run
        >>> sample_run().shares(dimensions="audience_type", weight="interests")["weighted_share"].round(2).tolist()
        [0.89, 0.11]
        """
        from toolkit.findings import shares, technology_shares  # noqa: PLC0415 - statistics, where they are wanted

        if of == "technologies":
            return technology_shares(self.technologies(), **self._columns(options))
        frame, _, cut = self._of(of)
        return shares(frame, **cut | self._columns(options))

    def nearest(self, site_or_profile: Any, *, of: str | None = None, **options: Any) -> pd.DataFrame:
        """Return the sites most like one of them, or like a profile; see `toolkit.findings.nearest`."""
        from toolkit.findings import nearest  # noqa: PLC0415 - statistics, where they are wanted

        frame, _, cut = self._of(of)
        return nearest(frame, site_or_profile, **cut | options)

    def overlap(self, groups: Groups) -> pd.DataFrame:
        """Say how many sites groups share; see `toolkit.findings.overlap`, and `compare` for the groups."""
        import pandas as pd  # noqa: PLC0415 - where a frame is made

        from toolkit.findings import overlap  # noqa: PLC0415 - statistics, where they are wanted
        from toolkit.frames.about import with_dates  # noqa: PLC0415 - pandas, where a frame is made

        members = self.grouped(groups)
        if members is None:
            raise InputError("Which groups are to be held against each other? Pass the name of a column, or lists.")
        sites = self.sites()
        if isinstance(groups, str) and isinstance(members, pd.Series):
            # A row of the table that is no target is in no group, and no reason to raise.
            members = members[members.index.isin(sites.loc[sites["normal"].notna(), "target"])]
        answers = (record for record in self._records(self.asked) if record.is_answer)
        found = overlap(members, sites, among=self._grouped_among(groups))
        return with_dates(found, (one.fetched_at for one in answers if one.fetched_at is not None))

    def drift(self, other: Answered, *, of: str | None = None, **options: Any) -> pd.DataFrame:
        """Say what changed from an earlier run, `other`, to this one, and why; see `toolkit.findings.drift`."""
        from toolkit.findings import drift  # noqa: PLC0415 - statistics, where they are wanted

        if not isinstance(other, Answered):
            raise InputError(f"other must be a run, or one that was saved, not {type(other).__name__}.")
        later, part, cut = self._of(of)
        earlier, *_ = other._of(part)
        known: dict[str, Any] = {}
        if part == "codes":
            known = {"earlier_vocabulary": other.vocabulary, "later_vocabulary": self.vocabulary}
        return drift(earlier, later, **known | cut | self._columns(options))

    def grouped(self, groups: Groups) -> Groups:
        """Return groups with their sites, where a text names a column of `table`, the audiences or the companies.

        Raises
        ------
        InputError
            If a text is no such column.
        """
        return self._column(groups, "group") if isinstance(groups, str) else groups

    def _grouped_among(self, groups: Groups) -> pd.Index | None:
        """Return the sites of which it is known in which group they are, where groups are of a field; None of all."""
        from toolkit.findings.given.groups import among  # noqa: PLC0415 - statistics, where they are wanted

        return among(groups, self, getattr(self._own_table(), "columns", ()))

    def _columns(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return options of a finding with the columns that a weight, or what belongs together, names."""
        from toolkit.findings.given.clustering import AUTO, DOMAIN  # noqa: PLC0415 - statistics, where they are wanted

        weight, cluster = options.get("weight"), options.get("cluster")
        if isinstance(weight, str):
            options = options | {"weight": self._column(weight, "weigh")}
        if isinstance(cluster, str) and cluster not in {AUTO, DOMAIN}:
            options = options | {"cluster": self._column(cluster, "group").rename(cluster)}
        return options

    def _column(self, groups: str, verb: str) -> pd.Series:
        """Return a column of `table`, the audiences or the companies by target, or say that there is none to do so."""
        import pandas as pd  # noqa: PLC0415 - where a frame is made

        from toolkit.frames.about import stripped  # noqa: PLC0415 - pandas, where a frame is made

        own = self._own_table()
        titles = [INPUT] if own is None else list(own.columns)
        if titles.count(groups) == 1:
            return stripped(self.table_by_target()[groups].rename(groups)).dropna()
        check_once(titles, groups, verb, "The run's table")
        names: tuple[FrameName, ...] = ("audiences", "companies")
        for name in names:
            if name in self.frames and groups in (frame := self.frame(name)).columns:
                good = frame[frame["error"].isna()]
                return pd.Series(good[groups].array, index=pd.Index(good["target"]), name=groups).dropna()
        if groups == "main category" and "categories" in self.frames:
            from toolkit.findings.insights.groups import top_categories  # noqa: PLC0415 - statistics

            return top_categories(self.categories())
        columns = map(str, [*titles, *(title for name in names if name in self.frames for title in self.frame(name))])
        listed = ", ".join(nearest_to(groups, dict.fromkeys(columns)))
        raise InputError(
            f"Neither the run's table nor a frame with a row a site has a column {groups!r} to {verb} by."
            f"{f' Nearest: {listed}.' if listed else ''} Pass one of run.table, run.audiences() or run.companies(), or "
            f"{_GIVEN[verb]}."
        )

    def _of(self, of: str | None) -> tuple[pd.DataFrame, str, dict[str, str]]:
        """Return a frame, the name of the part of it that a finding is about, and what cuts the frame to that."""
        part = of or ("codes" if "codes" in self.frames else "categories")
        if part in _FACTS:
            return self._facts(part), part, {}
        if part not in {"codes", "categories", *CATEGORIZED}:
            raise InputError(f"of must be codes, categories, {', '.join((*CATEGORIZED, *_FACTS))}, not {part!r}.")
        frame = self.codes() if part == "codes" else self.categories()
        return frame, part, {"taxonomy": part} if part in CATEGORIZED else {}

    def _facts(self, part: str) -> pd.DataFrame:
        """Return technologies, facts of companies or the run's own columns as a codes frame."""
        from toolkit.findings.insights import facts  # noqa: PLC0415 - statistics, where they are wanted

        if part == "technologies":
            return facts.technology_codes(self.technologies())
        return facts.company_codes(self.companies()) if part == "companies" else facts.own_codes(self.table_by_target())

    # Documents ----------------------------------------------------------------------------------------------------

    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        client: str = "",
        groups: Groups = None,
        baseline: Any = None,
        weight: str | pd.Series | None = None,
        before: Answered | None = None,
        brief: Iterable[str] | None = None,
        parts: Iterable[str] | None = None,
        proofs: Iterable[str] | None = None,
        brand: Any = None,
        template: str | Path | None = None,
        at: datetime | None = None,
        progress: Callable[[float, str], object] | None = None,
    ) -> Path:
        """Write a report of the run: the answer, its proofs, what to do, and the evidence behind.

        Parameters
        ----------
        path : str or Path
            Ends in ``.html`` (a page), ``.pptx`` (a deck) or ``.xlsx`` (a workbook). A file that is there is replaced.
        title, client : str, optional
            By default "Audience report" and the number of sites, and for nobody by name.
        groups : str, mapping, Series or DataFrame, optional
            Groups of sites to compare, as of `compare`: any column of `table`, by name. None compares nothing.
        baseline : str, iterable of str or DataFrame, optional
            What groups are compared with, as of `compare`.
        weight : str or Series, optional
            What a site counts, such as ``"Spend"``: a column of `table`, or numbers indexed by target.
        before : run, optional
            An earlier run: the report says what changed since, and is real.
        brief : iterable of str, optional
            Codes and categories that are wanted, as of `findings`: those that are missing are told.
        parts : iterable of str, optional
            Which parts, in their order, as of `toolkit.reports.document.write_report`; by default all.
        proofs : iterable of str, optional
            One to three sentences of ``run.findings()["sentence"]`` to tell first; by default the strongest.
        brand : mapping or toolkit.reports.brand.Brand, optional
            ``logo`` (a PNG or JPEG file, or its bytes), ``colours`` (one or two) and ``font``.
        template : str or Path, optional
            Of a deck: a ``.pptx`` file whose layouts, fonts and colours are used.
        at : datetime, optional
            When the report is of; by default the time of the latest answer.
        progress : callable, optional
            Called with how much is done, from 0 to 1, and in words. What it raises ends the making, without a file.

        Returns
        -------
        Path
            The file. The same answers and options give the same bytes.

        Raises
        ------
        InputError
            If an argument is refused, the file cannot be written, or the answers hold nothing to report.
        ConfigurationError
            If a package that writes the format is not installed.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from toolkit import sample_run
        >>> with TemporaryDirectory() as folder:
        ...     made = sample_run().report(f"{folder}/sites.xlsx", groups="audience_type", parts=["answer", "sites"])
        ...     made.name, made.stat().st_size > 10_000
        ('sites.xlsx', True)
        """
        from toolkit.reports import write_report  # noqa: PLC0415 - writers take seconds to load

        options = self._columns({"weight": weight, "baseline": baseline, "before": before, "brief": brief})
        looks = {"parts": parts, "proofs": proofs, "brand": brand, "template": template, "at": at, "progress": progress}
        return write_report(self, path, title=title, client=client, groups=groups, **options, **looks)

    def save(self, path: str | Path) -> Path:
        """Write the run's answers to one file, for `toolkit.load_run`: to hand over, or to keep with a report.

        Parameters
        ----------
        path : str or Path
            Where to; a file that is there is replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            If the path is no name of a file, is a folder or a device, or cannot be written.
        """
        from toolkit.runs.saving import write_run  # noqa: PLC0415 - only where a run is saved

        known = self.known_vocabulary()
        filters = None if known is None else known.raw
        head = {"asked": list(self.asked), "legacy": self.is_legacy, "filters": filters}
        return write_run(path, self._records(self.asked), head, self._own_table())


def _without(frame: pd.DataFrame, field: str) -> pd.DataFrame:
    """Return a frame without the values of a field by which its sites are grouped, if it has others."""
    if "dimension" not in frame:
        return frame
    from toolkit.frames.schemas import FACTS  # noqa: PLC0415 - pandas, where a frame is cut

    others = frame[frame["dimension"].ne(FACTS.get(field, field))]
    return others if others["dimension"].notna().any() else frame
