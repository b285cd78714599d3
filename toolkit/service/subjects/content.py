"""Content categories and web-filtering categories of a page or text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.service.knowledge.arithmetic import one_thread
from toolkit.service.knowledge.compiled import content_matcher, load_matcher, load_siblings
from toolkit.service.knowledge.entries import MATCHERS, listed
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.subjects.examples import belief_of, likened, near_shares
from toolkit.service.subjects.firms import speaking_to_firms
from toolkit.service.subjects.frames import frame_of
from toolkit.service.subjects.hierarchy import load_hierarchy
from toolkit.service.subjects.needs import JOURNEYS, other_sexes, tells_of_journeys, unsaid
from toolkit.service.subjects.notices import is_notice, stands_before_site
from toolkit.service.subjects.parts import page_parts, translated_share
from toolkit.service.subjects.programs import DOCUMENTED, programming
from toolkit.service.subjects.stories import telling
from toolkit.service.subjects.things import Thing, is_sold_to_firms, naming, thing_of
from toolkit.service.subjects.translation import is_translated
from toolkit.service.subjects.wording import SETTINGS_OF_DEATH, SETTINGS_OF_HARM, reports_harm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.service.knowledge.matching import Matcher
    from toolkit.service.knowledge.siblings import Siblings
    from toolkit.service.pages.parsed import Page

Version = Literal["content-v3", "content-v2"]

__all__ = [
    "ContentResult",
    "Scored",
    "bar_of_category",
    "branch_scores",
    "category_path",
    "classify",
    "confidences",
    "content_matcher",
    "decided",
    "filtering_matcher",
    "filtering_names",
    "forms",
    "framed",
    "is_divided",
    "is_doubted",
    "label_forms",
    "label_scores",
    "lineage",
    "page_scores",
    "score",
    "siblings",
]

#: How sharply scores of the filtering categories become shares.
_TEMPERATURE: Final = 0.1
#: A best score of this size means the page speaks of something the taxonomy knows; far below it means of nothing.
_SUPPORTED: Final = 0.24
_SUPPORT_WIDTH: Final = 0.03
#: What each unit by which a main category is likelier for how a page is worded adds to what is understood of it.
_BY_LIKENESS: Final = 0.2
#: Share of a text's words that must be known for it to be understood fully.
_COVERED: Final = 0.3
#: The same for a text in a language without a dictionary, and the greatest confidence there: the word vectors know
#: other languages only by halves.
_SUPPORTED_FOREIGN, _MOST_FOREIGN = 0.9, 0.55
#: The same for the head of a page before its site, which must say it plainly, and the greatest confidence there.
_SUPPORTED_BEFORE, _MOST_BEFORE = 0.6, 0.8
#: The same for a translated text.
_SUPPORTED_TRANSLATED: Final = 0.30
#: Confidence that a category needs to be given: of those with less every fourth was doubted on real pages, of those
#: just above every seventh. And what the first main category needs: a best guess is worth more than none.
_LEAST_CONFIDENCE: Final = 0.5
_LEAST_FIRST: Final = 0.25
#: What another main category beside the first needs, and what is below it.
_LEAST_BESIDE: Final = 0.545
_MOST_CATEGORIES: Final = 10
#: What sets the first category of a text off from the others in `score`.
_ABOVE: Final = 1e-3
#: Confidence that a page's first web-filtering category needs, and the further ones.
_LEAST_LABEL: Final = 0.14
_LEAST_FILTERING: Final = 0.2
#: What certain content categories add at most to the score of the web-filtering category that they belong to.
_CATEGORY_WEIGHT: Final = 0.7
#: What each tier of a content category adds to its weight for a web-filtering category.
_SPECIAL: Final = 0.15
_MOST_FILTERING: Final = 3
#: What strikes places and things, which are no subject beside it.
_STRIKING: Final = ("Disasters", "War and Conflicts")
#: Certainty of the main category of a thing below which all else that a page says may refute that it is of the thing,
#: and certainty of another from which it does; and both where that is little, or the thing has a name that says it all:
#: of certainties that are no surer for what examples say. What a job is about refutes no job.
_REFUTED, _REFUTING = 0.2, 0.7
_HARDLY_REFUTED, _HARDLY_REFUTING = 0.01, 0.98
#: How much likelier another main category may be by how a page is worded and nobody doubts it (a logarithm).
_NEARLY: Final = 1.2
#: How much likelier another main category is than that of a thing by how a page is worded, to refute it (a logarithm),
#: and how much at most for nothing to refute it, whatever else is said, if it is at least so surely named.
_WORDED_OTHERWISE, _WORDED_ALIKE, _NAMED_SURELY = 4.5, 1.5, 0.4
#: What the sections of a paper add to the score of what it is read for first, in both taxonomies and among labels of
#: web filtering, and the greatest confidence of any category of its front page, where as much is said of others.
_POLITICS, _NEWS = "386", "News and Media"
_OF_A_PAPER: Final = 1.2
_MOST_OF_A_PAPER: Final = 0.5
#: Words from which what a page says beside its title is enough to go by.
_TELLING_WORDS: Final = 120
#: What the names of places must say of a journey there for it to be asked whether there is one.
_NAMED: Final = 0.1
#: Certainty of a page's first main category from which no other rivals it, and nearness of two branches below which
#: they have nothing in common.
_BEYOND_RIVALS, _UNRELATED = 0.8, 0.03
#: What a web-filtering category's own terms must say where none of its content categories is given, and where one is
#: given that is of another branch than the first.
_TOLD_ALONE, _TOLD_BESIDE = 0.32, 0.25
#: Certainty of a page's first content category from which web-filtering categories contradict it whose own content
#: categories are less certain than this share of it.
_SURELY, _BESIDE = 0.5, 0.5


@dataclass(frozen=True, slots=True)
class Scored:
    """A category with its confidence from 0 to 1."""

    id: str
    path: str
    tier: int
    confidence: float


class ContentResult:
    """What a page is about, ranked highest first in each taxonomy, which is found when it is first asked for.

    There are at most `_MOST_CATEGORIES` categories a taxonomy, ancestors included, each at `_LEAST_CONFIDENCE` or more;
    the first main category at `_LEAST_FIRST`, others and theirs at `_LEAST_BESIDE`: what else a page may be about must
    be said plainly.
    A category is never more certain than its parent. It is empty where nothing is supported by the page.
    """

    def __init__(self, page: Page) -> None:
        self._page = page

    def __getstate__(self) -> dict[str, Any]:
        # What is not given is many times what is, and soon found again.
        return {name: value for name, value in vars(self).items() if name != "_certain"}

    @cached_property
    def v3(self) -> tuple[Scored, ...]:
        """Categories of the newer content taxonomy."""
        return _ranked(self._page, self._certain, "content-v3")

    @cached_property
    def v2(self) -> tuple[Scored, ...]:
        """Categories of the older content taxonomy."""
        return _ranked(self._page, confidences(self._page, "content-v2"), "content-v2")

    @cached_property
    def filtering(self) -> tuple[Scored, ...]:
        """Web-filtering categories."""
        return _ranked_filtering(self._page, self._certain, self.v3)

    @cached_property
    def _certain(self) -> dict[str, float]:
        return confidences(self._page, "content-v3")


def score(texts: Sequence[str]) -> tuple[list[str], NDArray[np.float32]]:
    """Score texts against the 698 categories of content taxonomy v2.

    Parameters
    ----------
    texts : sequence of str
        Texts of pages.

    Returns
    -------
    ids : list of str
        Identifiers of the categories, one a column.
    scores : ndarray of float32, shape (len(texts), 698)
        Centred cosine of the text's vector with the category's terms, plus `LITERAL_WEIGHT` times the evidence of the
        category's terms that literally stand in the text, plus what decides among siblings. Higher is more likely;
        comparable within a row. The category that the hierarchy puts first, the best of the branch for which most
        speaks, stands just above the others.
    """
    hierarchy, columns = load_hierarchy("content-v2"), _columns("content-v2")
    with one_thread():
        scores, terms = (part[:, columns] for part in content_matcher().score(texts))
    decided = np.stack([siblings().decided(text)[columns] for text in texts])
    rows, firsts = np.arange(len(texts)), hierarchy.firsts(scores, terms, decided)
    scores += decided
    scores[rows, firsts] = np.maximum(scores[rows, firsts], scores.max(axis=1) + _ABOVE)
    return list(hierarchy.ids), scores


def classify(page: Page) -> ContentResult:
    """Rank the categories of a page or text."""
    return ContentResult(page)


# The categories of a page and its readers ask; nobody changes what they get.
@lru_cache(maxsize=16)
def confidences(page: Page, version: Version) -> dict[str, float]:
    """Return the confidence of every category of a content taxonomy, 0 to 1, also of those that are not given."""
    hierarchy, (own, terms, decided) = load_hierarchy(version), _own_scores(page, version)
    # Who says the small words of a kind of pages is understood, too, and who words a page as others do.
    likely = framed(page, version)[0] + _BY_LIKENESS * np.maximum(likened(page, version), 0.0)
    best = float((own + hierarchy.of_scores(likely)).max())
    leaning, near, belief = _leaning(page, version), near_shares(page, version), belief_of(page)
    sure = hierarchy.confidences(own, terms, decided, likened=leaning, near=near, belief=belief)
    found = dict(zip(hierarchy.ids, (_support(best, page) * sure).tolist(), strict=True))
    if version == "content-v3":
        found.update(_of_some_genre(found))
    return found


def _of_some_genre(certain: dict[str, float]) -> dict[str, float]:
    """Return which confidences are others, as entertainment stands for a genre that nobody can name."""
    taxonomy = Taxonomy.load("content-v3")
    genres, entertainment = (taxonomy.by_path(path).id for path in ("Genres", "Entertainment"))
    named = max(certain[genre.id] for genre in taxonomy.children(genres))
    if named >= _LEAST_CONFIDENCE:
        return {}
    return {genres: named, entertainment: max(certain[genres], certain[entertainment])}


def branch_scores(page: Page, version: Version) -> tuple[dict[str, float], dict[str, float]]:
    """Return the score of every category of a content taxonomy by itself, and that of its whole branch.

    What decides among siblings is part of both, and how the page is worded.
    """
    hierarchy, (scores, _, decided) = load_hierarchy(version), _own_scores(page, version)
    likely = hierarchy.of_scores(_leaning(page, version)) + hierarchy.of_near(near_shares(page, version))
    own = scores + decided + likely
    branches = hierarchy.pooled(own)
    return dict(zip(hierarchy.ids, own.tolist(), strict=True)), dict(zip(hierarchy.ids, branches.tolist(), strict=True))


def is_doubted(page: Page) -> bool:
    """Tell whether what a page says and how it is worded speak for different main categories: one of them is mistaken.

    A page that is worded like nothing is doubted by nobody, nor one that is worded nearly as much like what it says.
    """
    hierarchy, worded = load_hierarchy("content-v3"), likened(page, "content-v3")
    scores, terms, _ = _own_scores(page, "content-v3")
    said = hierarchy.branches(scores[np.newaxis], terms[np.newaxis])[0]
    said += hierarchy.of_scores(framed(page, "content-v3")[0])
    return bool(worded.max() - worded[said[hierarchy.tiers == 1].argmax()] > _NEARLY)


# Categories ask, whether a thing is refuted, and whether a page is doubted; nobody changes what they get.
@lru_cache(maxsize=32)
def framed(page: Page, version: Version) -> tuple[NDArray[np.float64], str]:
    """Return what the words of a page's kind add to how likely each main category is, and what is said of it.

    What names a thing that nobody mistakes is of no other kind.
    """
    thing, frame, mains = thing_of(page), frame_of(page), _main_paths(version)
    added = np.zeros(len(mains))
    if frame is None or frame.main not in mains or (thing and thing.is_unmistakable and thing.main != frame.main):
        return added, ""
    added[mains.index(frame.main)] = frame.amount
    return added, frame.told


@cache
def _main_paths(version: Version) -> tuple[str, ...]:
    return tuple(category.path for category in Taxonomy.load(version).tier(1))


def _leaning(page: Page, version: Version) -> NDArray[np.float64]:
    """Return how much likelier each main category is by how a page is worded, as logarithms."""
    return likened(page, version) + framed(page, version)[0]


# Categories ask, and whether a page is doubted; nobody changes what they get.
@lru_cache(maxsize=16)
def _own_scores(page: Page, version: Version) -> NDArray[np.float64]:
    """Return the score of every category by itself, the part of it that terms have, and what decides among siblings."""
    return _scored(page, version, forms(page))


def _scored(page: Page, version: Version, told: dict[str, dict[str, float]]) -> NDArray[np.float64]:
    found = np.vstack([_with_forms(page, told), decided(page)])
    return found[:, _columns(version)].astype(np.float64)


# Whether a thing is refuted asks, too, and which category is the loudest of a frame's.
@lru_cache(maxsize=16)
def decided(page: Page) -> NDArray[np.float32]:
    """Return what the words of a page that decide among siblings add to the score of each content category."""
    found: NDArray[np.float32] = sum(
        (part.share * siblings().decided(part.text) for part in page_parts(page)),
        start=np.zeros(len(content_matcher().ids), dtype=np.float32),
    )
    found.flags.writeable = False
    return found


def _content_scores(page: Page) -> NDArray[np.float32]:
    """Return a page's scores of both content taxonomies, what its form adds among them, and the part of terms."""
    return _with_forms(page, forms(page))


def _with_forms(page: Page, told: dict[str, dict[str, float]]) -> NDArray[np.float32]:
    matcher = content_matcher()
    found = _weighed(matcher, page).copy()
    for added in told.values():
        for identifier, amount in added.items():
            found[:, matcher.index[identifier]] += amount
    return found


# Both taxonomies ask, the web-filtering categories and the explanations; nobody changes what they get.
@lru_cache(maxsize=16)
def forms(page: Page) -> dict[str, dict[str, float]]:
    """Return what the form of a page adds to the scores of content categories, by what is said of it."""
    told = {
        "told as a story": telling(page),
        **programming(page),
        "speaks to firms": speaking_to_firms(page),
        "names places and no journey": _unvisited(page),
        **_of_a_paper(page, _POLITICS),
    }
    thing = thing_of(page)
    is_refuted = thing and not thing.is_vacancy and _is_refuted(page, thing, told)
    return told if is_refuted else {**told, **naming(page)}


def label_forms(page: Page) -> dict[str, dict[str, float]]:
    """Return what the form of a page adds to the scores of web-filtering categories, by what is said of it."""
    return _of_a_paper(page, _NEWS)


def _of_a_paper(page: Page, identifier: str) -> dict[str, dict[str, float]]:
    return {"leads to the sections of a paper": {identifier: _OF_A_PAPER}} if page.is_front_page else {}


def _unvisited(page: Page) -> dict[str, float]:
    """Return what names of places say of journeys there, taken away from them where a page tells of no journey.

    A country stands in the news for what its parliament does.
    """
    matcher, terms = content_matcher(), _weighed(content_matcher(), page)[1]
    named = {identifier: float(terms[matcher.index[identifier]]) for identifier in _destinations()}
    if max(named.values()) < _NAMED or tells_of_journeys(page):
        return {}
    return {identifier: -amount for identifier, amount in named.items() if amount > 0}


@cache
def _destinations() -> tuple[str, ...]:
    taxonomy = Taxonomy.load("content-v3")
    return tuple(category.id for category in taxonomy.descendants(taxonomy.by_path(JOURNEYS).id))


def _is_refuted(page: Page, thing: Thing, told: dict[str, dict[str, float]]) -> bool:
    """Tell whether all else that a page says is of another subject than the thing that it names.

    A terrarium is an animal's home and no furniture, and wiring that joins a car and its caravan is in no house. But
    what bakes dog biscuits speaks of dough, and whoever sells them writes a line or two. A page that is worded like
    those of another subject by far is of that one, whatever it names; but hospitals are sold things in their own words.
    """
    hierarchy, worded = load_hierarchy("content-v3"), likened(page, "content-v3")
    behind = worded.max() - worded[_main_paths("content-v3").index(thing.main)]
    if behind >= _WORDED_OTHERWISE and not is_sold_to_firms(page, thing):
        return True
    if worded.any() and behind < _WORDED_ALIKE and thing.sureness >= _NAMED_SURELY:
        return False
    own, terms, among = _scored(page, "content-v3", told)
    certain = hierarchy.confidences(own, terms, among, likened=_leaning(page, "content-v3"))
    main = hierarchy.roots[hierarchy.ids.index(thing.category)]
    if page.tokens < _TELLING_WORDS or thing.is_unmistakable:
        return bool(certain[main] < _HARDLY_REFUTED and certain.max() >= _HARDLY_REFUTING)
    return bool(certain[main] < _REFUTED and certain.max() >= _REFUTING)


@cache
def _columns(version: Version) -> NDArray[np.intp]:
    # An array: a list would be made into one each time.
    return np.array([content_matcher().index[identifier] for identifier in load_hierarchy(version).ids], dtype=np.intp)


def category_path(identifier: str) -> str:
    """Return the path of a category of either content taxonomy, the newer one first."""
    newer = Taxonomy.load("content-v3")
    return (newer if identifier in newer else Taxonomy.load("content-v2"))[identifier].path


def lineage(identifier: str, version: Version) -> str:
    """Return a category's identifier after those of its ancestors, joined by hyphens: ``150``, ``150-151``."""
    return "-".join((*(above.id for above in Taxonomy.load(version).ancestors(identifier)), identifier))


def page_scores(matcher: Matcher, page: Page) -> NDArray[np.float32]:
    """Score one page against a matcher's entries: the scores of its parts, by their shares."""
    found: NDArray[np.float32] = _weighed(matcher, page)[0]
    return found


# Content, interests and purchase intent all ask about the same page, and so do the explanations.
@lru_cache(maxsize=32)
def _weighed(matcher: Matcher, page: Page) -> NDArray[np.float32]:
    """Return a page's scores, and below them the part that terms have which literally stand in it."""
    parts = page_parts(page)
    found = matcher.score_parts([part.share for part in parts], [part.text for part in parts])
    found.flags.writeable = False
    return found


@cache
def siblings() -> Siblings:
    """Return the words that decide among siblings, loaded once."""
    return load_siblings()


@cache
def filtering_matcher() -> Matcher:
    """Return the matcher of the web-filtering categories, loaded once."""
    return load_matcher("filtering_categories", *MATCHERS["filtering_categories"])


def _support(best: float, page: Page) -> float:
    """Return how far a page is understood at all, from its best score.

    A notice of its site is about nothing, unless it stands before the site and its head says plainly what that is of.
    """
    if is_notice(page):
        if best < _SUPPORTED_BEFORE or not stands_before_site(page):
            return 0.0
        supported, most = _SUPPORTED_BEFORE, _MOST_BEFORE
    elif is_translated(page):
        supported, most = _SUPPORTED_TRANSLATED, translated_share(page)
    else:
        supported, most = (_SUPPORTED, 1.0) if page.is_english else (_SUPPORTED_FOREIGN, _MOST_FOREIGN)
        # Strings of letters or digits have a vector, too; what has hardly a known word says nothing.
        most *= min(content_matcher().lexicon.coverage(page.title, page.opening) / _COVERED, 1.0)
    most = min(most, _MOST_OF_A_PAPER) if page.is_front_page else most
    return most / (1 + math.exp(-(best - supported) / _SUPPORT_WIDTH))


def bar_of_category(page: Page, version: Version, identifier: str) -> float:
    """Return the confidence that a category of a content taxonomy needs to be given to a page."""
    certain = confidences(page, version)
    return float(_bars(np.array(list(certain.values())), version)[list(certain).index(identifier)])


def _bars(values: NDArray[np.float64], version: Version) -> NDArray[np.float64]:
    """Return the confidence that each category needs, from those of all: less in the branch of the first."""
    hierarchy = load_hierarchy(version)
    of_first = np.where(hierarchy.tiers == 1, _LEAST_FIRST, _LEAST_CONFIDENCE)
    return np.where(hierarchy.in_first(values), of_first, _LEAST_BESIDE)


def _ranked(page: Page, certain: dict[str, float], version: Version) -> tuple[Scored, ...]:
    taxonomy, hierarchy = Taxonomy.load(version), load_hierarchy(version)
    # In the order of the hierarchy.
    values = np.fromiter(certain.values(), np.float64, len(certain))
    least = _bars(values, version)
    passing = dict.fromkeys(taxonomy[hierarchy.ids[place]] for place in np.flatnonzero(values >= least))
    # What is above it may have a sibling that is surer.
    given = [category for category in passing if all(above in passing for above in taxonomy.ancestors(category.id))]
    found = [Scored(step.id, step.path, step.tier, round(certain[step.id], 4)) for step in given]
    unfit = other_sexes(page, {category.path: category.confidence for category in found})
    if reports_harm(page):
        # Where people came to harm, what the place is for besides is no subject.
        unfit += tuple(f"{setting}{PATH_SEPARATOR}" for setting in SETTINGS_OF_DEATH)
    first = max((category for category in found if category.tier == 1), key=attrgetter("confidence"), default=None)
    if first and first.path in _STRIKING:
        unfit += tuple(setting for setting in SETTINGS_OF_HARM if setting != first.path)
    if first:
        # Of two subjects that have nothing in common the second is what the first is told in.
        unfit += tuple(main.path for main in found if main.tier == 1 and not _has_in_common(first.id, main.id, version))
    unfit += unsaid(page, frozenset(category.path for category in found))
    found = [category for category in found if not category.path.startswith(unfit)]
    return tuple(sorted(found, key=lambda category: (-category.confidence, category.tier))[:_MOST_CATEGORIES])


def label_scores(page: Page, certain: dict[str, float]) -> dict[str, tuple[float, str, float]]:
    """Return what speaks for each web-filtering category of a page, with the confidences of its content categories.

    That is the score by its own terms; the path of the most certain content category that belongs to it, empty where
    none does; and what that adds to the score.
    """
    matcher = filtering_matcher()
    taxonomy = Taxonomy.load("content-v3")
    found: dict[str, tuple[str, float]] = {}
    for name, paths in _label_categories().items():
        steps = [taxonomy.by_path(path) for path in paths]
        # What belongs to a part of a main category says more than what belongs to the whole.
        weighed = [(step.path, certain[step.id] * (1 + _SPECIAL * (step.tier - 1))) for step in steps]
        found[name] = max(weighed, key=lambda pair: pair[1], default=("", 0.0))
    total = max(sum(weight for _, weight in found.values()), 1.0)
    own = dict(zip(matcher.ids, page_scores(matcher, page).tolist(), strict=True))
    for added in label_forms(page).values():
        for name, amount in added.items():
            own[name] += amount
    return {name: (score, found[name][0], _CATEGORY_WEIGHT * found[name][1] / total) for name, score in own.items()}


def filtering_names() -> tuple[str, ...]:
    """Return the names of the web-filtering categories."""
    return tuple(_label_categories())


@cache
def _label_categories() -> dict[str, tuple[str, ...]]:
    return {row["name"]: listed(row["categories"]) for row in knowledge_rows("filtering_categories.tsv")}


@cache
def _label_exceptions() -> dict[str, tuple[str, ...]]:
    """Return the branches whose pages are of no web-filtering category that is of what is above them."""
    return {row["name"]: listed(row["unless"]) for row in knowledge_rows("filtering_categories.tsv")}


def _softmax(values: list[float]) -> list[float]:
    highest = max(values)
    weights = [math.exp((value - highest) / _TEMPERATURE) for value in values]
    total = sum(weights)
    return [weight / total for weight in weights]


def _ranked_filtering(page: Page, certain: dict[str, float], given: tuple[Scored, ...]) -> tuple[Scored, ...]:
    told = label_scores(page, certain)
    scores = {name: own + added for name, (own, _, added) in told.items()}
    shares = dict(zip(scores, _softmax(list(scores.values())), strict=True))
    if (first := max(certain.values())) >= _SURELY:
        belonging = {name: certainty for name in scores if (certainty := _belonging(name, certain)) is not None}
        for name in [name for name, certainty in belonging.items() if certainty < _BESIDE * first]:
            del scores[name]
        # What the page is surely about gains by what goes; what belongs to no content category does not.
        among = dict(zip(scores, _softmax(list(scores.values())), strict=True))
        shares = {name: among[name] if belonging.get(name, 0.0) >= _SURELY else shares[name] for name in scores}
    # Whether a page is understood, the content categories tell best: there are many more of them.
    support = _support(float(_content_scores(page)[0].max()), page)
    ranked = sorted(shares.items(), key=lambda item: -item[1])[:_MOST_FILTERING]
    ranked = [(name, share) for name, share in ranked if told[name][0] >= _least_told(page, name, given)]
    found = [Scored(name, name, 1, round(share * support, 4)) for name, share in ranked]
    least = {max(shares, key=shares.__getitem__): _LEAST_LABEL}
    return tuple(label for label in found if label.confidence >= least.get(label.id, _LEAST_FILTERING))


def _least_told(page: Page, name: str, given: tuple[Scored, ...]) -> float:
    """Return what the own terms of a web-filtering category must say: the less, the surer the page is of its subject.

    One word of many senses says little; where people came to harm, the place says nothing, nor does what is named in
    no word of its own. Who pays for water and telephones is no customer of a bank.
    """
    paths = _label_categories()[name]
    if any(category.path.startswith(_label_exceptions()[name]) for category in given):
        return math.inf
    is_setting = reports_harm(page) and any(path.startswith(SETTINGS_OF_DEATH) for path in paths)
    if paths and (is_setting or len(unsaid(page, frozenset(paths))) == len(paths)):
        return math.inf
    if not given:
        return -math.inf
    found = [path for path in paths if any(f"{category.path} ".startswith(f"{path} ") for category in given)]
    mains = {path.partition(PATH_SEPARATOR)[0] for path in found}
    first = given[0].path.partition(PATH_SEPARATOR)[0]
    if is_divided(page) or (programming(page) and not mains.intersection(DOCUMENTED)):
        return _TOLD_ALONE
    return -math.inf if first in mains else _TOLD_BESIDE if mains else _TOLD_ALONE


# Readers ask, and each web-filtering category that may be given.
@lru_cache(maxsize=16)
def is_divided(page: Page) -> bool:
    """Tell whether a page is as well about another subject that has nothing in common with its first, as a picture."""
    certain = confidences(page, "content-v3")
    mains = [category.id for category in Taxonomy.load("content-v3").children(None)]
    first = max(mains, key=certain.__getitem__)
    others = (name for name in mains if name != first and certain[name] >= _LEAST_BESIDE)
    return certain[first] < _BEYOND_RIVALS and any(not _has_in_common(first, other, "content-v3") for other in others)


@cache
def _has_in_common(main: str, other: str, version: Version) -> bool:
    """Tell whether the branches of two main categories are near each other in meaning."""
    taxonomy, matcher = Taxonomy.load(version), content_matcher()
    branches = [[identifier, *(step.id for step in taxonomy.descendants(identifier))] for identifier in (main, other)]
    means = [
        (matcher.vectors[[matcher.index[step] for step in branch]] - matcher.mean).mean(axis=0) for branch in branches
    ]
    return float(means[0] @ means[1] / (np.linalg.norm(means[0]) * np.linalg.norm(means[1]))) >= _UNRELATED


def _belonging(name: str, certain: dict[str, float]) -> float | None:
    """Return the greatest certainty of the content categories to which a web-filtering category belongs, if to any."""
    taxonomy = Taxonomy.load("content-v3")
    return max((certain[taxonomy.by_path(path).id] for path in _label_categories()[name]), default=None)
