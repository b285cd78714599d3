"""Every value beyond the main category follows from what a page is surely about, its kind, and its readers."""

import threading
from pathlib import Path

import pytest
import written_pages

import toolkit as tk
from toolkit.service import why

PRODUCT = (
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "It"}</script>'
)


def segmented(path, title, *lines, head=""):
    return written_pages.segmented(title, "\n".join(lines), path, head)


def interests(answer):
    return {*answer["interests"]["tier1"], *answer["interests"]["tier2"]}


def intents(answer):
    return set(answer["purchase_intent"]["codes"])


def personas(answer):
    return {persona["persona"] for persona in answer["personas"]}


# What is offered -----------------------------------------------------------------------------------------------------

DARTS = (
    (
        "Slow and straight: ninety percent tungsten, a straight barrel of 23 grams and a ring grip for damp thumbs. "
        "The steel tip darts come with white stems and standard flights in a slim case for the oche."
    ),
    "Barrel 50.8 mm by 6.4 mm. Ours fly flat at the treble twenty, which is all that one asks of darts.",
)
HARNESS = (
    (
        "A front ring that turns a pulling dog round to you, without any choke. The padded chest plate "
        "spreads the load, "
        "and four buckles let you fit the harness to a deep chest or a narrow one. Most dogs walk better in a week."
    ),
    "Machine wash at 30 degrees. Measure your dog behind the front legs and choose the size from the chart.",
)
PERFUME = (
    (
        "An eau de parfum that opens with green fig leaf and bergamot, warms to fig milk and ends on cedar "
        "and dry musk. "
        "The scent stays on skin for eight hours and on a scarf for days. Spray on wrists and throat."
    ),
    "50 ml glass bottle with a magnetic cap. Top notes fig leaf, bergamot; base notes cedarwood, white musk.",
)
BERET = (
    (
        "A soft wool beret for women, knitted in one piece and felted in a mill in the Pyrenees, in a deep damson. "
        "It keeps its shape in the rain. Wear the hat with a scarf and a winter coat, or with a dress in spring."
    ),
    "Pure wool, lined in cotton. One size fits most; the hat stretches by two centimetres.",
)


@pytest.mark.parametrize(
    ("title", "lines", "intent"),
    [
        ("Merlin 90% tungsten steel tip darts, 23 g", DARTS, "PI.SPORTING_GOODS.INDOOR_GAMES_EQUIPMENT"),
        ("No-pull dog harness, moss green", HARNESS, "PI.PET_SERVICES.PET_STORES"),
        ("Figuier eau de parfum 50 ml", PERFUME, "PI.CONSUMER_PACKAGED_GOODS.NON_EDIBLE"),
        ("The Colette wool beret in damson", BERET, "PI.CLOTHING_AND_ACCESSORIES.CLOTHING_ACCESSORIES"),
    ],
)
def test_a_page_that_sells_gives_the_intent_of_its_category(title, lines, intent):
    assert intent in intents(segmented("/products/it", title, *lines, "£39.50. Add to basket.", head=PRODUCT))


def test_what_a_page_tells_of_is_not_offered():
    answer = segmented("/blog/darts", "My first ninety percent darts", *DARTS)
    assert answer["content_context"]["content_type"] == "blog"
    assert intents(answer) == set()


def test_a_word_of_a_title_gives_no_intent_that_is_of_another_category():
    lines = (f"Heat pump tumble dryer, {number} kg load, sensor drying: £{number}49.00" for number in range(3, 10))
    answer = segmented("/laundry/dryers", "Heat pump tumble dryers", *lines, "Washing machines and home appliances.")
    assert answer["content_context"]["content_type"] == "category_page"
    assert "PI.HARDWARE_SUPPLIES.HEATING_VENTILATION_AIR_CONDITIONING" not in intents(answer)


def test_a_firm_offers_services_and_no_goods():
    answer = segmented(
        "/",
        "Pipewise plumbing and heating",
        "We are a family firm of plumbers and heating engineers. We repair and install boilers, fix leaks, unblock "
        "drains, and fit every sink, shower head and kitchen tap of your new bathroom. Our engineers are registered.",
        "Our services: boiler repair, burst pipe, water heater, radiators. Get a free quote today or call us.",
    )
    assert "PI.HOME_AND_GARDEN_SERVICES.PLUMBERS" in intents(answer)
    assert not any(code.startswith("PI.HARDWARE_SUPPLIES") for code in intents(answer))


HELP = (
    (
        "Open the app and choose the room. Hold the button of the radiator valve until the ring turns blue, "
        "then wait while "
        "the thermostat pairs with the boiler. Calibrate the valve with the heating on: it runs to its end and back."
    ),
    "If the radiator stays cold, take the valve off its thread and check the pin. The smart home hub must be in reach.",
)


@pytest.mark.parametrize("url", ["https://help.valves.example/pair", "https://valves.example/support/pair"])
def test_those_are_not_tempted_who_are_helped_with_what_they_have(url):
    assert intents(segmented(url, "Pair and calibrate a radiator valve", *HELP)) == set()


def test_who_is_ill_means_to_buy_nothing():
    lines = (
        (
            "Signs of diabetes are thirst, tiredness and weight that goes without a reason. A blood test tells. "
            "Many patients need insulin; others take tablets and watch their blood sugar with a meter."
        ),
        "See a doctor or a pharmacist early. A dentist and an eye exam once a year belong to the treatment.",
    )
    answer = segmented("/articles/diabetes-signs", "Early signs of diabetes", *lines)
    assert "INT.MEDICAL_HEALTH" in interests(answer)
    assert intents(answer) == set()


# What is not entailed ------------------------------------------------------------------------------------------------


def test_an_aquarium_that_one_visits_is_no_pet():
    answer = segmented(
        "/days-out/aquarium-guide",
        "Firthside Aquarium: everything to know before you go",
        "Children stand in the shark tunnel with their mouths open, and the rays come up to be stroked. Tropical fish, "
        "coral and seahorses fill the upper floor of the aquarium; the penguins are fed at eleven and at three.",
        "Tickets are cheaper online. The attraction opens at ten, parking is free, and the café has high chairs.",
    )
    assert not any(code.startswith("INT.PETS") for code in interests(answer))


def test_what_is_mixed_with_tequila_is_not_without_alcohol():
    answer = segmented(
        "/cocktails/paloma",
        "Smoked rosemary Paloma",
        "Tequila, grapefruit soda, lime juice and a smoked sprig of rosemary: a cocktail for the last warm evening.",
        "Ingredients: 50 ml tequila, 15 ml lime juice, 100 ml grapefruit soda, ice. Method: salt the rim, pour the "
        "tequila over ice with the juice, top up with soda, stir and serve. Mezcal makes it smokier still.",
    )
    assert "INT.FOOD_AND_DRINK" in interests(answer)
    assert "INT.FOOD_AND_DRINK.NON_ALCOHOLIC_BEVERAGES" not in interests(answer)
    assert "Coffee and Tea Drinkers" not in personas(answer)


def test_who_gives_up_shopping_is_no_shopper():
    answer = segmented(
        "/2026/02/no-buy-february",
        "No-buy February, in numbers",
        "I bought nothing in the shops but groceries for a month: no sales, no discount codes, no shopping online, and "
        "no bargains. I left eleven shopping lists and forty shops' newsletters, and my basket is empty.",
        "What I miss is shopping for presents. My rule for March: a list, and no shopping malls before the thirtieth.",
    )
    assert "INT.SHOPPING" not in interests(answer)
    assert intents(answer) == set()
    assert personas(answer).isdisjoint({"Everyday Shoppers", "Bargain Hunters"})


@pytest.mark.parametrize(
    ("title", "is_given"), [("Woman, 71, dies in kitchen fire", False), ("Kitchen of the year", True)]
)
def test_where_a_title_tells_of_the_dead_the_place_has_no_readers(title, is_given):
    answer = segmented(
        "/news/kitchen",
        title,
        "The kitchen of the terraced house in Elm Street was finished on Tuesday, with new cupboards, an "
        "oven, a tumble "
        "dryer and home appliances along one wall, a spokesman said. The garden and the living room were redecorated.",
        "Interior decorating took four weeks, and home improvement cost more than was planned, according to "
        "the council.",
    )
    assert answer["content_context"]["content_type"] == "news"
    assert ("INT.HOME_AND_GARDEN" in interests(answer)) is is_given
    assert bool(personas(answer)) is is_given


def test_who_buys_cartridges_follows_no_current_affairs():
    answer = segmented(
        "/ammunition/12g",
        "Covert 12g 30g No.6 fibre wad cartridges (250)",
        "A shotgun cartridge for pigeon and game: 12 gauge ammunition, 30 grams of No.6 lead shot, fibre wad. Bullets, "
        "rifles and ammunition are sold to holders of a firearms certificate alone; bring your shotgun licence.",
        "250 cartridges a case. £89.00. Add to basket.",
        head=PRODUCT,
    )
    assert "Current Affairs Readers" not in personas(answer)


def test_words_for_women_and_readers_who_are_mostly_men_are_balanced():
    lines = (
        (
            "Lindgren beat Sauvé on points in the women's lightweight bout. She boxed behind the jab, slipped the "
            "right hand and landed the cleaner punches in each round. The referee counted once, in the sixth."
        ),
        "The boxing goes on with the heavyweights. Both corners spoke of a low blow. The women's final is at two.",
    )
    answer = segmented("/boxing/lightweights", "Women's lightweight bout goes to Lindgren", *lines)
    assert answer["demographics"]["gender_skew"] == "balanced"


@pytest.mark.parametrize("is_said", [False, True])
def test_how_readers_live_is_said_or_is_what_the_page_is_about(is_said):
    cake = (
        (
            "Rub the butter into the flour and sugar for the crumble. Fold rhubarb and ginger into the cake "
            "batter, spread "
            "it in a tin, scatter the topping and bake for 45 minutes. Dust the cake with icing sugar."
        ),
        "Ingredients: 200 g flour, 150 g butter, 150 g sugar, 3 eggs, 300 g rhubarb, ginger. Serve with custard.",
    )
    school = (
        (
            "Our primary school has 210 pupils aged 4 to 11. Reading, phonics and outdoor play fill the "
            "mornings, and our "
            "teachers know every child. Parents' evening is on Monday, and school lunches are on the menu page."
        ),
        "The school diary: nativity play, end of term, reception class admissions. Our pupils wear a green jumper.",
    )
    answer = (
        segmented("/", "Hillside Primary School", *school) if is_said else segmented("/cake", "Crumble cake", *cake)
    )
    assert (answer["demographics"]["household_composition"] == "couple_with_children") is is_said
    assert ("parents_of_children" in answer["demographics"]["life_stage"]) is is_said


# Pages without content -----------------------------------------------------------------------------------------------

BESTSELLERS = "Bestsellers: copper whistling kettle £49. Enamel teapot £29. Linen tea towels, set of two £14."


@pytest.mark.parametrize(
    ("path", "title", "lines"),
    [
        (
            "/product/kettle-17",
            "404 Not Found",
            ("The page you are looking for does not exist. Go back to the homepage.",),
        ),
        ("/docs/v2/hooks", "Page not found - Podherd", ("Sorry, this page does not exist. It may have been moved.",)),
        ("/product/kettle-17", "Sorry, this page has gone | Kettle Works", ("We can't find the page you requested.",)),
        ("/vacancies/88123", "This job is no longer available", ("The vacancy has expired and has been removed.",)),
        ("/recipes/soup", "410 Gone", ("This page was permanently removed and is gone for good. Try searching.",)),
    ],
)
def test_the_page_of_an_error_is_of_its_site_and_of_nothing_else(path, title, lines):
    answer = segmented(path, title, *lines, "Use the search box, or browse our bestsellers.", BESTSELLERS)
    assert answer["content_context"]["content_type"] == "landing_page"
    assert answer["content_context"]["price_signals"] == "none"
    assert interests(answer) == intents(answer) == personas(answer) == set()
    assert {name for name, held in answer["demographics"].items() if held} == {"confidence"}


def test_what_explains_an_error_is_no_error():
    answer = segmented(
        "/tutorials/fix-404",
        "Page not found: how to fix a 404 error in WordPress",
        "A 404 error after moving a WordPress site mostly comes from stale permalinks. Open the settings, save the "
        "permalink structure again, and let WordPress rewrite the rules of the web server.",
        "On nginx there is no .htaccess: add try_files to the server block, test the configuration and reload. Check "
        "that the database has the new site URL, that plugins are enabled, and that PHP can read the theme's files.",
    )
    assert answer["content_context"]["content_type"] == "guide"


# Reasons -------------------------------------------------------------------------------------------------------------


def calls_of_reasons(ask):
    """Count the calls of what finds reasons while a new client asks, in whichever thread."""
    folder, calls = str(Path(why.__file__).parent), []

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(folder):
            calls.append(frame.f_code.co_name)

    threading.setprofile(note)
    try:
        with tk.Client() as client:
            ask(client)
    finally:
        threading.setprofile(None)
    return len(calls)


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.segment("trailhead-outfitters.example/boots"),
        lambda client: client.categorize_content("trailhead-outfitters.example/boots", personas=True),
        lambda client: client.categorize("trailhead-outfitters.example"),
        lambda client: client.enrich("trailhead-outfitters.example"),
    ],
)
def test_who_asks_for_no_reasons_waits_for_none(client, ask):
    def explained(asking):
        asking.explain("INT.TRAVEL", "trailhead-outfitters.example/boots")

    # All that is ever loaded is so beforehand.
    explained(client)
    ask(client)
    assert calls_of_reasons(ask) == 0
    assert calls_of_reasons(explained) > 0
