"""A page is of the kind whose small words it says, whatever it is set among."""

import pytest
from written_pages import page

from toolkit.service.knowledge.compiled import FRAMES, is_compiled
from toolkit.service.knowledge.frames import TABLES
from toolkit.service.subjects.content import classify, framed
from toolkit.service.subjects.frames import frame_of
from toolkit.service.subjects.readings import classified
from toolkit.service.subjects.things import thing_of
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

#: Titles and texts of one subject that are set among the words of another, and their main category.
SET_AMONG = [
    (
        "The bakery",
        (
            "The bakery is a building of the mid-game. It turns flour into bread, and each loaf restores 20 stamina. "
            "You unlock the oven in the skill tree after the side quest of the miller. In multiplayer only the host "
            "may fire the oven, and since the hotfix the bread no longer burns while the game is paused. Players on "
            "console report that rye bread does not spawn in the market; the patch notes call it a known issue. Wheat, "
            "butter and salt are crafting materials; cakes, pies and pastry need a bigger oven, and a baker."
        ),
        "Video Gaming",
    ),
    (
        "Why do my bees swarm every spring?",
        (
            "Each spring on the valley map I lose two hives out of five. The bees are happy, there is clover and a "
            "water trough beside them, and I add a super as soon as the brood box is full. Then I sleep, and in the "
            "morning the honey is gone. In-game it says that the queen was old. Is that random, or did I miss the "
            "queen rearing tutorial? I have an old save file from before the swarm, so I can try things. A friend "
            "keeps nine hives beside the orchard and never loses one, but he plays in co-op, and somebody is awake."
        ),
        "Video Gaming",
    ),
    (
        "Who was the sexton at St Olave's?",
        (
            "My great-grandfather is in the 1881 census as sexton of the church of St Olave, aged 40, with a wife and "
            "four children. I have found his marriage certificate and the baptism of two of his sons in the parish "
            "register, but not his own burial. The bishop's transcripts for 1890 are missing. The church was closed, "
            "and the vicar of the next parish has no books. Has anybody transcribed the churchyard? My family tree "
            "goes back to 1790 on the maternal line, and I share a DNA match with a cousin with the same ancestor."
        ),
        "Hobbies & Interests",
    ),
]


@pytest.mark.parametrize(("title", "text", "main"), SET_AMONG)
def test_a_page_is_of_its_kind_and_not_of_what_it_is_set_among(title, text, main):
    found = page(title, text)
    assert classify(found).v3[0].path == main
    assert frame_of(found).main == main


def test_the_reasons_quote_the_words_of_the_kind():
    title, text, main = SET_AMONG[0]
    case = explain(classified(page(title, text)), find_subject(main))
    assert any("as pages of Video Gaming do" in reason["text"] for reason in case["reasons"])


def test_the_file_is_made_from_the_table_as_it_is():
    assert is_compiled(FRAMES, TABLES), "run python -m toolkit.service.knowledge"


def test_words_of_two_kinds_say_nothing():
    assert (
        frame_of(page("Notes", "They respawn after a hotfix. The bishop's transcript is in the parish register."))
        is None
    )


def test_a_page_in_another_language_has_no_words_of_a_kind():
    text = (
        "Der Hotfix ist da, und der NPC steht wieder im Markt. Die Spieler auf der Konsole warten noch auf das Update."
    )
    assert frame_of(page("Die Bäckerei", text)) is None


def test_a_thing_that_nobody_mistakes_is_not_overruled():
    text = (
        "Mix the flour with two tablespoons of peanut butter and a beaten egg, knead the dough and roll it out. Cut "
        "out bones with a cutter and bake the dog biscuits for thirty minutes in a preheated oven until crisp. Let the "
        "dog biscuits cool on a wire rack. Ingredients keep for a week in the fridge, and the dough can be frozen."
    )
    found = page("Peanut dog biscuits", text)
    assert thing_of(found).is_unmistakable
    assert frame_of(found).main == "Food & Drink"
    added, told = framed(found, "content-v3")
    assert not added.any()
    assert not told
