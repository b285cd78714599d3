"""What a planner asks of a run: what is so, who is alike, what is safe, how many sites it takes, what moved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import pandas as pd

    from toolkit.findings.given.weight import Weight
    from toolkit.findings.incidence import Groups, Targets
    from toolkit.findings.planning.safety import Rule
    from toolkit.runs.counts import Counts

__all__ = ["Planned"]


class Planned(ABC):
    """The analyses of `toolkit.findings` for planning, over a run's own frames and table."""

    @property
    @abstractmethod
    def frames(self) -> tuple[str, ...]:
        """Names of the frames that the run can give."""

    @abstractmethod
    def counts(self) -> Counts:
        """Return how many sites the run has and what came of them, as every surface says it."""

    @abstractmethod
    def codes(self) -> pd.DataFrame:
        """Return the codes frame."""

    @abstractmethod
    def categories(self) -> pd.DataFrame:
        """Return the categories frame."""

    @abstractmethod
    def shares(self, of: str | None = None, **options: Any) -> pd.DataFrame:
        """Return the shares of codes."""

    @abstractmethod
    def grouped(self, groups: Groups) -> Groups:
        """Return groups with their sites, where a text names a column."""

    @abstractmethod
    def _grouped_among(self, groups: Groups) -> pd.Index | None:
        """Return the sites of which it is known in which group they are; None of all."""

    @abstractmethod
    def _columns(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return options of a finding with the columns that a weight, or what belongs together, names."""

    @abstractmethod
    def _of(self, of: str | None) -> tuple[pd.DataFrame, str, dict[str, str]]:
        """Return a frame, the name of the part of it that a finding is about, and what cuts the frame to that."""

    def corrected_shares(
        self,
        labels: pd.DataFrame | pd.Series,
        groups: Groups = None,
        baseline: str | None = None,
        *,
        of: str | None = None,
        **options: Any,
    ) -> pd.DataFrame:
        """Return shares as if the service never erred, by labelled sites; see `toolkit.findings.corrected_shares`."""
        from toolkit.findings import corrected_shares  # noqa: PLC0415 - statistics, where they are wanted

        frame, _, cut = self._of(of)
        known = {"among": self._grouped_among(groups)}
        return corrected_shares(frame, labels, self.grouped(groups), baseline, **cut | known | self._columns(options))

    def expected_shares(self, taxonomy: str = "content-v3", groups: Groups = None, **options: Any) -> pd.DataFrame:
        """Return on how many sites categories are expected to be right; see `toolkit.findings.expected_shares`."""
        from toolkit.findings import expected_shares  # noqa: PLC0415 - statistics, where they are wanted

        return expected_shares(self.categories(), self.grouped(groups), taxonomy=taxonomy, **options)

    def lookalikes(self, seeds: Targets, *, of: str | None = None, **options: Any) -> pd.DataFrame:
        """Rank the other sites by how much they are like some seeds; see `toolkit.findings.lookalikes`.

        Parameters
        ----------
        seeds : iterable of str, Series or DataFrame
            The sites that others should be like.
        of : {"codes", "categories", "content-v3", "content-v2", "filtering"}, optional
            By what; by default by codes and content-v3 together, as far as the run asked for them.
        **options
            As of `toolkit.findings.lookalikes`.

        Returns
        -------
        DataFrame
            One row a site; ``attrs["about"]["says"]`` says whether the order can be believed.

        Examples
        --------
        >>> from toolkit import sample_run
        >>> found = sample_run().lookalikes(
        ...     ["harvest-table.example", "brauhaus-kessel.example", "torque-journal.example"]
        ... )
        >>> len(found), found.attrs["about"]["seeds"]
        (59, 3)
        """
        from toolkit.findings import lookalikes  # noqa: PLC0415 - statistics, where they are wanted

        return self._alike(lookalikes, seeds, of, options)

    def lookalike_codes(self, seeds: Targets, *, of: str | None = None, **options: Any) -> pd.DataFrame:
        """Say what each code weighs in `lookalikes`; see `toolkit.findings.lookalike_codes`."""
        from toolkit.findings import lookalike_codes  # noqa: PLC0415 - statistics, where they are wanted

        return self._alike(lookalike_codes, seeds, of, options)

    def lookalike_quality(self, seeds: Targets, *, of: str | None = None, **options: Any) -> pd.DataFrame:
        """Say how well held-out seeds are found again; see `toolkit.findings.lookalike_quality`."""
        from toolkit.findings import lookalike_quality  # noqa: PLC0415 - statistics, where they are wanted

        return self._alike(lookalike_quality, seeds, of, options)

    def brand_safety(
        self, rules: Mapping[str, Rule] | None = None, *, weight: str | Weight | None = None, **options: Any
    ) -> pd.DataFrame:
        """Say what rules over categories block, and how often they err; see `toolkit.findings.brand_safety`.

        Parameters
        ----------
        rules : mapping of str to rule, optional
            By default `toolkit.findings.sensitive_rules`.
        weight : str, mapping or Series, optional
            What each site counts: a column of `table`, such as ``"Spend"``, or numbers by target.
        **options
            As of `toolkit.findings.brand_safety`: ``confidence``, ``level``.

        Returns
        -------
        DataFrame
            One row a rule, and all rules together.

        Examples
        --------
        >>> from toolkit import sample_run
        >>> sample_run().brand_safety({"politics": ["Politics", "filtering: Politics"]})["blocked"].tolist()
        [1, 1]
        """
        from toolkit.findings import brand_safety  # noqa: PLC0415 - statistics, where they are wanted

        return brand_safety(self.categories(), rules, weight=self._weighed(weight), **options)

    def blocked_sites(
        self, rules: Mapping[str, Rule] | None = None, *, weight: str | Weight | None = None, **options: Any
    ) -> pd.DataFrame:
        """Return the sites that rules block, with the reason; see `toolkit.findings.blocked_sites`."""
        from toolkit.findings import blocked_sites  # noqa: PLC0415 - statistics, where they are wanted

        return blocked_sites(self.categories(), rules, weight=self._weighed(weight), **options)

    def sites_needed(self, base_share: Any, index: Any, groups: int = 2, **options: Any) -> pd.DataFrame:
        """Say how many sites a group needs, if all codes of this run are compared; see `toolkit.findings.sites_needed`.

        Parameters
        ----------
        base_share, index, groups
            As of `toolkit.findings.sites_needed`.
        **options
            As there; ``family`` is by default the shares of the run's codes.

        Returns
        -------
        DataFrame
            One row a base share and index.
        """
        from toolkit.findings import sites_needed  # noqa: PLC0415 - statistics, where they are wanted

        family = options.pop("family", None)
        return sites_needed(base_share, index, groups, self.shares() if family is None else family, **options)

    def trend(
        self, earlier: Iterable[Planned], *, repeat: Planned | None = None, of: str | None = None, **options: Any
    ) -> pd.DataFrame:
        """Return the share of each code over earlier runs and this one; see `toolkit.findings.trend`.

        Parameters
        ----------
        earlier : iterable of Run or SavedRun
            Two or more runs, of other days than this one and each other: of the day of their last answer.
        repeat : Run or SavedRun, optional
            A second run on the day of the last one, which tells noise from change.
        of : {"codes", "categories", "content-v3", "content-v2", "filtering"}, optional
            Of what; by default codes where the run asked for them, else categories.
        **options
            As of `toolkit.findings.trend`.

        Returns
        -------
        DataFrame
            One row a code and date.
        """
        from toolkit.findings import trend  # noqa: PLC0415 - statistics, where they are wanted

        return self._over_time(trend, earlier, repeat, of, options)

    def trend_changes(
        self, earlier: Iterable[Planned], *, repeat: Planned | None = None, of: str | None = None, **options: Any
    ) -> pd.DataFrame:
        """Say when the same sites gained or lost codes; see `trend` and `toolkit.findings.trend_changes`."""
        from toolkit.findings import trend_changes  # noqa: PLC0415 - statistics, where they are wanted

        return self._over_time(trend_changes, earlier, repeat, of, options)

    def _alike(
        self, finding: Callable[..., pd.DataFrame], seeds: Targets, of: str | None, options: dict[str, Any]
    ) -> pd.DataFrame:
        if of is not None or not {"codes", "categories"} <= set(self.frames):
            frame, _, cut = self._of(of)
            return finding(frame, seeds, **cut | options)
        return finding([self.codes(), self.categories()], seeds, **{"taxonomy": "content-v3"} | options)

    def _weighed(self, weight: Any) -> Any:
        return self.grouped(weight) if isinstance(weight, str) else weight

    def _over_time(
        self,
        finding: Callable[..., pd.DataFrame],
        earlier: Iterable[Planned],
        repeat: Planned | None,
        of: str | None,
        options: dict[str, Any],
    ) -> pd.DataFrame:
        from toolkit.frames.about import about  # noqa: PLC0415 - pandas, where a frame is made

        given = [earlier] if isinstance(earlier, Planned) else list(earlier)
        for run in [*given, *([] if repeat is None else [repeat])]:
            if not isinstance(run, Planned):
                raise InputError(
                    f"A trend is of runs, not of {type(run).__name__}. Pass runs, or frames by date to "
                    "toolkit.findings.trend."
                )
        latest, part, cut = self._of(of)
        dated: dict[str, pd.DataFrame] = {}
        for frame in (*(run._of(part)[0] for run in given), latest):  # noqa: SLF001 - its own kind
            day = about(frame)["last"]
            if day is None:
                raise InputError("A run has no answer, and so no date. Leave it out of the trend.")
            if day in dated:
                raise InputError(
                    f"Two runs are of {day}. Pass one of them as repeat=…, or frames by date to toolkit.findings.trend."
                )
            dated[day] = frame
        again = None if repeat is None else repeat._of(part)[0]  # noqa: SLF001 - its own kind
        return finding(dated, repeat=again, **cut | options)
