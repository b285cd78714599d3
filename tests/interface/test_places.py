"""Where companies are and how large, as people say it."""

import pytest

from toolkit.interface.words.places import place_name, range_words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("51-200", "51 to 200"),
        ("1001-5000", "1,001 to 5,000"),
        ("10000+", "10,000 or more"),
        ("£10M-£50M", "£10M to £50M"),
        ("$1B+", "$1B or more"),
        ("about fifty", "about fifty"),
        ("1-2-3", "1-2-3"),
    ],
)
def test_ranges_are_said_as_people_say_them(text, said):
    assert range_words(text) == said


@pytest.mark.parametrize(
    ("country", "state", "name"),
    [("US", "OH", "Ohio"), ("US", "DC", "Washington, D.C."), ("CA", "ON", "Ontario"), ("AU", "WA", "Western Australia"),
     ("US", "Iowa", "Iowa"), ("GB", "Surrey", "Surrey"), ("DE", "OH", "OH"), (None, "OH", "OH")],
)  # fmt: skip
def test_states_have_their_names_where_the_country_is_known(country, state, name):
    assert place_name(country, state) == name
