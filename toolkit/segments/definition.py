"""Audience segments: a readable text that says which sites are wanted, and the sites of a run that match it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from toolkit.findings.statistics.proportions import wilson
from toolkit.interface.errors import InputError
from toolkit.interface.text import definition_table, printable
from toolkit.segments.language import parse_segment
from toolkit.segments.matching import facts_of, possible, satisfied, unknown_fields
from toolkit.segments.reasons import reasons
from toolkit.segments.tree import fits_code, text_of, wanted_categories, wanted_patterns
from toolkit.segments.words import LONGEST_TEXT

if TYPE_CHECKING:
    from os import PathLike
    from typing import Self

    from toolkit.findings.incidence import Targets
    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["Segment"]

_NAME: Final = "# name: "
_VOCABULARY: Final = "# vocabulary: "


class Segment:
    """The sites that are wanted, as a text: see :mod:`toolkit.segments.language` for what it can say.

    Parameters
    ----------
    text : str
        The text.
    vocabulary : Vocabulary, optional
        Checks codes and values, and gives the order of the bands.
    name : str, optional
        Name for tables and files.

    Attributes
    ----------
    text : str
        The segment as the language writes it: the same for the same meaning as far as spelling, capitals, comments,
        identifiers of categories and needless parentheses go. Reading it gives it again.
    tree : node
        What it asks for, as :mod:`toolkit.segments.tree` has it.
    name : str or None
        The name.
    vocabulary : Vocabulary or None
        What it was checked against.

    Notes
    -----
    What is missing satisfies no comparison: ``income_level < high`` and ``income_level != high`` both hold only where
    the level is known, while ``not income_level = high`` also holds where it is not. A field with several values, such
    as ``age_bracket``, satisfies a comparison if any of its values does; ``!=`` and ``not in`` hold where values are
    known and none of them is named. A group such as ``INT.PETS.*`` (or ``INT.PETS``) stands for itself and everything
    in it, a category for itself and everything below it. ``with confidence >= medium`` is not satisfied where the
    confidence is missing.

    Examples
    --------
    >>> from toolkit import Client
    >>> segment = Segment.parse("int.pets.* or (CONTENT-V3 = 483)", Client().filters(), name="Pets and sports")
    >>> segment.text
    'INT.PETS.* or content-v3 = "Sports"'
    """

    def __init__(self, text: str, vocabulary: Vocabulary | None = None, name: str | None = None) -> None:
        if name is not None and not isinstance(name, str):
            raise InputError(f"The name of a segment is text, not {type(name).__name__}.")
        self.tree = parse_segment(text, vocabulary)
        self.text = text_of(self.tree)
        if len(self.text) > LONGEST_TEXT:
            raise InputError(f"The segment's text is longer than {LONGEST_TEXT:,} characters. Split it.")
        self.vocabulary = vocabulary
        self.name = (printable(name).strip() or None) if name is not None else None

    @classmethod
    def parse(cls, text: str, vocabulary: Vocabulary | None = None, name: str | None = None) -> Self:
        """Read a segment.

        Parameters
        ----------
        text : str
            The text.
        vocabulary : Vocabulary, optional
            Codes and values are checked against it.
        name : str, optional
            Name for tables and files.

        Raises
        ------
        InputError
            If the text does not follow the language; the error shows the line and the place.
        UnknownCodeError
            If a code, field, value or category is not known; the error names the nearest.

        Examples
        --------
        >>> Segment.parse("income_level >= middle and not INT.EDUCATION.*")
        <Segment: income_level >= middle and not INT.EDUCATION.*>
        """
        return cls(text, vocabulary, name)

    @classmethod
    def load(cls, path: str | PathLike[str], vocabulary: Vocabulary | None = None) -> Self:
        """Read a segment from a file that `save` wrote, or any text file in UTF-8.

        Parameters
        ----------
        path : path-like
            The file.
        vocabulary : Vocabulary, optional
            Codes and values are checked against it.

        Returns
        -------
        Segment
            With the name of the comment ``# name: …`` if the file begins with one.

        Raises
        ------
        InputError
            If the file cannot be read, or holds no segment.
        """
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError, ValueError, TypeError) as error:
            raise InputError(f"The segment's file {str(path)!r} cannot be read: {error}.") from None
        first = text.split("\n", 1)[0]
        return cls(text, vocabulary, first.removeprefix(_NAME) if first.startswith(_NAME) else None)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the segment as text in UTF-8, its name as a comment above it.

        Parameters
        ----------
        path : path-like
            The file; one that is there is replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        header = f"{_NAME}{self.name}\n" if self.name else ""
        if self.vocabulary is not None and self.vocabulary.version:
            header += f"{_VOCABULARY}{printable(self.vocabulary.version)}\n"
        try:
            file = Path(path)
            file.write_text(f"{header}{self.text}\n", encoding="utf-8", newline="\n")
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"The segment's file {str(path)!r} cannot be written: {error}.") from None
        return file

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Segment{f' {self.name!r}' if self.name else ''}: {printable(self.text)}>"

    def _repr_html_(self) -> str:
        checked = (
            f"known, version {printable(self.vocabulary.version)}".strip()
            if self.vocabulary is not None
            else "not checked"
        )
        return definition_table(self.name or "Segment", [("text", self.text.split("\n")), ("codes", checked)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segment):
            return NotImplemented
        return (self.text, self.name) == (other.text, other.name)

    def __hash__(self) -> int:
        return hash((self.text, self.name))

    @property
    def label(self) -> str:
        """The name, or the text on one line where there is none."""
        return self.name or printable(self.text)

    def match(
        self,
        codes: pd.DataFrame | None = None,
        categories: pd.DataFrame | None = None,
        *,
        vocabulary: Vocabulary | None = None,
        sites: Targets | None = None,
    ) -> pd.DataFrame:
        """Say which sites match, and why.

        Parameters
        ----------
        codes : DataFrame, optional
            Codes frame; not needed if the segment asks for content categories only.
        categories : DataFrame, optional
            Categories frame; needed if the segment asks for content or filtering categories.
        vocabulary : Vocabulary, optional
            Gives the order of the bands; by default the segment's own.
        sites : iterable of str, Series or DataFrame, optional
            The sites that count. By default all that were answered, as the run of the codes frame says, also with
            nothing; or of both frames if the segment asks for nothing but categories. Of frames that are of no run,
            those with a row count, and ``attrs["about"]["untold"]`` is true.

        Returns
        -------
        DataFrame
            One row an answered site, sorted by name: ``site`` (str), ``matches`` (bool), ``may`` (bool: does not match,
            but may, as a field that it is asked for is not known of it) and ``why`` (str: the codes and values that
            decide, or what is missing); without those whose categories were asked for and failed if the
            segment asks for categories. ``attrs["about"]`` says what it is about, and in ``unknown`` which fields are
            not known of how many sites that may match.

        Raises
        ------
        InputError
            If a frame that the segment needs is missing or lacks a column, or the order of a field's values is not
            known.

        Examples
        --------
        >>> from toolkit import Client
        >>> from toolkit.frames.typed import codes
        >>> client = Client()
        >>> frame = codes([client.segment(f"{name}.example") for name in ("torque-journal", "fairway-club")])
        >>> Segment.parse("INT.AUTOMOTIVE.*").match(frame)[["site", "matches"]].values.tolist()
        [['fairway-club.example', False], ['torque-journal.example', True]]
        """
        facts = facts_of([self.tree], codes, categories, vocabulary or self.vocabulary, sites)
        matches = satisfied(self.tree, facts)
        may = possible(self.tree, facts) & ~matches
        found = pd.DataFrame(
            {
                "site": pd.Series(facts.sites, dtype="str"),
                "matches": matches,
                "may": may,
                "why": pd.Series(reasons(self.tree, facts), dtype="str"),
            }
        )
        unknown = unknown_fields(self.tree, facts, may)
        found.attrs["about"] = facts.about | {"segment": self.label, "text": self.text, "unknown": unknown}
        return found

    def sites(
        self,
        codes: pd.DataFrame | None = None,
        categories: pd.DataFrame | None = None,
        *,
        vocabulary: Vocabulary | None = None,
        sites: Targets | None = None,
    ) -> list[str]:
        """Return the sites that match, sorted; parameters and errors as `match`."""
        facts = facts_of([self.tree], codes, categories, vocabulary or self.vocabulary, sites)
        return facts.sites[satisfied(self.tree, facts)].tolist()

    def size(
        self,
        codes: pd.DataFrame | None = None,
        categories: pd.DataFrame | None = None,
        *,
        vocabulary: Vocabulary | None = None,
        sites: Targets | None = None,
        level: float = 0.95,
    ) -> pd.DataFrame:
        """Say how many of the answered sites match.

        Parameters
        ----------
        codes, categories, vocabulary, sites
            As `match`.
        level : float
            Level of the interval.

        Returns
        -------
        DataFrame
            One row: ``segment`` (str: name or text), ``sites`` (int64: those that match), ``may`` (int64: those that do
            not, but may, as a field that they are asked for is not known of them), ``n`` (int64: answered and none of
            these: of so many it is known whether they match), ``share``, ``share_low`` and ``share_high`` (float64: of
            ``n``, with the interval of Wilson 1927; missing where there is none), and ``answered`` (int64). Those that
            match whatever is not known of them, and by ``not`` of what is not known, count as they match.
            ``attrs["about"]["unknown"]`` says which fields are not known of how many that may.

        Raises
        ------
        InputError
            As `match`.
        """
        facts = facts_of([self.tree], codes, categories, vocabulary or self.vocabulary, sites)
        matches = satisfied(self.tree, facts)
        open_sites = possible(self.tree, facts) & ~matches
        matching, may = int(matches.sum()), int(open_sites.sum())
        n = len(facts.sites) - may
        low, high = wilson(np.array([matching]), np.array([n]), level)
        share = [matching / n if n else np.nan]
        found = pd.DataFrame(
            {"segment": pd.Series([self.label], dtype="str"), "sites": [matching], "may": [may], "n": [n]}
        )
        found = found.assign(share=share, share_low=low, share_high=high, answered=len(facts.sites))
        found = found.astype(dict.fromkeys(("sites", "may", "n", "answered"), "int64"))
        unknown = unknown_fields(self.tree, facts, open_sites)
        found.attrs["about"] = facts.about | {"segment": self.label, "text": self.text, "unknown": unknown}
        return found

    def codes(self, vocabulary: Vocabulary | None = None) -> tuple[str, ...]:
        """Return the INT.* and PI.* codes that help a site to match, such as a plan of sites should cover.

        Parameters
        ----------
        vocabulary : Vocabulary, optional
            Says what is in a group; by default the segment's own.

        Returns
        -------
        tuple of str
            In the order of the text, each once. A group or pattern stands for its members, without the group itself
            where it has any; codes behind ``not``, ``none`` and ``at most`` are left out.

        Raises
        ------
        InputError
            If a group is to be resolved and there is no vocabulary.
        """
        known = vocabulary or self.vocabulary
        found: dict[str, None] = {}
        for pattern in dict.fromkeys(wanted_patterns(self.tree)):
            if known is None:
                if "*" in pattern:
                    raise InputError(f"{pattern} cannot be resolved without a vocabulary. Pass client.filters().")
                found[pattern] = None
                continue
            fits = fits_code(pattern)
            fitting = [code for code in known.codes.values() if fits(code.code)]
            members = [code for code in fitting if not code.is_group] or fitting
            found |= dict.fromkeys(code.code for code in members)
        return tuple(found)

    def categories(self) -> tuple[str, ...]:
        """Return the content categories that help a site to match, such as ``"content-v3=Sports > Golf"``."""
        return tuple(dict.fromkeys(wanted_categories(self.tree)))
