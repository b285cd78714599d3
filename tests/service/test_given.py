"""What is given beside a page's main category, and what is not: a planner signs each of it."""

import pytest
from written_pages import page, read, segmented

from tests.judged import reading_of, written_pages
from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.lexicon import count_terms, knowledge_rows, words_of
from toolkit.service.readers.kinds.content_type import content_type
from toolkit.service.readers.offers import withheld
from toolkit.service.readers.profile import profile_firms
from toolkit.service.readers.stated import stated_readers
from toolkit.service.subjects.content import confidences
from toolkit.service.subjects.examples import likened
from toolkit.service.subjects.readings import classified, taken_apart
from toolkit.service.subjects.stories import FICTION, telling
from toolkit.service.subjects.things import thing_of
from toolkit.service.subjects.translation import understood
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

CLAIM = (
    "This page is for people in England and Wales who have had a claim form from the county court and who owe "
    "some of the money, but not all.\n"
    "You have 14 days from the day on which the form reaches you. Pay what you admit, or offer to pay it in "
    "instalments, and say why you dispute the rest.\n"
    "If the claimant does not accept, the court sends both of you a questionnaire, and a hearing follows. Keep "
    "every letter and receipt."
)
TSUNAMI = (
    "A strong earthquake near the coast is your warning of a tsunami. Do not wait for a siren. The first wave may "
    "come ashore within twenty minutes.\n"
    "If you are on the beach, at the harbour or in a hotel on the front, walk uphill along the evacuation route "
    "to the campsite or the lookout. Visitors: leave the car, the coast road will be full. The boardwalk and the "
    "motel strip are in the red zone.\n"
    "Take water, warm clothes and the dog. Stay until the county says that the tsunami is over; later waves are "
    "higher than the first. Earthquake and tsunami drills are held each spring."
)


def worded_so(page, path):
    """Tell whether a page is worded as pages of a main category are, so that it need not say its words."""
    mains = [main.path for main in Taxonomy.load("content-v3").tier(1)]
    return path in mains and likened(page, "content-v3")[mains.index(path)] >= 1.5


def mains(reading):
    return [category.path for category in reading.content.v3 if category.tier == 1]


def test_a_category_below_the_main_one_is_more_likely_than_not():
    found = [reading for written in written_pages("english")[:300] if (reading := reading_of(written))]
    given = [category.confidence for reading in found for category in reading.content.v3 if category.tier > 1]
    assert 0.5 <= min(given) < 0.52


def test_documentation_of_no_program_is_no_interest_in_technology():
    title, url = "Answering a claim that is partly right", "https://claims.example/docs/defendant/part-admission"
    answer = segmented(title, CLAIM, url)
    assert answer["content_context"]["content_type"] == "documentation"
    assert "INT.TECHNOLOGY_AND_COMPUTING" not in answer["interests"]["tier1"]


def test_what_a_disaster_strikes_is_no_subject_beside_it():
    found = read("Tsunami: zones, ways and what to do", TSUNAMI, "https://county.example/tsunami/port/")
    assert mains(found) == ["Disasters"]


def test_a_genre_that_nobody_can_name_is_entertainment():
    seen = 0
    for written in written_pages("english"):
        if not {written["best"].split(" > ")[0], *written["acceptable"]} & {"Entertainment", "Genres"}:
            continue
        found = reading_of(written)
        paths = [category.path for category in found.content.v3] if found else []
        assert paths.count("Genres") <= sum(path.startswith("Genres >") for path in paths)
        seen += "Genres" in paths
    assert seen


# Money of firms ------------------------------------------------------------------------------------------------------

FIRMS = (
    "A credit note reduces or cancels an invoice that you have sent. Never delete a sent invoice: it is part of "
    "your audit trail, and if you are registered for VAT your customer may have reclaimed the tax already.\n"
    "Open the invoice, choose Credit, and enter the amount with the tax. The tax point is the day on which you "
    "issue the note. A refund is a payment of its own: match it with the bank line.\n"
    "If the customer owes you for other invoices, set the credit against these. The next VAT return takes it into "
    "account. For tax years that are closed, ask your accountant."
)
PRIVATE = (
    "Put the household bills on one card, and pay it off in full when your salary comes in. Your savings should cover "
    "three months of the mortgage and of what the family eats.\n"
    "Ask the bank for a lower overdraft fee, compare what your pension costs, and give the kids an account.\n"
    "A budget for the home is a list of what you earn, of what you owe, and of what you spend it on."
)


def test_what_firms_do_with_money_is_no_personal_finance():
    found = read("Issue a credit note", FIRMS, "https://help.ledger.example/docs/sales/credit-notes")
    assert mains(found)[0] == "Business and Finance"
    assert "Personal Finance" not in mains(found)


def test_what_private_people_do_with_money_is():
    found = read("A budget for the household", PRIVATE, "https://thrift.example/household-budget")
    assert mains(found)[0] == "Personal Finance"


# What is sold --------------------------------------------------------------------------------------------------------


def test_goods_that_another_field_uses_too_are_not_of_that_field():
    text = (
        "A 100 watt heater with a thermostat for tropical fish tanks of up to 150 litres. The aquarium keeps 25 "
        "degrees; the heater switches off when the water level falls. With suction cups, for salt water fish, too.\n"
        "£24.99. In stock, free delivery. Choose the wattage for your aquarium from the table."
    )
    head = (
        '<meta property="og:type" content="product"><script type="application/ld+json">{"@type": "BreadcrumbList", '
        '"itemListElement": [{"name": "Heaters"}, {"name": "Thermostats and ventilation"}]}</script>'
    )
    answer = segmented("Aquarium Heater with Thermostat", text, "https://fins.example/products/heater", head=head)
    assert answer["interests"]["tier1"] == ["INT.PETS"]
    assert not any(code.startswith("PI.HARDWARE_SUPPLIES") for code in answer["purchase_intent"]["codes"])


def test_one_word_for_cheap_says_nothing_of_prices_beside_one_price():
    text = (
        "We sell land, farms and cottages in the borders. The bargain is struck when both solicitors have signed, and "
        "no bargain is a bargain before. Smithy Croft: cottage and nine acres, fixed price £465,000.\n"
        "Ask for the particulars of each farm, and walk the boundaries with us before you make an offer."
    )
    answer = segmented("Land agents: farms and crofts for sale", text, "https://land.example/")
    assert answer["content_context"]["price_signals"] != "budget"


# Kinds ---------------------------------------------------------------------------------------------------------------

STORY = (
    '"It will not fly," he said. She looked at the sky and laughed.\n'
    "He took the line, and she held the kite. They walked up the hill, and he thought of his father.\n"
    '"Now," she said. He ran. The kite stood in the wind, and she cried out.\n'
    "He let go. They watched until it was gone, and she took his arm, and nobody spoke of it again."
)
FEATURE = (
    '"It never flew before March," she said. The founder stood in the yard and knew every kite by its number. She took '
    "over the firm when her father died, and told the bank that she would pay for it out of the first winter.\n"
    "He had made toys; she made instruments, and the weather service bought them by the hundred, year after year. "
    "She went from door to door with a case of spars, and she thought of it as walking more than as selling.\n"
    "She kept the old sign, and she kept the men who had cut the sails. When the mill went she bought its looms, and "
    "she wrote the pattern of each sail into a book that lay on the bench. She slept above the shop for eleven years."
)
SIGNED = '<meta name="author" content="A. Writer"><meta property="og:type" content="article">'
REPORT = (
    "The ministry published the list of kite festivals. It names forty towns, eleven of them for the first time.\n"
    "Organisers may apply until the end of the month; the money is paid out in spring, half of it in advance."
)


def test_a_story_is_fiction_and_so_is_a_poem():
    assert content_type(page("The hill", STORY, "https://pages.example/x")) == ("fiction", "a story or a poem")
    assert content_type(page("The hill: a poem", REPORT, "https://pages.example/poems/hill"))[0] == "fiction"


def test_who_is_quoted_in_what_somebody_signed_is_in_no_story():
    assert (
        content_type(page("The kite maker", FEATURE, "https://paper.example/kite-maker", head=SIGNED))[0] == "article"
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [(REPORT, "article"), (f"{REPORT}\nI went to three of them, and my kite came down in my own field.", "blog")],
)
def test_a_date_in_the_address_makes_a_post_only_of_what_a_person_writes(text, kind):
    assert content_type(page("Kite festivals", text, "https://paper.example/2025/03/festivals"))[0] == kind


def test_manuals_have_their_version_in_the_address():
    assert (
        content_type(page("Festivals", REPORT, "https://kites.example/en/latest/festivals.html"))[0] == "documentation"
    )


def test_a_long_text_that_gives_telephone_numbers_is_no_directory():
    calls = "\n".join(f"For the festival of town {number} call +44 20 7946 0{number}00." for number in range(1, 7))
    assert content_type(page("Festivals", calls, "https://kites.example/who"))[0] == "directory"
    long = "\n".join([calls, *(f"{REPORT} Edition {number}." for number in range(40))])
    assert content_type(page("Festivals", long, "https://kites.example/who"))[0] != "directory"


ROOMS = (
    "Our guesthouse stands above the bay, and we have four rooms. Breakfast is served from eight; contact us to book.\n"
    "Sea room, double: £95 a night\nGarden room, twin: £85 a night\nAttic, single: £60 a night\n"
    "Loft, family: £120 a night\nDog in the porch: £8 a night\n"
    "We offer a packed lunch, and our dog will show you the path to the beach."
)
CLASSES = (
    "I teach a strength class in the village hall. I have done it for twelve years, and my oldest pupil is 91.\n"
    "I bring the chairs and the bands. Book your place by telephone; get in touch with me before you come, and I will "
    "ask about your knees. My next block begins in May."
)
DIARY = (
    "I walked to the harbour before it was light. My boots were wet, and I had no gloves; I sat on the wall and ate.\n"
    "I had a cold that week. My neighbour came in with soup, and I let her, though I had said that I would not."
)
FAIR = (
    "Three halls of machine tools, metrology and automation. Open on 10 March from 9.00 to 17.00 and on 11 March to "
    "16.00. Exhibitors set up on Monday.\n"
    "Visitor registration is open: register free by the end of February. Keynotes in hall 2, stand bookings by e-mail."
)


POOL = (
    "Ashgill council voted on Tuesday to keep the town's pool open for two more winters, at a cost of £310,000 a year, "
    "after 4,100 people signed a petition against its closure. The roof, which has leaked since the storms of last "
    "spring, will be mended by March. Opponents had asked for a new pool beside the bypass.\n"
    "“I have swum there since I was four, and I would have chained myself to my locker,” said one mother of three. “My "
    "own children learned in my lane.” The county confirmed on Wednesday that it would pay half of the cost, up to "
    "£160,000, from its fund for sport. Prices of tickets will rise by a tenth from April."
)
TALK = (
    "Shops on the high street have to learn. The head of a chain of shoe shops speaks of queues and tills, and of what "
    "a customer wants who walks in on a wet Saturday. Most owners look at their tills too seldom, he thinks."
)


@pytest.mark.parametrize(
    ("title", "text", "path", "kind"),
    [
        ("Council keeps its pool", POOL, "/2025/ashgill-pool", "news"),
        ("What shops must learn about their own customers - changelog", TALK, "/talk/shops", "article"),
        ("Shop boxes are getting a new HD guide, external drives", TALK, "/talk/boxes", "article"),
        ("The 404 1,310: love at first swipe (podcast)", TALK, "/talk/swipe", "article"),
        ("The Bay Guesthouse", ROOMS, "/", "corporate"),
        ("Strong at any age", CLASSES, "/", "corporate"),
        ("A diary of the harbour", DIARY, "/", "blog"),
        ("Precision Fair", FAIR, "/", "event_page"),
        ("4 bed detached house", REPORT, "/for-sale/clare/4-bed-detached-house-cregboy", "product_page"),
        ("Houses for sale", REPORT, "/for-sale/clare", "category_page"),
        ("Release notes of the star catalogue", REPORT, "/catalogue/notes-4.2.html", "documentation"),
    ],
)
def test_a_page_is_of_the_kind_that_its_reader_takes_it_for(title, text, path, kind):
    assert content_type(page(title, text, f"https://pages.example{path}"))[0] == kind


def test_what_a_guide_mentions_in_money_is_no_price():
    text = (
        "Record the deposit before you raise the invoice. In the example the customer pays £1,200 of £4,800.\n"
        "Deposit: £1,200\nBalance: £3,600\nOpen the job, choose Deposit, and enter the amount without tax."
    )
    answer = segmented("Record a deposit", text, "https://help.ledger.example/articles/deposit")
    assert answer["content_context"] | {"reading_level": ""} == {
        "content_type": "documentation",
        "reading_level": "",
        "price_signals": "none",
    }


def test_a_post_about_oneself_is_hardly_taken_for_fiction():
    post, piece = (
        telling(page("The car keys", DIARY, f"https://sisters.example/{path}"))[FICTION]
        for path in ("2024/10/the-car-keys.html", "the-car-keys.html")
    )
    assert post < piece / 2


def test_parents_who_have_separated_are_no_couple():
    text = (
        "My ex and I have two children, eight and five. We separated in spring, and co-parenting goes better than I "
        "feared. Christmas is the question: the handover is ninety minutes away.\n"
        "How do you do it? My solicitor says that the custody arrangement can name the days. The kids want both trees."
    )
    said = segmented("Christmas and a long drive", text, "https://forum.example/t/christmas/77")["demographics"]
    assert said["household_composition"] == "single_parent_family"


def test_who_takes_in_an_old_cat_does_not_hire_a_sitter():
    text = (
        "We find homes for cats of ten years and more. Each cat is desexed, chipped and seen by the vet before it goes "
        "to its new home; the fee is $95. Come and meet our cats on Saturdays.\n"
        "Can you foster a cat for a month? We pay for food and for the vet. Our volunteers do the rest."
    )
    codes = segmented("Old cats, new homes: cat rescue", text, "https://oldcats.example/")["purchase_intent"]["codes"]
    assert "PI.PET_SERVICES.PET_SITTING" not in codes


def test_who_travels_by_train_and_speaks_of_a_flight_means_to_buy_none():
    told = (
        "My brother took the flight. I took thirteen hours by rail, down the coast and across the rivers.\n"
        "Rain came in at the second station and stayed. The man opposite shared his lunch and the photographs of his "
        "daughters. The line has ninety tunnels; I counted to forty. At the halt under the hill they sell bananas "
        "through the bars of the carriage, and the guard holds the train until all have paid. We were late on arrival, "
        "and nobody minded. The hills are green in July, and the waterfalls come down beside the track."
    )
    answer = segmented("July in the window seat", told, "https://slowly.example/2024/konkan")
    assert answer["interests"]["tier1"] == ["INT.TRAVEL"]
    assert "PI.TRAVEL_AND_TOURISM.AIR_TRAVEL" not in answer["purchase_intent"]["codes"]
    reading = read("July in the window seat", told, "https://slowly.example/2024/konkan")
    case = explain(reading, find_subject("PI.TRAVEL_AND_TOURISM.AIR_TRAVEL"))
    assert [lack["kind"] for lack in case["missing"]] == ["topic"]  # it says its words


STUDENT_AID = "PI.FINANCE_AND_INSURANCE.STUDENT_FINANCIAL_AID"


def test_help_with_money_is_student_aid_where_students_get_it():
    pensioners = (
        "Attendance Allowance is a benefit for people over State Pension age who need help to wash, dress or eat. It "
        "is not means tested, and your savings do not count. There are two rates: £72.65 and £108.55 a week.\n"
        "Ring the helpline for the form, or download it from our website. Fill it in with an adviser: our service is "
        "free and confidential, and we can visit you at home. If you are turned down, ask for a mandatory "
        "reconsideration, and then appeal. Once it is awarded you may get Pension Credit, Housing Benefit and a lower "
        "Council Tax bill.\nCall our advice line on weekdays from 9am to 4pm, or come to a drop-in session."
    )
    guide = segmented("Attendance Allowance: who can claim it", pensioners, "https://advice.example/")
    assert STUDENT_AID not in guide["purchase_intent"]["codes"]
    students = (
        "Apply for student finance before you have a place at university. The tuition fee loan is paid to the college; "
        "the maintenance loan and the grant come to you each term.\n"
        "Scholarships and bursaries need not be paid back: ask the university by March. Students with children get a "
        "grant for childcare. You repay your student loan when you earn more than £25,000."
    )
    aid = segmented("Student finance: loans, grants and bursaries", students, "https://advice.example/students/aid")
    assert STUDENT_AID in aid["purchase_intent"]["codes"]


@pytest.mark.parametrize(
    ("life", "is_famous"),
    [
        ("coxswain of the lifeboat for twenty years, who taught half of the harbour to splice", False),
        ("singer of the band Low Tide, whose album of 1984 reached the chart and whose fans still sing it", True),
    ],
)
def test_only_who_was_known_died_as_a_celebrity(life, is_famous):
    text = (
        f"Tributes were paid this week to Alun Pryce, {life}. He died at home on Sunday, aged 81, after a short "
        "illness. Born in the town in 1944, he left school at fifteen. He married Mair in 1968; she died in 2019. He "
        "leaves a son, a daughter and five grandchildren. He is remembered for his temper before breakfast and for "
        "his kindness after it. The funeral is at noon on Friday, and all who knew him are welcome."
    )
    found = read(f"Obituary: Alun Pryce, {life.partition(' ')[0]}, 1944-2025", text, "/obituaries/alun-pryce")
    assert ("Pop Culture > Celebrity Deaths" in {category.path for category in found.content.v3}) == is_famous


# Words of its own -----------------------------------------------------------------------------------------------------


def test_a_category_with_needs_is_given_where_its_words_are_said():
    needs = {row["path"]: row["words"].split("; ") for row in knowledge_rows("category_needs.tsv")}
    seen = set()
    for written in written_pages("english")[::8]:
        found = reading_of(written)
        for category in found.content.v3 if found else ():
            if category.path in needs and not thing_of(found.page) and not worded_so(found.page, category.path):
                said = count_terms(
                    frozenset(" ".join(words_of(word)) for word in needs[category.path]), *understood(found.page).stated
                )
                assert sum(said.values()) >= (1 if found.page.tokens < 60 else 2)
                seen.add(category.path)
    assert len(seen) >= 3


@pytest.mark.parametrize(("day", "is_of_beaches"), [("drove", False), ("lay on the beach, swam and surfed", True)])
def test_coasts_and_bays_in_the_names_of_places_make_no_holiday_at_the_beach(day, is_of_beaches):
    text = (
        f"From Walvis Bay the road follows the Skeleton Coast for six days. We {day} each morning until the fog "
        "lifted, and pitched the tents before the wind came. At Cape Cross the seals lie in their thousands. The sea "
        "is cold and the swell is heavy.\n"
        "Bring two spare wheels, water and a map. At the gate of the park they write your names into a ledger. We "
        f"{day} and met nobody but a jackal; in Torra Bay the shop had closed in 1990. It was the best journey of our "
        "lives, and the guest house at the end of it had a bath."
    )
    found = read("Skeleton Coast: Walvis Bay to Torra Bay", text, "https://farout.example/2024/coast").content.v3
    assert found[0].path == "Travel"
    assert ("Travel > Travel Type > Beach Travel" in {category.path for category in found}) == is_of_beaches


def test_who_names_the_parts_alone_is_of_the_whole_where_others_word_it_so():
    rebuilt = next(page for page in written_pages("english") if page["id"] == "typ1-020")
    reading = reading_of(rebuilt)
    assert "Automotive" in unsaid_but_worded(reading.page)
    assert mains(reading)[:1] == ["Automotive"]


def unsaid_but_worded(page):
    """Return the main categories of which a page says none of the words, and is worded as their pages are."""
    needs = {row["path"]: row["words"].split("; ") for row in knowledge_rows("category_needs.tsv")}
    said = {
        path: count_terms(frozenset(" ".join(words_of(w)) for w in words), *page.stated)
        for path, words in needs.items()
    }
    return [path for path, found in said.items() if sum(found.values()) < 2 and worded_so(page, path)]


def test_notes_of_a_program_that_name_no_language_are_of_no_language():
    text = (
        "5.2.1: A place can now belong to different counties at different dates. Import of place_list.csv is faster.\n"
        "5.2.0: The parish view shows all baptisms of a tree. Options --merge and --undo; max_depth is 40 by default.\n"
        "5.1.9: Fixed: export_tree() stopped at a missing date. Added: sync_folder in settings.ini. 5.1.8: small fixes."
    )
    paths = [c.path for c in read("Rootstock release notes", text, "https://roots.example/changelog/").content.v3]
    assert paths[0] == "Technology & Computing"
    assert not any(path.endswith("Programming Languages") for path in paths)


def test_agents_who_let_for_landlords_are_read_by_tenants_too():
    text = (
        "Homes to rent in the valley: two-bedroom flats from £850 a month, and a cottage with a garden. Tenants pay no "
        "fees; we meet you at the door and show you round.\n"
        "We let for landlords, too: inventory, rent collection and repairs. Call us for a valuation of the rent."
    )
    said = segmented("Lettings for tenants and for landlords", text, "https://lets.example/")["demographics"]
    assert said["home_ownership"] != "owner"


def test_a_house_that_its_data_lists_is_one_offer_whatever_its_address_says():
    head = '<script type="application/ld+json">{"@type": "RealEstateListing", "name": "Mill Cottage"}</script>'
    assert (
        content_type(page("Mill Cottage", REPORT, "https://homes.example/listings/mill", head=head))[0]
        == "product_page"
    )


KILN = (
    "Step inside the last brick kiln of the valley, sixty feet high and still warm on firing days. Bricks and floor "
    "slabs were made here by hand until 1961, and glass cases show what the workers dug out of the clay.\n"
    "Tickets last a year; children under five come in free. On Saturdays a mason lays bricks in the yard and you may "
    "lay one too. The tea room is in the old drying floor.\n"
    "Coaches are welcome. The bus stops at the gate, and a lift goes up to the top floor of the mill."
)


def test_home_and_garden_is_given_to_what_names_a_thing_of_either():
    found = read("The Brick Works \u2013 a day inside a working kiln", KILN, "https://brickworks.example/")
    assert "Home & Garden" not in mains(found)
    assert "Home and Garden" not in [category.path for category in found.content.filtering]


def test_a_line_about_the_house_or_the_garden_names_it_once():
    assert mains(classified(taken_apart("Quiet lawn mower with a wide deck"))) == ["Home & Garden"]


def test_changes_of_a_program_are_documentation_whatever_its_pages_are_marked_as():
    head = '<script type="application/ld+json">{"@type": "SoftwareApplication", "name": "Ledgerleaf"}</script>'
    text = (
        "4.2\nThe register remembers the order of its columns. Reports print on letter paper, too.\n"
        "4.1\nAccounts may be hidden. An import of bank statements no longer stops at a line without a date.\n"
        "4.0\nA new engine for reports, twice as quick. Files of version 3 are converted once, and a copy is kept."
    )
    found = page("Ledgerleaf: what is new", text, "https://ledgerleaf.example/releases/", head=head)
    assert content_type(found)[0] == "documentation"


def test_what_calls_itself_a_story_in_its_title_is_fiction():
    title = "The Lamp at Quarry Head (a short story) - Tidewrack"
    assert content_type(page(title, KILN, "https://tidewrack.example/works/20/"))[0] == "fiction"
    advice = "How to write a short story"
    assert content_type(page(advice, KILN, "https://tidewrack.example/works/21/"))[0] != "fiction"


def test_a_sport_that_is_named_less_often_than_the_one_beside_it_is_not_given():
    text = (
        "My squash has stopped getting better. I play squash twice a week at the leisure centre, and my forehand "
        "drops short. The coach says that I hold the racket like a tennis player, late and with a stiff wrist; the "
        "backhand is better. A faster ball might help, or a lighter racket. Who has had squash lessons at forty?\n"
        "Stay low, and hit the ball beside you. Squash is all wrist, tennis is all arm. Strings matter less than "
        "people think. Book a court alone for half an hour and play the same forehand two hundred times."
    )
    paths = [c.path for c in read("Stuck at squash: forehand drops short", text, "https://pub.example/t/9/").content.v3]
    assert paths[0] == "Sports"
    assert "Sports > Tennis" not in paths


def test_who_buys_software_for_letting_agents_rents_no_flat():
    text = (
        "Lettings software for agents on the high street. Tenants report a leak with a photograph, landlords see the "
        "rent come in, and your staff stop typing everything twice. References, deposits and inventories in one place. "
        "We move the data of your branch in a week. £49 a branch a month; book a demo with our team."
    )
    found = segmented("Latchkey: lettings software for agents", text, "https://latchkey.example/")
    assert not any("REAL_ESTATE" in code for code in found["purchase_intent"]["codes"])
    assert "Home Renters" not in {persona["persona"] for persona in found["personas"]}


def test_who_hires_out_an_access_platform_sells_no_program():
    text = (
        "Access platform hire for the gable and the gutter. A platform of 12 metres is £95 a day, one of 18 £140. "
        "We deliver before eight, show you the controls and hand over the harness. Our drivers are trained."
    )
    found = read("Access platform hire | Highreach", text, "https://highreach.example/")
    assert not any(name.startswith("PI.HARDWARE") for name in withheld(found.page))


def test_what_is_rented_by_the_week_is_no_real_estate():
    text = (
        "Full-frame bodies and fast lenses by the day or the week, sent by courier and collected. A week is seven days "
        "from the morning we deliver. A deposit is held on your card and given back when all is returned. The month "
        "rate is four weeks. Damage waiver is 12 per cent of the rental. Call before ten for the same day."
    )
    found = read("Lens rental | Glasshouse", text, "https://glasshouse.example/hire/")
    assert "Real Estate" not in {category.path for category in found.content.v3}


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Sound decoder stutters on the inside curve", "gender_skew=lean_female"),
        ("Teething troubles of the new tram", "life_stage=parents_of_infants"),
        ("First cars roll off the line at Kell", "age_bracket=18_24"),
        ("Beavers are back on the upper Tarn", "life_stage=parents_of_children"),
        ("Player requires version 11+", "life_stage=parents_of_children"),
        ("Five F1 hybrids for a short summer", "gender_skew=lean_male"),
    ],
)
def test_a_word_of_another_sense_in_a_title_says_nothing_of_readers(title, said):
    text = "What we know so far, what it costs and what comes next. Ask below, and read the answers of others first."
    name, _, value = said.partition("=")
    given = segmented(title, text, "https://pub.example/notes/12/")["demographics"][name]
    assert value not in (given if isinstance(given, list) else [given])


def test_a_diesel_is_no_lorry_and_a_wrench_in_a_laboratory_no_car():
    filtered = (
        "The DPF light came on three weeks ago, so I did as the handbook said: twenty minutes in fourth at 2,500 revs. "
        "It went out, and sixty miles later it was back. The garage wants £1,450 for a new filter and says that it is "
        "full. Soot 34 g, ash 58 g, differential pressure 2 mbar at idle. It is a 2013 diesel, 138,000 miles, manual. "
        "Could the sensor hose be split? Has anybody had the filter cleaned off the car?"
    )
    found = read("2.0 diesel: DPF light back after 60 miles", filtered, "https://owners.example/t/518/")
    assert found.content.v3[0].path == "Automotive"
    assert not any("Trucks" in category.path for category in found.content.v3)
    wrench = (
        "The wrench read 9 per cent high at the top of its range. Quarantine it, and ask what it has tightened since "
        "the last good certificate. Recalibrate after adjustment, at five points, in both directions. Record the "
        "reading as found; the auditor will ask. Shorten the interval if two in a row fail at the same set point."
    )
    given = read("Your torque wrench failed calibration. What now?", wrench, "https://gauges.example/blog/wrench")
    assert "Automotive" not in {category.path for category in given.content.v3}


def test_greens_and_a_clubhouse_are_of_bowls_as_well():
    text = (
        "Bowls club with two greens beside the dunes. Membership is open; a green fee is $10. The clubhouse "
        "bar opens at four. The greenkeeper has cored and sanded the lower green, and it will be slow for a fortnight. "
        "Saturday's club championship was won by two shots on the last green. Coaching is free, and the club lends you "
        "all you need. Bowls have been rolled here since 1926."
    )
    paths = [c.path for c in read("Kelp Bay Bowling Club", text, "https://kelpbaybowls.example/").content.v3]
    assert paths[0] == "Sports"
    assert "Sports > Golf" not in paths


def test_the_names_of_the_systems_on_which_a_program_runs_do_not_tell_its_subject():
    text = (
        "Releases for Windows, macOS and Linux. 5.4.1: the upload failed when the clock was wrong. 5.4.0: spots are "
        "grouped by band. Fixed: on macOS the map drew spots in the wrong column. Fixed: on Linux the font was small. "
        "Fixed: on Windows the installer asked twice. Added: import of contest files. Known issues: none on Linux."
    )
    found = read("Changelog - Skylog", text, "https://skylog.example/changelog/")
    assert not any(category.path.endswith("Operating Systems") for category in found.content.v3)


def test_a_sport_that_has_no_category_is_no_other_sport():
    text = (
        "Champions for the first time in 29 years after a {} final that had everything. {} is played here by "
        "all. A late goal settled it before "
        "11,400 people. The full forward hooked his man, the goalkeeper saved twice, and the ball came back off the "
        "post in the last minute of the match. The captain said {} in the parish would never be the same. The referee "
        "blew after four minutes of added time. The midfielder ran the second half, and the striker limped off."
    )

    def sports(name):
        found = read(
            "Kilmurrin end 29-year wait", text.format(name, name, name), "https://paper.example/news/kilmurrin"
        )
        return [category.path for category in found.content.v3]

    assert "Sports > Soccer" in sports("football")
    assert sports("hurling") == ["Sports"]


def test_words_that_several_sports_have_give_none_of_them():
    text = (
        "I changed my old racket for a light one in March, and my backhand has been short ever since. The forehand is "
        "fine and the volleys are quicker, but a straight drive dies before the back wall. Is it the racket or me?\n"
        "A bit of both: a light head gives you less for nothing. Take the backhand earlier, and let the racket swing. "
        "Try the old racket for a week; if the backhand comes back, sell the new racket to the third team."
    )
    paths = [c.path for c in read("Short backhand after changing racket", text, "https://pub.example/t/7/").content.v3]
    assert paths == ["Sports"]


ORDER = (
    "You'll just love all the patterns. It is not the same old magazine that your grandmother had, but full of fun "
    "designs, with news and patterns in every issue. Two years of back issues come with a paid subscription."
)


def test_the_name_of_a_host_says_what_a_short_page_is_about():
    def certainty(host, text):
        found = page("Subscribe today", text, f"https://{host}.example/order")
        return confidences(found, "content-v3")[Taxonomy.load("content-v3").by_path("Hobbies & Interests").id]

    assert certainty("crochetmagazine", ORDER) > certainty("magazine", ORDER)
    long = f"{ORDER} " * 5
    assert certainty("crochetmagazine", long) == certainty("magazine", long)


def test_sums_in_a_long_piece_that_sells_nothing_are_no_prices():
    sale = "The afternoon. Pie auction, $2,315 for the pool roof. One rhubarb went for $210 after two brothers bid. "
    day = (
        "The parade left the fire hall at ten with the school band in front, and the veterans rode behind it on a "
        "wagon. The mayor read the names, children threw sweets, and the rain held off until the fireworks were over. "
    )
    long = segmented("The Fourth of July in Millbrook", f"{sale}{day * 6}", "https://notebook.example/july4.html")
    assert long["content_context"]["price_signals"] == "none"


def test_wars_of_the_past_are_no_news():
    siege = (
        "The siege of Caerlow Castle began in March 1645. The garrison held the walls with two hundred muskets against "
        "an army of three thousand, and the artillery of the besiegers broke the gate in May. The troops surrendered, "
        "and the regiment marched out with its weapons. The war ended in the year after."
    )
    reference = segmented("Siege of Caerlow Castle", siege, "https://wiki.example/wiki/Siege_of_Caerlow_Castle")
    assert "INT.NEWS_AND_POLITICS" not in reference["interests"]["tier1"]
    report = segmented("Troops shell the castle", siege, "https://echo.example/news/troops-shell-the-castle")
    assert "INT.NEWS_AND_POLITICS" in report["interests"]["tier1"]


def test_who_bakes_goes_to_no_baker():
    text = (
        "Ingredients: flour, butter, two eggs, sugar and yeast.\nMethod: Preheat the oven to 180 degrees.\nStep 1. Mix "
        "the dough for the cupcakes and pastries and let it rise.\nStep 2. Bake the bread and the cupcakes on a tray.\n"
        "Step 3. Decorate the birthday cake; the patisserie of a bakery looks no better."
    )
    made = segmented("Cupcakes and pastries: a recipe", text, "https://crumbs.example/recipes/cupcakes")
    assert made["content_context"]["content_type"] == "guide"
    assert not [code for code in made["purchase_intent"]["codes"] if "FOOD_AND_BEVERAGE_SERVICES" in code]
    sold = (
        "Our bakery bakes bread, cupcakes and pastries. We take orders for birthday cakes and wedding cakes by "
        "telephone. Our patisserie delivers."
    )
    offer = segmented("Crumbs, the bakery on Quay Street", sold, "https://crumbs.example/")
    assert "PI.FOOD_AND_BEVERAGE_SERVICES.BAKERIES" in offer["purchase_intent"]["codes"]


def test_what_a_shelter_asks_for_an_animal_is_no_price():
    text = (
        "We find homes for parrots that have lost theirs. Amazons and macaws wait here for a second home.\n"
        "Adoption of a macaw: $650. Adoption of an Amazon: $450.\nRehoming of a pair of cockatiels: $320."
    )
    said = segmented("Second Perch: parrots for adoption", text, "https://perch.example/")
    assert said["content_context"]["price_signals"] == "none"
    sold = segmented("Parrots for sale", text.replace("Adoption of", "From our breeder:").replace("Rehoming of ", ""))
    assert sold["content_context"]["price_signals"] == "premium"


def test_the_law_and_the_weather_are_followed_by_who_reads_reports_of_them():
    text = (
        "The appeals court ruled on Tuesday that a will may be proved from a copy, officials said. The judge held that "
        "the solicitor who kept the original had a duty to search for it. The lawsuit began in 2019. A lawyer for the "
        "family said that the verdict was fair; the law society said it would study the ruling."
    )
    found = segmented("Court lets a copy stand for a lost will", text, "https://post.example/news/will")["interests"]
    assert (found["tier1"], found["tier2"]) == (["INT.NEWS_AND_POLITICS"], ["INT.NEWS_AND_POLITICS.LAW"])
    rain = (
        "Release 4 of the gridded rainfall has two changes. Gauges above 600 metres are weighed by exposure, and the "
        "grid of the uplands is one kilometre. Rainfall before 1961 is read from the yearbooks. The weather radar is "
        "not used. Missing days are filled from the nearest gauge."
    )
    changes = segmented("Changes of the rainfall grid", rain, "https://rain.example/docs/changes")["interests"]
    assert "INT.NEWS_AND_POLITICS" not in changes["tier1"]


def test_who_at_work_reads_what_others_read_too_is_told_where_it_is_stated_alone():
    for written in written_pages("english")[:400:3]:
        reading = reading_of(written)
        firms = profile_firms(reading.page, reading.content.v3) if reading else None
        if firms and firms.audience_type == "mixed":
            stated = stated_readers(reading.page).values
            assert set(firms.seniority) <= set(stated.get("seniority", ()))
            assert set(firms.job_function) <= set(stated.get("job_function", ()))
            assert not firms.industry


def test_a_letter_to_subscribers_is_a_post_however_its_publisher_marks_it():
    text = (
        "Every spring I ask which of the cheap oolongs is worth the money. I bought nine tins, brewed them blind with "
        "my sister, and wrote down what I thought before I looked. I was wrong about four of them."
    )
    marked = (
        '<meta property="og:type" content="article">'
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Oolong"}</script>'
    )
    for path in ("/p/the-cheap-oolong-question", "/p/nine-tins-from-58-hills"):
        assert content_type(page("The cheap oolong question - by F. Amini", text, path, head=marked))[0] == "blog"
    sold = f"{text}\nPrice: £7.40. In stock. Add to basket. Free delivery over £30."
    assert content_type(page("Oolong, 100 g", sold, "/p/oolong-100"))[0] != "blog"


def test_the_home_page_of_a_museum_is_no_event_and_its_price_list_none_of_goods():
    text = (
        "Step inside the station from which the first cable crossed the ocean. Guided tours on Saturday 14 June at "
        "11am; tickets at the door, doors open at 10am.\n- Adults £9\n- Children £4\n- Families £22\n- Concessions £7\n"
        "- Dogs £1\nTea room, free parking, and a shop with books."
    )
    assert content_type(page("Cable Station Museum", text, "https://cable.example/"))[0] == "landing_page"
    fair = text.replace("Step inside the station", "Exhibitors of forty firms meet at the station")
    assert content_type(page("Cable and Wire Expo", fair, "https://cable-expo.example/"))[0] == "event_page"


def test_a_paper_that_is_called_a_review_reviews_nothing_by_its_name():
    text = (
        "Alder scored in the third overtime on Tuesday to force a seventh game. The goalie stopped 58 shots. "
        "The Nordmen lead no more, their coach said after the game, and the deciding game is on Thursday at home."
    )
    named = '<meta property="og:site_name" content="Northern Review">'
    title = "Blizzard edge Nordmen in triple overtime | Northern Review"
    assert content_type(page(title, text, "https://flinpaper.example/hockey/overtime", head=named))[0] == "news"
    kept = content_type(page("Alder hockey stick | Review", text, "https://flinpaper.example/hockey/stick", head=named))
    assert kept[0] == "review"


def test_labels_a_minute_are_no_ages():
    text = (
        "Thermal label printer for couriers' labels, with a cutter and a stand for rolls of any make.\nSpeed: 60+\n"
        "Width: 4 inch\n£129.00, in stock, free delivery."
    )
    printed = segmented("Labrow label printer", text, "https://labels.example/products/labrow")
    assert not {"55_64", "65_74", "75_99"}.intersection(printed["demographics"]["age_bracket"])
    walked = segmented("Walking holidays 60+", text.replace("60+", "slow"), "https://labels.example/products/walks")
    assert "65_74" in walked["demographics"]["age_bracket"]


def test_who_serves_children_too_is_not_for_parents_alone():
    text = (
        "A friendly practice by the harbour, with evening hours on Tuesdays. We do check-ups, crowns and implants, "
        "and hold appointments for children on Wednesdays. Parking is behind the chapel. Call us before nine."
    )
    once = segmented("Quayside Dental Care", text, "https://quayside.example/")["demographics"]
    assert "parents_of_children" not in once["life_stage"]
    said = f"{text} Our dentists have time for children who are afraid, and a room for children who wait."
    assert (
        "parents_of_children"
        in segmented("Quayside Dental Care", said, "https://quayside.example/")["demographics"]["life_stage"]
    )
