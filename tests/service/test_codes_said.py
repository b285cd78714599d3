"""A code is given where a page says it plainly, or what it offers entails it."""

import pytest
from written_pages import page

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.readers.audience import map_codes
from toolkit.service.readers.kinds.content_type import content_type
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.content import Scored
from toolkit.service.subjects.readings import classified

CLARINET = (
    "A box of 10 reeds for clarinet players in their second year. Warm tone, quick response. Also for alto and "
    "tenor saxophone. The clarinet reeds are cut from French cane; soak one in water before you play your "
    "instrument. £24.99, free delivery, in stock."
)
CLARINETS = CLARINET.replace("£24.99, free delivery, in stock.", "Musicians argue about them without end.")
DRESS = (
    "A bride wants her wedding dress to fit. Our seamstress takes in the bodice, shortens the hem of the wedding "
    "gown and adds a bustle to the train. Alterations take three fittings; bring your bridal shoes to each of "
    "them."
)
SERMON = (
    "On the first Sunday of Lent we read the Gospel of Matthew. Jesus fasts in the desert; the congregation "
    "prays, and the vicar preaches on temptation. Holy Communion is at ten. The church is open for prayer every "
    "day of Lent."
)
TRACTION = (
    "The excavator weighs 1.6 tonnes and goes through a garden gate. A bucket of 30 cm is on it, a breaker costs "
    "more. The engine is a diesel, and the tracks are of rubber. The vehicle is brought to you on a trailer and "
    "fetched again."
)


def answer(*written, **rest):
    found = page(*written, **rest)
    return content_type(found)[0], structured_shape(found.url, classified(found))


def test_a_short_text_with_a_price_and_terms_of_sale_sells():
    kind, said = answer("Clarinet Reeds, Strength 2.5, Box of 10", CLARINET, path="/clarinet-reeds")
    assert kind == "product_page"
    assert said["purchase_intent"]["codes"] == ["PI.HOBBIES_AND_INTERESTS.MUSICAL_INSTRUMENTS_AND_ACCESSORIES"]
    assert answer("Clarinet Reeds", CLARINETS, path="/clarinet-reeds")[0] != "product_page"


def test_a_price_without_terms_of_sale_is_no_offer():
    text = CLARINETS + " I paid £24.99."
    assert answer("What I think of clarinet reeds", text, path="/clarinet-reeds")[0] != "product_page"


def test_what_asks_or_advises_is_no_offer_whatever_it_costs():
    text = (
        "Carers get £240 a week, in stock of patience. The first visit takes two hours, the course is free; a spare "
        "room of 7 m² will do. Replacement beds are supplied with a mattress of 90 x 190 cm."
    )
    assert answer("Could I foster?", text, path="/foster")[0] != "product_page"


def test_a_dress_that_is_altered_is_not_laundry():
    _, said = answer("Wedding Dress Alterations", DRESS, path="/")
    assert not any("LAUNDRY" in code for code in said["purchase_intent"]["codes"])


def test_who_reads_of_a_faith_is_not_said_to_be_interested_in_families():
    _, said = answer("First Sunday of Lent", SERMON, path="/blog/lent")
    assert said["interests"]["tier1"] == []


def test_vehicles_of_no_kind_are_not_sold_parts():
    path, head = "/shop/plant", '<meta property="og:type" content="product">'
    _, said = answer("Mini excavator", TRACTION, path=path, head=head)
    assert "PI.AUTOMOTIVE_PRODUCTS.AUTOMOTIVE_PARTS_AND_ACCESSORIES" not in said["purchase_intent"]["codes"]


DRILL = (
    "Cordless drill with two batteries and a charger. The chuck takes 13 mm bits; the remote servo of the torque "
    "setting has twenty steps. Drill into brick, wood and steel. The battery shows its charge."
)
SERUM = (
    "A face serum for dull skin, with fifteen per cent vitamin C. Smooth four drops over a clean face each "
    "morning, then moisturiser and SPF. Skin looks brighter after a month. The serum suits all skin types but the "
    "most sensitive skin."
)


@pytest.mark.parametrize(
    ("title", "text", "code"),
    [
        ("Cordless combi drill", DRILL, "INT.HOBBIES_AND_INTERESTS.RADIO_CONTROL"),
        ("Daylight face serum", SERUM, "INT.HEALTHY_LIVING.NUTRITION"),
    ],
)
def test_a_part_or_a_setting_is_no_interest(title, text, code):
    assert code not in answer(title, text, path="/shop/it")[1]["interests"]["tier2"]


TILLS = (
    "Take orders at the table, split the bills and send tickets to the kitchen of the restaurant. Our till "
    "software runs on tablets. Stock, rotas and menu margins in one dashboard. From £49 a month for each "
    "restaurant or café. Book a demo with our sales team; trade accounts only."
)
REMOVAL = (
    "Regret the name on your arm? Our laser fades tattoos in six to ten sessions, all colours of ink but yellow. "
    "Sessions take ten minutes. Our nurses have removed tattoos since 2009. Book your tattoo consultation with us "
    "online."
)
PRAM = (
    "Two thousand prams have been recalled because a front wheel may come off, the product safety office said on "
    "Tuesday. Consumers should stop using the product at once; owners get a refund or a repair kit from the "
    "retailer. The recall covers all serial numbers. Consumer rights: a faulty product must be mended or "
    "replaced."
)


def test_what_is_done_for_private_people_is_not_sold_to_firms():
    _, said = answer("Till software for restaurants", TILLS, path="/pos/till")
    assert said["audience_type"] == "b2b"
    assert not any("FOOD_AND_BEVERAGE_SERVICES" in code for code in said["purchase_intent"]["codes"])


def test_who_has_a_tattoo_taken_off_wants_no_other():
    _, said = answer("Laser tattoo removal", REMOVAL, path="/tattoo-removal")
    codes = [*said["interests"]["tier2"], *said["purchase_intent"]["codes"]]
    assert not {"INT.STYLE_AND_FASHION.BODY_ART", "PI.BEAUTY_SERVICES.PIERCING_AND_TATTOOING"} & {*codes}
    assert "Tattoo Enthusiasts" not in {persona["persona"] for persona in said["personas"]}


def test_who_reads_of_a_recall_is_no_business_reader():
    _, said = answer("Pram recalled after wheels came off", PRAM, path="/recalls/pram")
    assert "INT.BUSINESS_AND_FINANCE" not in said["interests"]["tier1"]


def test_a_group_is_given_where_words_and_a_likely_category_agree():
    text = (
        "A stay-and-play morning for fathers, grandfathers and any man who looks after somebody small. Mats for "
        "babies, paint, and a song at the end. For children up to five; older brothers may come. Two pounds a family."
    )

    def groups(path):
        found, step = page("Saturday Dads", text), Taxonomy.load("content-v3").by_path(path)
        return map_codes(found, "interest", (Scored(step.id, step.path, 1, 0.45),)).groups

    assert groups("Family and Relationships") == ("INT.FAMILY_AND_RELATIONSHIPS",)
    assert groups("Automotive") == ()


def test_a_job_is_no_goods():
    text = (
        "We seek a teacher of mathematics for Key Stages 3 and 4 at our girls' school, from September. Closing date 4 "
        "April. Apply with a letter to the headteacher; visits to the school and its lessons are welcome."
    )
    _, said = answer("Teacher of Mathematics", text, path="/jobs/maths-teacher")
    assert "PI.EDUCATION_AND_CAREERS.TEACHING_RESOURCES" not in said["purchase_intent"]["codes"]


LAWYERS = (
    "Our solicitors act for families in divorce, in disputes over a will and when a house is bought. A first meeting "
    "costs £90 and lasts an hour. The lawyer whom you meet is the lawyer who writes your letters. If it comes to a "
    "hearing before a judge, we find you a barrister. Ring the office, or call in: the door is beside the bank."
)


def test_the_clients_of_a_law_firm_follow_no_news():
    _, said = answer("Sedgwick & Moss, solicitors", LAWYERS, path="/")
    assert said["purchase_intent"]["codes"] == ["PI.LEGAL_SERVICES.ATTORNEYS"]
    assert not any("NEWS" in code for code in said["interests"]["tier1"] + said["interests"]["tier2"])
