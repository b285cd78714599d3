"""A page is of the thing that its title names, whatever its materials, colours, parts and uses mean elsewhere."""

from collections import Counter

import pytest
from written_pages import page, read

from tests.judged import reading_of, written_pages
from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows, knowledge_words, words_of
from toolkit.service.pages.parsed import Page, page_from_text
from toolkit.service.subjects.content import category_path
from toolkit.service.subjects.firms import trade_served
from toolkit.service.subjects.readings import classified
from toolkit.service.subjects.things import naming, thing_of
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

#: Titles and texts of goods, services and clubs whose words speak louder of something else, and what they are of.
OF_THINGS = [
    (
        "Spare blade and spring for Garrow bypass loppers",
        (
            "Fits models 20 and 22. The blade is forged carbon steel with a brake stop and a coil spring. "
            "Remove the pivot bolt, slide out the worn blade, grease the bearing and tighten to 4 Nm. £14.50 "
            "in stock, free delivery."
        ),
        "Home & Garden",
    ),
    (
        "Orsett 18V brushless impact driver, body only",
        (
            "Three speeds and 180 Nm of torque drive coach screws like a sports car leaving the lights. The "
            "motor stays cool, the gearbox is metal and the battery charges from the mains or in your "
            "vehicle. £89.00."
        ),
        "Home & Garden",
    ),
    (
        "Hand-dyed sock yarn, 100 g - Merlot",
        (
            "A deep red with notes of blackberry, like a good glass by the fire. Vintage after vintage it "
            "sells out: order a case for the whole cellar. £19.00 a skein."
        ),
        "Hobbies & Interests",
    ),
    (
        "Velda 3.0 litre food processor",
        (
            "The processor chops onions, kneads dough and whips cream for cakes and pastry. Recipes for "
            "biscuits, pizza bases and sorbet are included. The parts of the processor go in the dishwasher. "
            "£119.99."
        ),
        "Home & Garden",
    ),
    (
        "Table tennis on Tuesdays at Rugby Sports Hall",
        (
            "All levels are welcome from 7pm, £3 a session. Rugby has eight tables and bats to borrow; "
            "beginners share with experienced players. Park behind the rugby stand."
        ),
        "Sports",
    ),
    (
        "Number porting for SIP trunks and hosted PBX",
        (
            "Keep the numbers your customers know. We move them from your old account to ours in ten working "
            "days; credit is checked first, and the losing provider may charge a fee. Transfers between "
            "banks of numbers cost £15."
        ),
        "Business and Finance",
    ),
    (
        "Overdrive pedal with true bypass",
        (
            "Low gear for rhythm, top gear for solos. Put your foot down and the engine growls; ease off and "
            "it purrs like a V8 at idle. Nine volts, steel chassis, two-year warranty. £95.00."
        ),
        "Hobbies & Interests",
    ),
]
#: Titles of which a thing is only a picture.
OF_PICTURES = [
    ("Bridge to nowhere", "Travel > Travel Locations"),
    ("The iron lady", "Home & Garden > Home Appliances"),
    ("Hammer of the Scots", "Home & Garden > Home Improvement"),
    ("It isn't the duvet", "Home & Garden > Interior Decorating"),
    ("A ladder out of debt", "Home & Garden > Home Improvement"),
]


def _page(title, text, **parts):
    return Page(url="https://www.a.example/p/12", title=title, headings=(title,), text=f"{title}\n{text}", **parts)


def _main(page):
    return next((category.path for category in classified(page).content.v3), None)


def _name(page):
    thing = thing_of(page)
    return thing and thing.name


@pytest.mark.parametrize(("title", "text", "expected"), OF_THINGS)
def test_a_page_is_of_the_thing_that_its_title_names(title, text, expected):
    assert _main(_page(title, text)) == expected


@pytest.mark.parametrize(
    ("written", "name", "expected"),
    [
        ("k2-024", "terrarium", "Pets"),
        ("h1-002", "wiring", "Automotive"),
        ("k1-014", "ferry", "Fine Art"),
        ("h2-024", "dog biscuits", "Pets"),
        ("h4-040", "beehives", "Video Gaming"),
    ],
)
def test_a_page_is_not_of_its_thing_where_all_else_is_of_another_subject(written, name, expected):
    page = next(page for page in written_pages("english") if page["id"] == written)
    found = reading_of(page)
    assert _name(found.page) == name
    assert found.content.v3[0].path == expected


@pytest.mark.parametrize("thing", ["Wheelbarrow", "Cash register", "Rowing machine", "Lawn mower"])
def test_things_of_wood_for_the_smallest_are_toys(thing):
    toy = (
        "Made of beech by two carpenters in a shed. The toy was tried by children of three and five, who carried it "
        "about for a week and would not give it back. Rounded corners, and paint that is safe to chew. A gift for a "
        "second birthday, for toddlers who play at being grown up. £38. More toys of wood stand in the window."
    )
    assert _main(_page(f"{thing} of wood", toy)) == "Shopping"
    real = "Steel frame, two-year guarantee, delivered in a week. £380. It folds, and stands in a corner."
    assert _main(_page(f"{thing} of steel", real)) != "Shopping"


def test_a_cooker_of_a_scale_is_a_model():
    small = "Resin and brass, with a door that opens. £14.50. For the kitchen of your house; not for the under-fives."
    assert _main(_page("Range cooker, 1:12 scale", small)) == "Hobbies & Interests"
    assert _main(_page("Range cooker, 110 cm wide", small.replace("Resin", "Steel"))) == "Home & Garden"
    assert _main(_page("Saw blade, 1/8 inch kerf", "For a table saw. 60 teeth, 254 mm. £38.")) != "Hobbies & Interests"


def test_what_a_thing_is_made_of_and_smells_of_does_not_refute_it():
    text = (
        "If you want the house to smell as if you have been busy all morning, light this one half an hour before "
        "people come. Apple Pie opens with green apple and a little lemon, settles into cinnamon and clove, and leaves "
        "a warm buttery note in the room long after you have blown it out.\nWe pour each candle by hand in a heavy "
        "ceramic bowl with a crinkled rim like a pie dish. The wax is a soy blend, the three wicks are plain cotton, "
        "and the fragrance is free from phthalates. It is a candle, not a pudding; please keep it away from small "
        "children who may think otherwise.\nTrim the wicks to half a centimetre and let the wax melt right to the edge "
        "the first time you burn it, or it will tunnel. When it is finished, wash the bowl in hot water and use it for "
        "keys.\nBurn time about 50 hours\nWeight 480 g, width 14 cm\nGift box included £24. Add to basket."
    )
    assert _main(_page("Apple pie three-wick candle", text)) == "Home & Garden"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        (
            "Menu printing for restaurants - Platemark",
            (
                "Menus that survive a spill. Waterproof paper, leather covers, chalk boards and table talkers. Send us "
                "the dishes and prices by noon, and new menus lie on the tables for dinner. We keep your layout, so a "
                "changed starter costs £8. Wine lists, children's menus, specials. Our customers cook in 900 kitchens."
            ),
        ),
        (
            "Chefs and housekeepers for hotels - Brigade",
            (
                "Tonight's shift or the whole summer. Our chefs have cooked in four-star kitchens, our housekeepers "
                "turn a room in 25 minutes. Ring before four and somebody stands in your lobby at six. We check papers "
                "and references, pay weekly and invoice monthly. Our team has rooms of its own near the beach resorts."
            ),
        ),
    ],
)
def test_what_is_done_for_a_trade_is_business_and_not_what_the_trade_does(title, text):
    page = Page(url="https://www.b.example/", title=title, headings=(title,), text=text)
    assert _main(page) == "Business and Finance"


def test_goods_for_those_of_a_trade_are_the_goods():
    data = ({"@type": "Product", "name": "Thank-you cards for builders", "offers": {"price": "9.50"}},)
    cards = "Eight cards on thick board, blank inside, for the day when the roof is on. £9.50. Printed in Leeds."
    assert _main(_page("Thank-you cards for builders, pack of eight", cards, json_ld=data)) == "Shopping"


def test_what_is_done_for_schools_is_of_what_it_is():
    camp = (
        "We run rugby camps in August for boys and girls of nine to fourteen. Our coaches have played for their "
        "counties. Five days of rugby, lunch and a shirt for £140. We meet at the club at nine."
    )
    assert _main(_page("Rugby for schools: the summer camp", camp)) == "Sports"


def test_what_is_for_gyms_as_well_is_for_no_trade():
    rackets = "Light frames, strung by hand. Choose a grip. From £39, free returns within thirty days. Add to basket."
    found = _page("Badminton rackets", rackets, description="Rackets for gyms and for the hall on Thursdays")
    assert _main(found) == "Sports"
    assert trade_served(found) is None
    assert (
        trade_served(_page("Rackets", f"{rackets} Trade prices for your members.", description="For gyms")) is not None
    )


def test_a_vacancy_is_a_job_wherever_the_work_is():
    text = (
        "The casino on deck six needs a dealer of blackjack and roulette. Contracts of six months, shifts of eight "
        "hours, a cabin of your own. You will have two years' experience and a clean licence. Salary $2,900 a month. "
        "Apply with a CV; interviews are held by video."
    )
    assert _main(Page(url="https://ships.example/careers/dealer", title="Casino dealer", text=text)) == "Careers"
    assert _main(Page(url="https://ships.example/deck-six/", title="Casino dealer", text=text)) != "Careers"
    advice = Page(url="https://ships.example/careers/cv", title="How to write a CV for ships", text=text)
    assert _name(advice) != "vacancy"


def test_a_club_of_amateur_radio_flies_no_models():
    text = (
        "We meet on the first Tuesday in the back of the grain elevator. Bring your handheld, a chair and your call "
        "sign. Licence classes start in March; the repeater is on 146.940. Field day is in June: generators, an "
        "antenna tuner, wire and chili. The radio rally is in May, and the fox hunt in October."
    )
    found = read("Platte Valley Amateur Radio Club", text, "https://k0.example/").content.v3
    assert [category.path for category in found] == ["Hobbies & Interests"]


def test_a_vacancy_by_its_data_is_a_job_however_much_else_it_tells_of():
    camp = (
        "Two camps of thirty tents above the lake, with a cook tent, hot showers and a fire pit. Bring a tent that you "
        "trust in snow, a sleeping bag for ten below, a camping stove, a head torch and boots. The campsite is an hour "
        "from the road by truck; on days off we hike, paddle or sleep. Four nights on, one off, from May to August. "
        "The hot springs are worth the drive, and so is the pass. Campers who snore pitch at the far end of the field."
    )
    data = '<script type="application/ld+json">{"@type": "JobPosting", "title": "Tree planter"}</script>'
    assert _main(page("Tree planters, May to August", camp)) == "Travel"
    assert _main(page("Tree planters, May to August", camp, head=data)) == "Careers"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Velvet sofa, chocolate", "sofa"),
        ("Phone case for walkers with oak finish", "phone case"),
        ("Replacement filter for tumble dryer", "tumble dryer"),
        ("Puppy classes in Bath", "puppy classes"),
        ("Wine rack in steel", "wine rack"),
        ("Dog-friendly | Bunk beds | Home", "bunk beds"),
        ("Kitchen knives - set of 5", "kitchen knives"),
        ("Salt and pepper mills", "salt and pepper mills"),
    ],
)
def test_the_thing_is_what_stands_before_materials_places_and_uses(title, expected):
    assert _name(_page(title, "£20.00")) == expected


@pytest.mark.parametrize(("title", "path"), OF_PICTURES)
def test_a_picture_in_a_title_is_no_thing(title, path):
    identifier = Taxonomy.load("content-v3").by_path(path).id
    page = _page(title, "What the minister promised has come to nothing, and those who paid for it are still waiting.")
    assert all(identifier not in added for added in naming(page).values())


def test_the_first_line_of_a_text_is_its_title():
    assert thing_of(page_from_text("Tumble dryer, 8 kg\nQuiet, with a reversing drum.")).where == "first line"
    assert thing_of(page_from_text("We put the dryer into the cellar.\nNow it is quiet.")) is None
    assert thing_of(page_from_text("Tumble dryer, 8 kg")) is None


def test_what_is_named_and_never_mentioned_counts_less_than_what_the_text_speaks_of():
    said = _page("Bar stool", "A bar stool of oak. The stool is 75 cm high, and other stools are to be had on request.")
    unsaid = _page("Bar stool", "Of oak, 75 cm high; others are to be had on request.")
    assert thing_of(said).sureness > thing_of(unsaid).sureness > 0


def test_what_follows_a_name_is_the_thing_if_the_text_speaks_of_that():
    page = _page("Tea sprindle", "The sprindle holds tea. A sprindle lasts for years; no sprindle is like another.")
    assert thing_of(page) is None
    assert _name(_page("Tea Ballyfergus", "Tea from the hills. Our tea is dried in the sun.")) == "tea"


def test_a_page_that_sells_adds_more_than_one_that_tells():
    told = naming(_page("Secateurs compared", "Secateurs with a bypass blade cut best; two secateurs were blunt."))
    sold = naming(_page("Secateurs", "Secateurs with a bypass blade cut best. In stock, free delivery, secateurs £20."))
    assert max(*sold.popitem()[1].values(), 0) > max(*told.popitem()[1].values(), 0)


def test_the_names_of_programs_films_and_sites_are_no_things():
    code = "Call ferret.run() or set max_depth in ferret.toml; --quiet, last_id and row_count are new in ferret 2.8.0."
    assert thing_of(_page("Ferret 2.8.0", code)) is None
    film = _page("Lodger film review", "The lodger comes up from the well, and nobody asks the lodger for his rent.")
    assert _name(film) == "film review"
    site = _page("About us | Bread Knife", "Who we are.", metas={"og:site_name": "Bread Knife"})
    assert thing_of(site) is None


def test_a_page_in_another_language_is_of_what_it_sells():
    text = "Der Rasenmäher mäht leise und sauber. Jeder Rasenmäher kommt mit einem Fangkorb. Der Akku hält lange."
    product = {"@type": "Product", "name": "Rasenmäher R 40"}
    sold = Page(url="https://a.example/p/1", title="Rasenmäher R 40", language="de", text=text, json_ld=(product,))
    assert category_path(thing_of(sold).category) == "Home & Garden > Gardening"
    told = Page(url="https://a.example/p/1", title="Der Rasenmäher im Kopf", language="de", text=text)
    assert thing_of(told) is None


def test_the_reasons_name_the_thing():
    reading = classified(_page(*OF_THINGS[0][:2]))
    explained = explain(reading, find_subject("Home & Garden > Gardening", "content-v3"))
    assert "its title names loppers" in {reason["text"] for reason in explained["reasons"]}
    assert sum(reason["amount"] for reason in explained["reasons"]) == pytest.approx(explained["score"], abs=1e-3)


def test_each_name_stands_once_in_the_table():
    names = [
        name for row in knowledge_rows("things.tsv") for column in ("names", "sold") for name in listed(row[column])
    ]
    folded = Counter(" ".join(words_of(name.replace("-", " "))) for name in names)
    assert len(names) > 10_000
    assert [name for name, count in folded.items() if count > 1] == []
    assert [name for name in names if name != " ".join(name.lower().split())] == []


def test_words_that_follow_things_are_no_names_of_things():
    single = {name for row in knowledge_rows("things.tsv") for name in listed(row["names"]) if " " not in name}
    assert sorted(single & knowledge_words("part_words.txt")) == []


def test_what_is_for_several_is_of_what_is_above_them_all():
    sold = "In stock, free delivery. £24 a bag."

    def category(title):
        return category_path(thing_of(Page(url="https://a.example/p", title=title, text=sold)).category)

    assert (category("Dog & Cat Food | Pawhouse"), category("Cat Food | Pawhouse")) == ("Pets", "Pets > Cats")
    assert category("Reels for salmon and trout") == category("Salmon and trout reels") == "Sports > Fishing Sports"


BOAT = (
    "Sleeps ten in five cabins on two decks, with two bathrooms, a full kitchen, a barbecue, a slide and a hot tub on "
    "the upper deck. Moor overnight at any of forty beaches of the lake. Rates for a week in July include towels, life "
    "jackets and a lesson at the helm. Bring your own food; the marina has a shop. Dogs are welcome."
)


def test_a_hot_tub_makes_no_spa():
    found = read("Houseboat with hot tub", BOAT, path="/boats/kingfisher")
    assert _main(found.page) == "Travel"
    assert "Travel > Travel Type > Spas" not in {category.path for category in found.content.v3}
