"""Which sites are pages of one registrable domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from toolkit.interface.errors import TargetError
from toolkit.interface.targets import parse_target

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["domain_numbers"]


def domain_numbers(sites: pd.Index) -> NDArray[np.int64]:
    """Return the number of each site's registrable domain; what has none is a domain of its own.

    >>> domain_numbers(pd.Index(["a.example/1", "b.example", "shop.a.example"])).tolist()
    [0, 1, 0]
    """
    found = []
    for site in sites:
        try:
            target = parse_target(site)
        except TargetError:
            found.append(site)
        else:
            found.append(target.registrable or target.domain)
    number: NDArray[np.int64] = pd.factorize(pd.Index(found, dtype="str"))[0]
    return number
