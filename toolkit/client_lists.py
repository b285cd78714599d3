"""The blocking client's methods that take lists of any size."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from toolkit.aclient import AsyncClient
    from toolkit.run import Run
    from toolkit.runs.inputs import Source as Targets
    from toolkit.store.answers import Store

__all__ = ["ListMethods"]


class ListMethods:
    """What `Client` asks about many targets at once."""

    @property
    @abstractmethod
    def _twin(self) -> AsyncClient:
        """The same client with coroutines."""

    def run(
        self,
        targets: Targets,
        ask: str | Iterable[str] = ("segment",),
        *,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        column: str | None = None,
        budget: int | None = None,
        prices: Mapping[str, int] | None = None,
        concurrency: int = 50,
        store: Store | str | Path | None = None,
        stale: bool = False,
        refresh: bool = False,
    ) -> Run:
        """Ask about many targets: planned, within a budget, and gone on with after any end.

        Parameters
        ----------
        targets : iterable of str, Series, DataFrame, path, or stream
            Domains or URLs: a list, a column, a CSV, Parquet or text file, or ``"-"`` for standard input. Files are
            read a line at a time.
        ask : str or iterable of str
            Of ``segment``, ``categorize``, ``categorize_content`` and ``enrich``.
        options : mapping of str to mapping, optional
            For a question the keyword arguments of the method: ``{"enrich": {"include": "company"}}``.
        column : str, optional
            The column of a DataFrame or a file.
        budget : int, optional
            Credits that the run may spend: looked at before each send, never exceeded by what answers are known to
            cost.
        prices : mapping of str to int, optional
            Credits that an answer of a question costs at most; by default the most that answers so far stated.
        concurrency : int
            The most requests at a time, up to 1000. The run begins with a few and finds what the service bears.
        store : Store, str or Path, optional
            The file that keeps the answers and the journal; by default the client's, else one that is deleted with
            the run. With a named one the same call goes on after any end, and pays for nothing twice.
        stale : bool
            Whether stored answers of any age are used.
        refresh : bool
            Whether everything is asked anew.

        Returns
        -------
        Run
            Planned with ``plan()``, begun with ``start()``; nothing is sent before.

        Raises
        ------
        InputError
            If an argument cannot work.
        ConfigurationError
            If a base URL or key is missing for a question.
        StoreError
            If the store cannot be used.

        Examples
        --------
        >>> import toolkit as tk
        >>> with tk.Client() as client, client.run(["ledgerline.example", "nowhere.example"], "segment") as run:
        ...     plan = run.plan()
        ...     sites = run.start(progress=False).audiences()
        >>> plan.to_send, sites["status"].tolist()
        (2, [200, 411])
        """
        from toolkit.run import Run  # noqa: PLC0415 - only where a run is made

        return Run(
            self._twin,
            targets,
            ask,
            options=options,
            column=column,
            budget=budget,
            prices=prices,
            concurrency=concurrency,
            store=store,
            stale=stale,
            refresh=refresh,
        )
