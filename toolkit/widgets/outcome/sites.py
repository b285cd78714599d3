"""The sites of a run in one grid; a row opens the site's card."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import ipywidgets as ipw

from toolkit.frames.about import normal_of
from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted
from toolkit.reports.contents import Column, Table
from toolkit.reports.parts.sites import sites
from toolkit.reports.parts.unanswered import failed_sites
from toolkit.widgets.keyboard import SAID
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.outcome.bringing import IntoView
from toolkit.widgets.outcome.tables import grid_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit.client import Client
    from toolkit.reports.story import Story
    from toolkit.run import Run

__all__ = ["SitesShown", "site_card", "sites_table"]

_HINT = "Choose a row to see all that is known of a site."


def sites_table(story: Story) -> Table:
    """Return the sites of a run, those without an answer too, as a report tells them; what is no site is left out."""
    found = None if story.view is None else sites(story.view)[0].table
    if found is None:
        failed = failed_sites(story.frames).drop_duplicates("site")
        columns = (Column("site", "Site"), Column("short", "Answer"))
        found = Table("One row a site, in the order of the list", failed, columns, site="site")
    is_site = [normal_of(str(site)) is not None for site in found.frame["site"]]
    return replace(found, frame=found.frame[is_site].reset_index(drop=True))


def site_card(run: Run, site: str, client: Client) -> ipw.Widget:
    """Return the card of a site, or what keeps it from being shown."""
    from toolkit.widgets.site.card import SiteCard  # noqa: PLC0415 - opened by few

    try:
        return SiteCard(run, site, client=client)
    except ToolkitError as error:
        return ipw.HTML(notice(str(error)))


class SitesShown(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """The grid of the sites, the card of the one that was chosen last, and below them what the tab has besides."""

    def __init__(self, story: Story, card: Callable[[str], ipw.Widget], below: ipw.Widget) -> None:
        self._card = card
        table = sites_table(story)
        self._names = table.frame["site"].tolist()
        self.grid = grid_of(table, "sites", self._chosen, ("site", "sites"))
        self._hint = ipw.HTML(_HINT)
        self._hint.add_class(SAID)
        self._place, self._into_view = ipw.VBox(), IntoView()
        super().__init__([self.grid, self._hint, self._into_view, self._place, below])

    def __repr__(self) -> str:
        return f"<SitesShown: {counted(len(self._names), 'site')}>"

    @property
    def card(self) -> ipw.Widget | None:
        """The card that is open; None where none is."""
        return next(iter(self._place.children), None)

    def open_site(self, site: str) -> None:
        """Open the card of a site."""
        self._hint.value = ""
        card = self.card
        if card is not None and hasattr(card, "show"):
            # One card reads the answers once, whatever sites it shows.
            card.show(site)
        else:
            self._place.children = (self._card(site),)
        self._into_view.show()

    def _chosen(self, position: int) -> None:
        self.open_site(self._names[position])
