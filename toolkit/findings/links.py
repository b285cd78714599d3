"""Which personas go with which content: the links between two frames of the same sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.counting import in_both, places
from toolkit.findings.incidence import incidence
from toolkit.frames.about import described
from toolkit.frames.foreign import normal
from toolkit.frames.numbering import numbered_lists
from toolkit.interface.checks import check_columns, check_whole
from toolkit.interface.taxonomy import PATH_SEPARATOR

if TYPE_CHECKING:
    from toolkit.findings.incidence import Incidence

__all__ = ["persona_links"]

_MOST_LINKS: Final = 60


def persona_links(
    codes: pd.DataFrame, categories: pd.DataFrame, taxonomy: str = "content-v3", most: int | None = _MOST_LINKS
) -> pd.DataFrame:
    """Return which personas go with which top categories: how many sites have both.

    Parameters
    ----------
    codes, categories : DataFrame
        Frames of the same sites. Sites that were answered in one of them alone do not count.
    taxonomy : str
        Which taxonomy.
    most : int or None
        At most so many links, those of the most sites; None for all.

    Returns
    -------
    DataFrame
        One row a persona and top category with a site: ``persona``, ``category`` (str), ``sites`` (int64, with both),
        ``persona_sites``, ``category_sites`` (int64, with either) and ``mapped`` (bool, the service maps the persona
        from a path below this category). A site with several personas or categories counts in several links. Most
        sites first, then by name.

    Raises
    ------
    InputError
        If a frame is not what it should be, or ``most`` no number above 0.
    UnknownCodeError
        If the taxonomy is unknown.

    Examples
    --------
    >>> persona = {"target": ["a.example"], "dimension": "persona", "code": "Cook", "group": "Food > Cooking"}
    >>> levels = {"level_1": "Food", "level_2": None, "level_3": None, "level_4": None}
    >>> category = {"target": ["a.example"], "taxonomy": "content-v3", "id": "210", "name": "Food"} | levels
    >>> persona_links(pd.DataFrame(persona), pd.DataFrame(category))[["persona", "category", "sites"]].values.tolist()
    [['Cook', 'Food', 1]]
    """
    most = None if most is None else check_whole(most, "most", 1)
    codes, categories = normal(codes), normal(categories)
    check_columns(codes, ("target", "dimension", "code"), "run.codes()")
    check_columns(categories, ("target", "taxonomy", "id", "level_1"), "run.categories()")
    people, subjects = incidence(codes, dimensions="persona"), incidence(categories, taxonomy=taxonomy)
    failures = [found.every[failed] for found in (people, subjects) for failed in found.failed]
    lists = (people.sites, subjects.sites, *failures)
    (with_codes, with_categories, *failed), every = numbered_lists(lists)
    in_codes, in_categories = in_both(with_codes, with_categories)
    lost = np.zeros(len(every), dtype=bool)
    lost[np.concatenate(failed)] = True
    lost[with_codes] = lost[with_categories] = False
    place, tops = places(subjects.codes["parent"])
    rows = np.flatnonzero(place >= 0)
    above: Any = sparse.coo_array(
        (np.ones(len(rows), dtype=np.int64), (rows, place[rows])), shape=(len(place), len(tops))
    ).tocsr()
    of_category: Any = subjects.has[in_categories].astype(np.int64) @ above
    of_category.data[:] = 1
    of_persona: Any = people.has[in_codes].astype(np.int64)
    both = (of_persona.T @ of_category).tocoo()
    persona, category = both.coords
    names = people.codes["code"].to_numpy(dtype="object")
    top_of = np.array([str(path).split(PATH_SEPARATOR)[0] for path in people.codes["parent"]], dtype="object")
    found = np.asarray(tops, dtype="object")[category]
    result = pd.DataFrame(
        {
            "persona": pd.Series(names[persona], dtype="str"),
            "category": pd.Series(found, dtype="str"),
            "sites": both.data.astype(np.int64),
            "persona_sites": np.bincount(of_persona.indices, minlength=len(names))[persona].astype(np.int64),
            "category_sites": np.bincount(of_category.indices, minlength=len(tops))[category].astype(np.int64),
            "mapped": (top_of[persona] == found).astype(bool),
        }
    )
    result = result.sort_values(["sites", "persona", "category"], ascending=[False, True, True])
    result = result.head(most or len(result)).reset_index(drop=True)
    result.attrs["about"] = _about(people, subjects, sites=len(in_codes), failed=int(lost.sum())) | {
        "taxonomy": taxonomy,
        "links": both.nnz,
    }
    return result


def _about(*read: Incidence, sites: int, failed: int) -> dict[str, Any]:
    """Return what `toolkit.frames.about.about` says of several frames, put together from what is known of each."""
    parts = [found.about for found in read]
    times = [part[name] for part in parts for name in ("first", "last") if part[name]]
    unsure = {"untold": True} if any(part.get("untold") for part in parts) else {}
    return described(sites, failed, times, {version for part in parts for version in part["vocabularies"]}) | unsure
