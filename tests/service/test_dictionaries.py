"""Dictionaries: their form, and what they find in a text."""

import re
from collections import Counter

import pytest

from toolkit.service.knowledge.dictionary import (
    LANGUAGES,
    JapaneseDictionary,
    SpacedDictionary,
    accentless,
    load_dictionary,
)
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.pages.languages import function_words
from toolkit.service.subjects.content import content_matcher

SPACED = sorted(LANGUAGES - {"ja"})
#: Forms of fewer letters that cannot be taken for anything else.
LEAST_LETTERS = 3
MOST_SHORT = 0.2
#: Everyday prose has few words of a field a page, and different ones each time: a dictionary that knows enough of them
#: has many rows. With more than these it would take longer to load than a page to read.
MOST_FORMS = 20_000


def rows(language):
    return knowledge_rows(f"dictionaries/{language}.tsv")


def column():
    return {row["english"]: row["domain"] for row in rows("english")}


def forms(language):
    return [(form, row["english"]) for row in rows(language) for form in row["forms"].split("; ")]


def found(dictionary, text):
    return " ".join(english for *_, terms in dictionary.find(text) for english in terms)


def test_english_column_has_every_term_once():
    terms = [row["english"] for row in rows("english")]
    assert 1_250 <= len(terms) == len(set(terms)) <= 1_400
    assert all(re.fullmatch(r"[a-z0-9'-]+( [a-z0-9'-]+){0,2}", term) for term in terms)


def test_nearly_every_english_term_stands_in_the_knowledge():
    known = content_matcher().lexicon
    unknown = [term for term in column() if not known.named(term)]
    assert len(unknown) <= 0.05 * len(column()), unknown


def test_every_domain_has_many_terms():
    domains = [row["domain"] for row in rows("english")]
    assert {domain: domains.count(domain) for domain in set(domains) if domains.count(domain) < 12} == {}
    assert domains == sorted(domains, key=domains.index)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_dictionary_is_in_the_order_of_the_column_and_knows_no_other_term(language):
    places = {term: place for place, term in enumerate(column())}
    terms = [row["english"] for row in rows(language)]
    assert [term for term in terms if term not in places] == []
    assert [places[term] for term in terms] == sorted({places[term] for term in terms})


@pytest.mark.parametrize("language", SPACED)
def test_dictionary_of_a_language_has_enough_forms(language):
    assert 1_500 <= len(forms(language)) <= MOST_FORMS


def test_japanese_dictionary_has_forms_for_many_terms():
    assert len(forms("ja")) >= 500


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_no_form_is_empty_or_stands_twice(language):
    every = Counter(form for form, _ in forms(language))
    assert {form for form, times in every.items() if not form.strip() or form != form.strip() or times > 1} == set()


@pytest.mark.parametrize("language", SPACED)
def test_forms_are_lower_case_words_of_some_letters(language):
    wrong = [
        form
        for form, _ in forms(language)
        if form != form.lower() or not re.fullmatch(r"[^\W_]+([ '-]+[^\W_]+){0,3}", form)
    ]
    assert wrong == []
    assert [form for form, _ in forms(language) if len(form) < LEAST_LETTERS] == []
    short = [form for form, _ in forms(language) if len(form) < 5]
    assert len(short) <= MOST_SHORT * len(forms(language))


@pytest.mark.parametrize("language", SPACED)
def test_no_form_is_a_function_word(language):
    assert [form for form, _ in forms(language) if form in function_words(language)] == []


@pytest.mark.parametrize("language", SPACED)
def test_no_function_word_is_taken_for_a_form(language):
    dictionary = load_dictionary(language)
    words = {written for word in function_words(language) for written in (word, word.capitalize())}
    assert {word: known for word in words if (known := found(dictionary, word))} == {}


@pytest.mark.parametrize("language", SPACED)
def test_forms_of_different_domains_do_not_collide_without_their_accents(language):
    domain, taken, collisions = column(), {}, []
    for form, english in forms(language):
        other = taken.setdefault(accentless(form), english)
        if domain[other] != domain[english]:
            collisions.append((form, english, other))
    assert collisions == []


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_dictionary_that_is_loaded_finds_its_own_forms(language):
    dictionary = load_dictionary(language)
    missed = [(form, english) for form, english in forms(language) if found(dictionary, form) != english]
    assert missed == []


def test_words_are_found_where_they_stand_whatever_their_case():
    dictionary = SpacedDictionary("de", {"torwart": "goalkeeper", "elfmeter": "penalty"})
    text = "Der TORWART hielt; den Elfmeter."
    assert [(text[start:end], terms) for start, end, terms in dictionary.find(text)] == [
        ("TORWART", ("goalkeeper",)),
        ("Elfmeter", ("penalty",)),
    ]


def test_phrase_is_found_before_its_words():
    dictionary = SpacedDictionary("fr", {"chef d orchestre": "conductor", "chef": "chef"})
    assert found(dictionary, "Le chef d'orchestre et le chef") == "conductor chef"


def test_words_of_an_idiom_say_nothing():
    dictionary = SpacedDictionary("es", {"partido": "match", "juego": "game", "en juego": ""})
    assert found(dictionary, "El partido en juego, un juego") == "match game"
    assert found(SpacedDictionary("de", {"rücken": "back", "wind": "wind", "rückenwind": ""}), "Mit Rückenwind") == ""


def test_idioms_are_phrases_of_languages_with_a_dictionary():
    idioms = {row["language"]: row["forms"].split("; ") for row in rows("idioms")}
    assert set(idioms) == set(SPACED)
    for language, phrases in idioms.items():
        known = dict(forms(language))
        assert [phrase for phrase in phrases if phrase in known or phrases.count(phrase) > 1] == []


def test_hyphen_and_apostrophe_divide_words_as_a_space_does():
    dictionary = SpacedDictionary("fr", {"bande-annonce": "trailer", "compte d'épargne": "savings account"})
    assert found(dictionary, "la bande annonce du compte d’épargne") == "trailer savings account"


def test_accents_may_be_missing_in_a_long_word_alone():
    dictionary = SpacedDictionary("fr", {"élections": "elections", "thé": "tea"})
    assert found(dictionary, "ELECTIONS, le the") == "elections"


def test_german_letters_may_be_spelt_out_but_not_left_out():
    dictionary = SpacedDictionary("de", {"küchen": "kitchen", "fußball": "soccer", "gärten": "garden"})
    assert found(dictionary, "Kuechen, Fussball, Kuchen, Garten") == "kitchen soccer"


def test_ending_is_dropped_where_what_is_left_means_one_thing():
    dictionary = SpacedDictionary("it", {"ricetta": "recipe", "cantante": "singer", "cantanti": "singer"})
    assert found(dictionary, "Le ricette dei cantanti") == "recipe singer"


def test_ending_is_kept_where_its_stem_means_two_things():
    dictionary = SpacedDictionary("es", {"cocinero": "chef", "cocina": "kitchen", "cocinas": "stove"})
    assert found(dictionary, "cocine") == ""


def test_compound_is_split_into_known_words():
    dictionary = SpacedDictionary("de", {"kirche": "church", "kirchen": "church", "chor": "choir"})
    assert found(dictionary, "Der Kirchenchor") == "church choir"


@pytest.mark.parametrize(
    ("language", "word"), [("de", "Jugendfeuerwehr"), ("de", "Feuerwehrhaus"), ("nl", "brandweerkazerne")]
)
def test_known_end_or_long_beginning_of_a_compound_speaks_for_it(language, word):
    known = {"de": {"feuerwehr": "firefighters"}, "nl": {"brandweer": "firefighters"}}
    assert found(SpacedDictionary(language, known[language]), word) == "firefighters"


def test_short_end_of_an_unknown_word_says_nothing():
    dictionary = SpacedDictionary("de", {"rauch": "smoke", "kurs": "course"})
    assert found(dictionary, "Gebrauch, Konkurs, Verbrauch") == ""


def test_german_verb_is_no_compound():
    dictionary = SpacedDictionary("de", {"spiele": "match", "spielen": "match", "haus": "house"})
    assert found(dictionary, "hinausspielen") == ""


def test_other_languages_have_no_compounds():
    assert found(SpacedDictionary("fr", {"football": "soccer"}), "Footballhistoire") == ""


def test_soft_hyphens_do_not_divide_a_word():
    assert found(SpacedDictionary("de", {"fußball": "soccer"}), "Fuß\u00adball") == "soccer"


def test_japanese_words_are_the_longest_that_are_known():
    dictionary = JapaneseDictionary({"動物": "animals", "動物園": "zoo", "釣り": "fishing"})
    assert found(dictionary, "週末は動物園へ、明日は釣り") == "zoo fishing"


def test_end_of_a_longer_katakana_word_says_nothing():
    dictionary = JapaneseDictionary({"スキー": "skiing", "スキー場": "ski slope"})
    assert found(dictionary, "ウイスキーを飲む。スキー場でスキー") == "ski slope skiing"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "nl",
            "natuurlijk trouwens donderdag Engels begeleiding dichter weer ouder rechterhand hoeveelheid",
        ),
        ("pt", "vinha chama passa levada nada conto colher jornada cobra corredor seguro fato penso muda"),
    ],
)
def test_everyday_words_say_nothing_of_a_field(language, words):
    assert found(load_dictionary(language), words) == ""


@pytest.mark.parametrize(
    ("language", "text", "english"),
    [
        ("nl", "Oma breide een trui en plantte dahlia's", "grandparents knitting sweater gardening flowers"),
        ("nl", "de ingebroken woning", "burglary real estate"),
        ("pt", "A avó regou os canteiros e assou broa", "grandparents gardening garden baking bread"),
        ("pt", "o carro enguiçou na rodovia", "car mechanic motorist"),
    ],
)
def test_everyday_words_of_a_field_are_known_as_they_are_written(language, text, english):
    assert found(load_dictionary(language), text) == english
