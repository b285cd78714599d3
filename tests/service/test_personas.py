"""A persona is true of whoever reads the page: it says no more of them than the page does."""

import pytest
from written_pages import page

from tests.judged import reading_of, written_pages
from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.personas import match_personas
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.content import Scored, is_doubted
from toolkit.service.subjects.readings import classified

TAXONOMY = Taxonomy.load("content-v3")
HELP = (
    "The display of the dishwasher shows E15 when water stands in the base. Switch the appliance off, close the tap "
    "and empty the filter. The dishwasher starts again when the float is dry. E24 means that the drain hose is bent."
)
RECALL = (
    "The carmaker has recalled 12,000 supercars because the gearbox may slip out of park, the agency said on Monday. "
    "Owners of the 2023 coupe are asked to call a dealer. The turbo engine and the handling are not affected."
)

WORKSHOP = (
    "The margin on brake jobs is in the parts line of the invoice. Our workshop has four ramps and three "
    "technicians, and last quarter the utilisation of ramp two fell to 61 per cent because every second vehicle "
    "waited for discs that the supplier had promised for the morning. We now book the parts with the job card: the "
    "service adviser reads the registration, orders from the factor and blocks the slot only when the delivery is "
    "confirmed. Comebacks are down, and the labour rate we quote to fleet customers covers the diagnostic time that "
    "we used to give away. Stock turns matter more than discount. Ask your reps for consignment stock of the twenty "
    "fastest lines, review the returns ledger every week, and train the apprentices on the torque wrench before the "
    "audit. Insurers and leasing companies audit our paperwork, so each technician signs a digital inspection form, "
    "and the manager countersigns before the vehicle is released. Our accountant wants warranty claims lodged within "
    "thirty days; the dealer principal wants customer satisfaction above ninety. Both need the same thing, a clean "
    "process: reception, triage, estimate, authorisation, repair, quality check, handover, payment. Forecast demand "
    "with last year's bookings, benchmark your efficiency against other independent workshops in the trade "
    "association, and negotiate terms with two suppliers rather than one. Software that links stock, invoicing and "
    "payroll paid for itself in nine months."
)
DRIVE = (
    "I changed the front brake discs on my hatchback on the drive last weekend, and it took me most of Saturday. You "
    "need a jack, axle stands, a torque wrench and a wire brush. Loosen the wheel nuts before you lift the car, take "
    "the caliper off and hang it from the spring with string so that the hose takes no weight. My old discs had rusted "
    "to the hub; a mallet and patience moved them. Then bed the pads in with gentle stops on a quiet road."
)
VIGIL = (
    "Hundreds came to the mosque on Friday to pray for the imam, police said. Muslim families brought food for "
    "Ramadan, and the prayers of the congregation went on until dawn, a spokesman for the Islamic council said."
)


def named(paths, *texts, audience="b2c", **rest):
    """Return the personas of a page that is surely about some categories."""
    steps = dict.fromkeys(
        step for path in paths for step in (*TAXONOMY.ancestors(TAXONOMY.by_path(path).id), TAXONOMY.by_path(path))
    )
    found = tuple(Scored(step.id, step.path, step.tier, 0.9 - 0.01 * step.tier) for step in steps)
    return {match.persona for match in match_personas(page(*texts, **rest), found, audience)}


NARROWER = [
    # A category, a text that is of it, and a persona that says more than the text.
    ("Attractions > Amusement and Theme Parks", "Opening times", "The park opens at ten.", "Roller Coaster Fans"),
    (
        "Automotive > Auto Body Styles > SUV",
        "The Orrin X",
        "An SUV with a diesel engine.",
        "SUV Families",
    ),
    ("Automotive > Auto Parts", "Spare blade", "Blade and spring for No. 8 bypass secateurs.", "Auto Parts Shoppers"),
    (
        "Careers > Vocational Training",
        "Nursery nurse, level 3",
        "You learn to look after babies.",
        "Skilled Trades Trainees",
    ),
    ("Education > Early Childhood Education", "Ratios", "Settings may have one adult for five.", "Preschool Parents"),
    ("Entertainment > Music", "Overdrive pedal", "Green, with three knobs and a true bypass switch.", "Music Fans"),
    (
        "Food & Drink > Desserts and Baking",
        "Ostler Street Canteen",
        "The bread was good, the room loud.",
        "Home Bakers",
    ),
    (
        "Food & Drink > Non-Alcoholic Beverages",
        "Elderflower cordial",
        "Elderflower and lemon.",
        "Coffee and Tea Drinkers",
    ),
    ("Genres > Animation & Anime", "The Mouse Returns", "A film from a studio in California.", "Anime Fans"),
    ("Healthy Living > Senior Health", "Falls", "After a stroke a patient may fall.", "Active Seniors"),
    ("Hobbies & Interests > Arts and Crafts > Needlework", "Stands", "A stand of beech.", "Needlecraft Makers"),
    ("Hobbies & Interests > Games and Puzzles > Board Games and Puzzles", "Jigsaw", "1000 pieces.", "Board Gamers"),
    (
        "Medical Health > Diseases and Conditions > Allergies",
        "Nut allergy",
        "Nuts in cake.",
        "Allergy Relief Seekers",
    ),
    (
        "Personal Celebrations & Life Events > Funeral",
        "Prices",
        "A cremation is £1,060.",
        "Celebration Planners and Guests",
    ),
    (
        "Personal Finance > Home Utilities > Phone Services",
        "SIP trunks",
        "Port PBX numbers.",
        "Phone and Mobile Customers",
    ),
    ("Religion & Spirituality > Spirituality", "Crystals", "Rose quartz by the bed.", "Mindfulness Practitioners"),
    ("Science > Space and Astronomy", "Launch delayed", "The rocket leaves on Friday.", "Amateur Astronomers"),
    ("Shopping > Household Supplies", "Vacuum cleaners", "Which vacuum for pet hair?", "Household Stock-Up Shoppers"),
    ("Sports > Cheerleading", "National finals", "The squad from Leeds won gold.", "Cheerleading Families"),
    ("Sports > Wrestling", "Wrestling club", "Boys and girls learn to fall.", "Wrestling Fans"),
    ("Sports > Hunting and Shooting", "Longbows", "Bow, arrows, archery targets.", "Hunters and Shooters"),
    ("Sports > Extreme Sports", "Rope 9.8 mm", "A lead rope of sixty metres.", "Extreme Sports Athletes"),
    ("Style & Fashion", "School uniform on a budget", "Ask for grants and swap shops.", "Clothes and Style Shoppers"),
    ("Style & Fashion > Personal Care > Shaving", "Razor", "For legs and underarms.", "Grooming-Conscious Men"),
    ("Technology & Computing > Consumer Electronics", "Fuse", "A fuse of 13 ampere.", "Gadget Lovers"),
    ("Technology & Computing > Consumer Electronics > Cameras and Camcorders", "Phone", "A phone.", "Camera Buyers"),
    ("Technology & Computing > Consumer Electronics > Tablets and E-readers", "Tablet", "10 inch.", "E-Reader Owners"),
    ("Technology & Computing > Computing > Software and Applications > Operating Systems", "OS", "11.", "Linux Users"),
    ("Travel > Travel Type > Camping", "Pitches", "Pitches for tents, adults only.", "Campers"),
    ("Video Gaming > Video Game Genres > Educational Video Games", "Typing", "Learn to type.", "Edutainment Parents"),
]


@pytest.mark.parametrize(("path", "title", "text", "persona"), NARROWER)
def test_a_persona_says_no_more_than_the_page(path, title, text, persona):
    assert persona not in named([path], title, text)


SAID = [
    (
        "Attractions > Amusement and Theme Parks",
        "Ride the Viper",
        "A roller coaster, a drop tower.",
        "Roller Coaster Fans",
    ),
    (
        "Automotive > Auto Parts",
        "Brake pads",
        "Front brake pads for the Corva, 4 brake pads a set.",
        "Auto Parts Shoppers",
    ),
    ("Entertainment > Music", "Their new album", "The band's third album has nine songs.", "Music Fans"),
    ("Food & Drink > Desserts and Baking", "Lemon cake", "Preheat the oven, whisk eggs and flour.", "Home Bakers"),
    (
        "Personal Finance > Home Utilities > Phone Services",
        "SIM-only",
        "A SIM with roaming.",
        "Phone and Mobile Customers",
    ),
    ("Style & Fashion > Personal Care > Shaving", "Beard oil", "For men with a beard.", "Grooming-Conscious Men"),
    ("Travel > Travel Type > Camping", "Pitches", "Family pitches, a playground for kids.", "Campers"),
]


@pytest.mark.parametrize(("path", "title", "text", "persona"), SAID)
def test_a_persona_of_which_the_page_speaks_is_named(path, title, text, persona):
    assert persona in named([path], title, text, path="/shop/4711", head='<meta property="og:type" content="product">')


def test_what_explains_an_appliance_to_those_who_have_it_has_no_shoppers():
    path = "Home & Garden > Home Appliances"
    assert "Home Appliance Shoppers" not in named([path], "Error codes", HELP, path="/docs/dishwasher/errors")
    offer = f"{HELP} Buy the dishwasher for £499, the cheapest price of this appliance."
    assert "Home Appliance Shoppers" in named([path], "The dishwasher", offer)


def test_a_recall_has_no_enthusiasts():
    path, news = "Automotive > Auto Type > Performance Cars", ("Carmaker recalls 12,000 supercars", RECALL)
    assert "Performance Car Fans" not in named([path], *news, path="/news/recall")
    assert "Performance Car Fans" in named([path], "Supercars on the road", RECALL.replace("recalled", "shown"))


def test_a_page_for_firms_has_people_at_work_and_another_none():
    logistics, text = "Business and Finance > Business > Logistics", "Freight and pallets for your supply chain."
    assert "Supply Chain Managers" in named([logistics], "Freight", text, audience="b2b")
    assert "Supply Chain Managers" not in named([logistics], "Freight", text)
    assert (
        named(["Pets > Dogs"], "Dog food by the pallet", "Dog food for the trade, every dog breed.", audience="b2b")
        == set()
    )


def test_what_a_trade_tells_itself_has_no_private_readers():
    repair = ["Automotive > Auto Repair"]
    assert named(repair, "Brake discs", WORKSHOP, audience="mixed") == set()
    assert named(repair, "Brake discs", DRIVE, audience="mixed") == {"DIY Car Mechanics"}


def test_who_reads_a_report_does_not_believe_what_they_do_of_whom_it_tells():
    islam = ["Religion & Spirituality > Islam"]
    assert named(islam, "Vigil at the mosque", VIGIL, path="/news/vigil") == set()
    assert named(islam, "Prayers at our mosque", "The imam leads the prayers; Muslim families bring food for Ramadan.")


def test_personas_are_of_the_main_category_and_at_most_three():
    both = ["Food & Drink > Cooking", "Travel > Travel Type > Beach Travel"]
    found = named(both, "Cooking on the beach", "A recipe for the oven; a holiday on the beach, a trip to the resort.")
    assert found == {"Home Cooks"}
    most = max(len(named([path], "A page", "Of it.")) for path in ("Pets > Dogs", "Politics > Civic affairs"))
    assert most <= 3


def test_an_answer_names_no_workers_of_a_page_for_private_people():
    workers = {row["persona"] for row in knowledge_rows("personas.tsv") if row["as"] == "worker"}
    pages = [page("A new desk disk", HELP, path=path) for path in ("/p/1", "/docs/1", "/news/1")]
    assert len(workers) > 50
    for found in pages:
        said = structured_shape(found.url, classified(found))
        assert said["audience_type"] != "b2c" or workers.isdisjoint(p["persona"] for p in said["personas"])


def test_roles_and_needs_are_of_the_known_kind():
    for row in knowledge_rows("personas.tsv"):
        assert row["as"] in ("", "buyer", "doer", "fan", "worker"), row
        assert len(set(listed(row["needs"]))) == len(listed(row["needs"])) != 1, row


COMET = (
    "Astronomers found a comet with the telescope on Tuesday, the observatory said. The comet will pass the planet in "
    "spring, and the galaxy behind it will dim its tail, a spokesman said. Officials expect no danger from the comet."
)
FEVER = (
    "The hospital confirmed on Monday that forty patients were treated for the fever, officials said. Doctors said "
    "that a vaccine would reach the county in March. The ministry reported no new cases of the disease since Friday."
)
SIEGE = (
    "The siege of the castle began in March. The garrison held the walls with two hundred muskets against an army of "
    "three thousand, and the artillery of the besiegers broke the gate in May. The troops surrendered, and the "
    "regiment marched out with its weapons. The war ended in the year after, and the castle was pulled down."
)


def test_who_reads_a_report_practises_nothing_of_it():
    comet = ["Science > Space and Astronomy"]
    assert named(comet, "A comet in spring", COMET, path="/news/4711") == {"Science Enthusiasts"}
    stars = f"{COMET} Point your own telescope at the galaxy: every stargazer sees it."
    assert named(comet, "A comet to look at", stars, path="/guides/4711") == {"Amateur Astronomers"}


def test_who_reads_a_report_of_an_illness_has_not_got_it():
    assert named(["Medical Health"], "Forty treated for fever", FEVER, path="/news/4711") == set()
    assert named(["Medical Health"], "Fever", "What helps you with a fever.", path="/guides/4711")


def test_followers_of_events_read_reports_of_them():
    war, text = ["War and Conflicts"], f"{SIEGE} The ambassador signed the ceasefire, and peace talks began."
    assert named(war, "Troops cross the river", text, path="/news/troops-cross-the-river")
    assert named(war, "Siege of Caerlow", text, path="/wiki/Siege_of_Caerlow") == set()


def test_where_words_and_wording_speak_of_different_subjects_nobody_knows_who_reads():
    readings = [found for written in written_pages("english")[:600] if (found := reading_of(written))]
    doubted = [found for found in readings if is_doubted(found.page)]
    assert len(doubted) >= 3
    assert {match.persona for found in doubted for match in match_personas(found.page, found.content.v3)} == set()
    assert any(match_personas(found.page, found.content.v3) for found in readings)


def test_who_has_a_car_repaired_repairs_none():
    repair = ["Automotive > Auto Repair"]
    text = (
        "The brake caliper seized, so the pads wore and the disc warped. We free the slide pins, fit pads and bleed "
        "the brakes. The engine oil and the brake fluid are changed. A torque wrench tightens each bolt."
    )
    assert named(repair, "A seized caliper", text, path="/forum/topic/4711") == {"DIY Car Mechanics"}
    offer = f"{text} Our garage services all makes. Book your car in today: our mechanics collect it from your home."
    assert "DIY Car Mechanics" not in named(repair, "Brake repairs in Dublin", offer, path="/")


FERRY = (
    "The island was told on Tuesday to expect nine more days without its ferry, officials said. The crossing has been "
    "closed since a crack was found in the ramp. A spokesman said that nobody could travel with a car before Friday. "
    "The hotel at the pier has sent its guests home, and the trip by the other island takes five hours, he confirmed."
)


def test_who_reads_that_a_ferry_fails_is_no_tourist():
    assert named(["Travel"], "Nine more days without a ferry", FERRY, path="/news/4711") == set()
    assert named(["Travel"], "A trip by ferry", f"Your trip: {FERRY}", path="/guides/4711") == {"Leisure Travelers"}
