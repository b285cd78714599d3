"""In which language a text is, and what the service then makes of it."""

import re

import pytest

from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.languages import detect_language
from toolkit.service.pages.parsed import page_from_text, parse_page
from toolkit.service.readers.segmentation import legacy_shape, structured_shape
from toolkit.service.samples import _root
from toolkit.service.subjects.content import classify
from toolkit.service.subjects.readings import LEAST_PAGE_WORDS, Reading
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain


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
        ("L'entraîneur parle du match avec ses joueurs", "fr"),
        ("La receta de la tarta de manzana de mi abuela, para toda la familia", "es"),
        ("A receita da torta de maçã da minha avó, para toda a família", "pt"),
        ("La ricetta della torta di mele della nonna, per tutta la famiglia", "it"),
        ("De trainer is tevreden over het spel van zijn ploeg", "nl"),
        ("Tränaren var nöjd med matchen och laget", "sv"),
        ("Trener był zadowolony z meczu", "pl"),
        ("La recepta del pastís de poma de la meva àvia amb sucre", "ca"),
        ("Die afrigter was baie bly oor die wedstryd en die span", "af"),
        ("Træneren var tilfreds med kampen, og han roste spillerne efter den", "da"),
        ("qveex rmzkt upeh wqpl zzkt mwqr bnvt plkj hgfd qwrt " * 4, "und"),
    ],
)
def test_language_of_a_text(text, language):
    assert detect_language(text) == language


@pytest.mark.parametrize("language", ["sv", "ca", "gl", "af", "da", "no", "ro", "cs", "id"])
def test_neighbour_of_a_language_with_a_dictionary_is_not_taken_for_it(language):
    text = {
        "sv": (
            "Laget vann matchen och tränaren var mycket nöjd med spelarna, som hade kämpat till slutet av säsongen."
        ),
        "ca": (
            "L'equip va guanyar el partit i l'entrenador estava molt content amb els jugadors, que han lluitat "
            "fins al final."
        ),
        "gl": "O equipo gañou o partido e o adestrador estaba moi contento cos xogadores, que loitaron ata o final.",
        "af": (
            "Die span het die wedstryd gewen en die afrigter was baie bly oor die spelers, wat tot aan die einde "
            "geveg het."
        ),
        "da": "Holdet vandt kampen, og træneren var meget tilfreds med spillerne, som havde kæmpet til det sidste.",
        "no": "Laget vant kampen, og treneren var svært fornøyd med spillerne, som hadde kjempet til det siste nå.",
        "ro": (
            "Echipa a câștigat meciul și antrenorul a fost foarte mulțumit de jucătorii care au luptat până la final."
        ),
        "cs": (
            "Tým vyhrál zápas a trenér byl velmi spokojen s hráči, kteří bojovali až do konce, i když se jim nedařilo."
        ),
        "id": (
            "Tim itu menang dalam pertandingan dan pelatih sangat senang dengan para pemain yang berjuang sampai akhir."
        ),
    }[language]
    assert detect_language(text) == language


def test_stated_language_tips_the_scales_of_a_short_text():
    assert detect_language("Bekijk onze nieuwe collectie", "nl") == "nl"
    assert detect_language("Bekijk onze nieuwe collectie", "en") != "nl"


def test_stated_language_is_overruled_by_sentences():
    text = "Wir backen das Brot für unsere Gäste und die Kinder, und es wird von allen gelobt."
    assert detect_language(text, "en") == "de"
    assert detect_language(text, "nl") == "de"


@pytest.mark.parametrize("name", FOREIGN)
def test_page_in_another_language_has_no_reading_level(name):
    assert structured_shape("https://a.example/", reading(FOREIGN[name]))["content_context"]["reading_level"] is None


def test_most_main_categories_given_to_pages_in_other_languages_are_right():
    right = {
        "bicicletta-viva": {"Sports", "Shopping", "Travel"},
        "brauhaus-kessel": {"Food & Drink", "Attractions"},
        "casa-do-surf": {"Sports", "Travel", "Attractions"},
        "ma-cuisine-du-sud": {"Food & Drink"},
        "mercado-deportivo": {"Sports", "Style & Fashion", "Shopping"},
        "sakura-onsen": {"Travel"},
    }
    given = {name: found[0].path for name, page in FOREIGN.items() if (found := classify(page).v3)}
    hits = [path in right[name.split(".")[0]] for name, path in given.items()]
    assert len(hits) >= 0.5 * len(FOREIGN)
    assert sum(hits) >= 0.75 * len(hits)


SOCCER = {
    "de": (
        "Der Stürmer traf kurz vor dem Abpfiff, und das Stadion bebte. Der Trainer lobte nach dem Spiel "
        "seinen Torwart, der einen Elfmeter gehalten hatte; der Schiedsrichter hatte auf Handspiel erkannt. "
        "Die Mannschaft steht nun auf einem Aufstiegsplatz der Liga, die Verteidiger gewannen fast jeden "
        "Zweikampf, und der Mittelfeldspieler legte beide Tore vor. Am Samstag wartet das Pokalspiel gegen "
        "den Tabellenführer, ehe die Meisterschaft in die Rückrunde geht."
    ),
    "nl": (
        "De spits scoorde vlak voor het laatste fluitsignaal en het stadion ontplofte. De trainer prees na de "
        "wedstrijd zijn keeper, die een strafschop had gestopt; de scheidsrechter gaf ook nog een rode kaart. "
        "Het elftal staat nu bovenaan in de competitie, de verdedigers wonnen elk duel en de middenvelder gaf "
        "beide doelpunten aan. Zaterdag volgt de bekerwedstrijd tegen de kampioen, daarna begint de tweede "
        "helft van het voetbalseizoen met een uitwedstrijd."
    ),
}


@pytest.mark.parametrize("language", SOCCER)
def test_translated_page_gets_categories_interests_and_reasons(language):
    page = page_from_text(SOCCER[language])
    found = reading(page)
    assert found.content.v3[0].path == "Sports"
    assert "INT.SPORTS" in structured_shape("https://a.example/", found)["interests"]["tier1"]
    why = explain(found, find_subject("Sports > Soccer"))
    assert why["language"] == language
    assert {reason["sense"] for reason in why["reasons"] if reason["kind"] == "word"} & {
        "referee",
        "goalkeeper",
        "striker",
    }
    marked = {why["texts"][mark["where"]][mark["start"] : mark["end"]].lower() for mark in why["marks"]}
    assert marked & {"stürmer", "torwart", "spits", "keeper"}


@pytest.mark.parametrize(
    "text",
    [
        (
            "Wir verwenden Cookies, um Inhalte zu personalisieren und Zugriffe zu analysieren. Sie können Ihre "
            "Einwilligung jederzeit widerrufen. Alle akzeptieren, nur notwendige zulassen, Einstellungen "
            "anpassen. Weitere Angaben finden Sie in unserer Erklärung. Diese Auswahl wird für ein Jahr "
            "gespeichert."
        ),
        (
            "Connectez-vous à votre compte. Adresse électronique, mot de passe. Mot de passe oublié ? Pas encore "
            "inscrit ? Créez votre compte en quelques instants. En continuant, vous acceptez nos conditions "
            "générales."
        ),
        (
            "Questa pagina non esiste più o è stata spostata. Controlla l'indirizzo oppure torna alla pagina "
            "iniziale. Se il problema continua, scrivici e ti aiuteremo quanto prima a trovare quello che "
            "cercavi."
        ),
        (
            "En de wind ging liggen en het licht werd zacht. Ik dacht aan jou en aan wat je zei, die ene avond, "
            "toen niets meer hoefde en alles nog kon. Wij zwegen. Daarna was het stil, en later nog stiller."
        ),
    ],
)
def test_page_without_a_subject_gets_no_category(text):
    assert classify(page_from_text(text)).v3 == ()


@pytest.mark.parametrize("name", list(FOREIGN)[::5])
def test_legacy_answer_of_a_page_in_another_language_is_words(name):
    answer = legacy_shape("https://a.example/", reading(FOREIGN[name]))
    assert answer["content"]
    assert not re.search("None", str(answer))


def test_string_of_digits_or_letters_is_not_understood():
    for text in ("981976889 537512440 751817279 " * 3, "uwkh ih qmckwv qusr eaygno qe wslahdub n " * 3):
        assert all(category.confidence < 0.6 for category in classify(page_from_text(text)).v3)
