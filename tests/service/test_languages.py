"""In which language a text is, and what the service then makes of it."""

import re

import pytest

from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.languages import detect_language
from toolkit.service.pages.parsed import page_from_text, parse_page
from toolkit.service.readers.segmentation import legacy_shape, structured_shape
from toolkit.service.samples import _root
from toolkit.service.subjects.content import classify
from toolkit.service.subjects.foreign import LANGUAGES
from toolkit.service.subjects.readings import LEAST_PAGE_WORDS, Reading


def sample_pages():
    """Return the sample pages that state their language and have enough words to be answered."""
    found = {}
    for file in sorted(_root().rglob("*.html")):
        page = parse_page(Fetched("https://a.example/x", {}, file.read_bytes(), "text/html", "utf-8"))
        if page.language and page.tokens >= LEAST_PAGE_WORDS:
            found[str(file.relative_to(_root()))] = page
    return found


PAGES = sample_pages()
FOREIGN = {name: page for name, page in PAGES.items() if page.language != "en"}


def reading(page):
    return Reading(page, classify(page))


def test_detected_language_is_the_one_that_the_page_states():
    wrong = {name: detect_language(page.text) for name, page in PAGES.items() if page.tokens >= 40}
    assert {name: found for name, found in wrong.items() if found != PAGES[name].language} == {}


def test_there_are_sample_pages_in_every_language_of_the_readme():
    assert {page.language for page in PAGES.values()} == {"en", "de", "fr", "es", "pt", "it", "ja"}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir backen das Brot für unsere Gäste und die Kinder", "de"),
        ("今日は温泉に行きました", "ja"),
        ("오늘은 날씨가 좋습니다", "ko"),
        ("Сегодня хорошая погода", "ru"),
        ("boots", ""),
        ("", ""),
        ("1234 5678", ""),
        ("Sofas Chairs Tables Lamps Rugs Beds Desks Mirrors Cushions Curtains " * 4, "en"),
        ("qveex rmzkt upeh wqpl zzkt mwqr bnvt plkj hgfd qwrt " * 4, "und"),
    ],
)
def test_language_of_a_text(text, language):
    assert detect_language(text) == language


@pytest.mark.parametrize("name", FOREIGN)
def test_page_in_another_language_gets_no_confident_answer(name):
    page = FOREIGN[name]
    answer = structured_shape("https://a.example/", reading(page))
    assert all(category.confidence < 0.6 for category in classify(page).v3)
    assert (answer["interests"]["tier2"], answer["purchase_intent"]["codes"]) == ([], [])
    assert answer["content_context"]["reading_level"] is None


def test_most_categories_given_to_pages_in_other_languages_are_right():
    right = {
        "bicicletta-viva": "Sports",
        "brauhaus-kessel": "Food & Drink",
        "casa-do-surf": "Sports",
        "ma-cuisine-du-sud": "Food & Drink",
        "mercado-deportivo": "Sports",
        "sakura-onsen": "Travel",
    }
    given = {name: found[0].path for name, page in FOREIGN.items() if (found := classify(page).v3)}
    hits = [path == right[name.split(".")[0]] for name, path in given.items()]
    assert len(hits) >= 6
    assert sum(hits) >= 0.7 * len(hits)


def test_vocabulary_of_a_language_finds_its_subjects():
    texts = {
        "de": "Die Brauerei und das Bier: Hopfen, Malz, Fass und Kellerbier sind für uns nicht nur ein Getränk. ",
        "fr": "La recette et les ingrédients : la farine, le beurre, les oeufs sont dans la cuisine pour le four. ",
        "es": "El fútbol y los goles del partido: el equipo, el portero y la liga son para los aficionados. ",
        "it": "La bicicletta e le ruote: il ciclismo è per tutti, con la sella, la catena e i pedali. ",
        "pt": "O surf e as ondas: a prancha, as aulas e a praia são para todos os surfistas. ",
    }
    assert set(texts) == LANGUAGES
    assert {language: detect_language(text * 4) for language, text in texts.items()} == {name: name for name in texts}


@pytest.mark.parametrize("name", list(FOREIGN)[::5])
def test_legacy_answer_of_a_page_in_another_language_is_words(name):
    answer = legacy_shape("https://a.example/", reading(FOREIGN[name]))
    assert answer["content"]
    assert not re.search("None", str(answer))


def test_string_of_digits_or_letters_is_not_understood():
    for text in ("981976889 537512440 751817279 " * 3, "uwkh ih qmckwv qusr eaygno qe wslahdub n " * 3):
        assert all(category.confidence < 0.6 for category in classify(page_from_text(text)).v3)
