"""Nothing is sold to people in distress: debtors, addicts, mourners, the gravely ill, victims."""

import pytest
from written_pages import page

from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.offers import withheld
from toolkit.service.readers.personas import persona_categories
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified

TOLD = {
    "PI.FINANCE_AND_INSURANCE.CREDIT_CARDS": (
        "How I cleared three credit cards",
        (
            "Month thirty, and the last credit card is paid off. We owed eleven thousand pounds on three cards, "
            "and for a year only the minimum payments went out. The debt charity cut up my credit cards with me. "
            "If you are behind on yours, ring them before you look at another credit card, its interest rate or "
            "its rewards."
        ),
    ),
    "PI.FINANCE_AND_INSURANCE.PAYDAY_AND_EMERGENCY_LOANS": (
        "The bailiffs are at the door",
        (
            "Enforcement agents came for council tax arrears and I can't pay. A payday loan was the worst thing "
            "that I did; the loan was rolled over twice. Citizens advice says breathing space stops the interest "
            "for sixty days."
        ),
    ),
    "PI.ARTS_AND_ENTERTAINMENT.ONLINE_ENTERTAINMENT": (
        "Two years without a bet",
        (
            "My gambling addiction took the house deposit. I chased my losses on casino slots at night, in online "
            "casinos and on poker tables, until Gamblers Anonymous. Self-exclusion from every casino and betting "
            "site took an afternoon."
        ),
    ),
    "INT.FOOD_AND_DRINK.ALCOHOLIC_BEVERAGES": (
        "One hundred days sober",
        (
            "I stopped drinking in March. Wine on weekdays, whisky and beer at the weekend; then the wine every "
            "day. Sobriety began with AA meetings. I miss a glass of wine with dinner, and I do not miss the "
            "hangovers."
        ),
    ),
    "PI.FAMILY_AND_PARENTING": (
        "After our miscarriage",
        (
            "At twelve weeks there was no heartbeat. Friends did not know what to say about the miscarriage, and "
            "the cot had been ordered. Pregnancy loss is talked of little. Write a letter to the baby; plant a "
            "tree for it."
        ),
    ),
    "Grocery Shoppers": (
        "If you need food, come",
        (
            "The mobile pantry stops at the church on Tuesdays. Push a cart down the aisle and choose as in a grocery "
            "store: milk, eggs, canned goods, bread, fresh produce. No papers. Tell a neighbour that it is free food."
        ),
    ),
    "PI.TRAVEL_AND_TOURISM": (
        "Grief has no timetable",
        (
            "My mother died in spring, and the first Christmas without her was a fog. Grief comes in the "
            "supermarket. Being bereaved, you forget words. We went to her favourite beach, a holiday of a kind, "
            "and threw in the ashes."
        ),
    ),
    "PI.HEALTH_AND_MEDICAL_SERVICES.ALTERNATIVE_AND_NATURAL_MEDICINE": (
        "Palliative care at home",
        (
            "When cancer is incurable, a hospice nurse comes to you. Chemotherapy ends; herbs and natural "
            "remedies promise much and mend nothing. Pain relief is the aim of palliative medicine in the last "
            "weeks."
        ),
    ),
    "INT.HEALTHY_LIVING.WEIGHT_LOSS": (
        "What anorexia took from me",
        (
            "I was starving myself and ran ten kilometres a day to lose weight. Anorexia counts calories, and "
            "every diet was a door into it. An eating disorder team met me each week, and the scales went into a "
            "cupboard."
        ),
    ),
    "PI": (
        "If you are thinking about suicide",
        (
            "You can call the Samaritans at any hour. Many people have had suicidal thoughts and are glad today. "
            "Tell a friend; put away what you could use for self-harm; see your doctor today."
        ),
    ),
    "Singles and Daters": (
        "Leaving a man who hurts you",
        (
            "Domestic abuse is seldom only blows. Coercive control counts: your phone, your money, your friends. "
            "A women's refuge takes you and the children at night. An abuser is most dangerous when you go."
        ),
    ),
    "PI.FINANCE_AND_INSURANCE": (
        "I was scammed out of my pension",
        (
            "The trader on the telephone was fake, the fake website looked like my bank, and he was no adviser. "
            "Scammers ring at tea time. I lost my savings in an investment that promised nine per cent, and told "
            "nobody for a month."
        ),
    ),
    "PI.REAL_ESTATE.REAL_ESTATE_SALES": (
        "Sofa-surfing at nineteen",
        (
            "After the eviction there was nowhere to live. Homelessness is a bag that you guard. The council "
            "offered temporary accommodation, one room in a house with eleven others, and I said yes."
        ),
    ),
}


@pytest.mark.parametrize("withheld_name", TOLD)
def test_who_tells_of_distress_is_sold_nothing_that_feeds_on_it(withheld_name):
    found = page(*TOLD[withheld_name], path="/blog/4711")
    assert any(withheld_name.startswith(name) for name in withheld(found))
    said = structured_shape(found.url, classified(found))
    names = [*said["interests"]["tier1"], *said["interests"]["tier2"], *said["purchase_intent"]["codes"]]
    names += [persona["persona"] for persona in said["personas"]]
    assert not [name for name in names if name.startswith(withheld_name)]


QUIET = [
    (
        "Balance transfer cards compared",
        "Move debt to a card at 0 %. Keep up minimum payments, pay it off in time.",
    ),
    ("A dry white for summer", "This wine is sober in style. Serve it with fish; a glass or two, and a second bottle."),
    ("Loved ones at Christmas", "Presents for those whom you love, from socks to a weekend away."),
    ("The best poker rooms", "Chips, tables and a bar. The treatment of players is fair."),
    ("Redundant arrays of disks", "A redundant disk takes over when another fails."),
    ("Squad of suicide: the film", "A film with villains. The audience laughed."),
    ("Saying goodbye to summer", "The last figs, the first fires, and jumpers out of the drawer."),
]


@pytest.mark.parametrize(("title", "text"), QUIET)
def test_words_of_distress_alone_withhold_nothing(title, text):
    of_any_post = withheld(page("A walk to the mill", "Along the beck and back.", path="/blog/4711"))
    assert withheld(page(title, text, path="/blog/4711")) == of_any_post


def test_what_a_page_offers_itself_may_be_sold():
    text = (
        "We help families in grief. Our funeral directors look after the bereaved, day and night, and we take "
        "your loved one into our care. Our prices are plain: burial, cremation, headstone. Contact us to arrange "
        "the funeral."
    )
    assert "PI.LIFE_EVENTS" not in withheld(page("Funeral directors since 1911", text, path="/services/funerals"))
    assert "PI.LIFE_EVENTS" in withheld(page("Grief: a diary", text.replace("We ", "They "), path="/blog/diary"))


def test_a_group_for_mourners_sells_no_funerals_though_it_offers_help():
    text = (
        "Our grief support groups meet on Tuesdays. Grieving children make a memory box; bereaved families walk with "
        "us. A grief counsellor is there after every meeting."
    )
    mourned, offered = page("Grief support", text, path="/services/groups"), "PI.LIFE_EVENTS.FUNERAL"
    assert any(name.startswith(offered) or offered.startswith(name) for name in withheld(mourned))


def test_what_is_withheld_exists():
    codes = [row["code"] for name in ("interests.tsv", "purchase_intent.tsv") for row in knowledge_rows(name)]
    for row in knowledge_rows("distress.tsv"):
        for name in (*listed(row["never"]), *listed(row["unoffered"])):
            assert name in persona_categories() or any(code.startswith(name) for code in codes), name
