"""What is said of a page's readers and kind fits what the page itself says."""

import pytest
from written_pages import read, segmented

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.ages import own_ages
from toolkit.service.readers.kinds.content_type import content_type
from toolkit.service.readers.profile import AT_HOME
from toolkit.service.readers.votes import firm_votes
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

WELSH = (
    "My language learning diary, month four. I'm 61 and my class has eleven people in it. We learn Welsh with a "
    "grammar book, flash cards and a lot of laughing. This week: past tense verbs, kitchen vocabulary, and a short "
    "conversation with a native speaker who was kind about my accent. Language lessons twice a week, an app at home."
)
CRASH = (
    "A lorry driver was killed and three people were injured when a lorry and two cars collided on the ring road on "
    "Tuesday. Police said the lorry left the carriageway near the petrol station. A second car, a hatchback with a "
    "dashboard camera, was hit by its trailer. The victims were taken to hospital, a spokesman said. Drivers were told "
    "to avoid the motorway until Wednesday morning while the vehicles are recovered and the brakes are examined."
)
PEDAL = (
    "This overdrive pedal gives an electric guitar a warm, growling distortion at any volume. Drive, tone and level "
    "knobs, true bypass switching, nine-volt supply. Put it before a tube amplifier and turn the drive past noon for "
    "rhythm guitar, or stack it with another pedal for solos. Guitarists on stage like how it cleans up."
)
HOW_TO = (
    "Hanging a shelf takes an hour. Find the studs with a detector, mark the wall with a pencil and a spirit level, "
    "drill pilot holes, put in wall plugs and screw the brackets tight. Paint the shelf before it goes up."
)
RAIN = (
    "Rain on the roof again.\nNobody told the roof.\nThe bucket keeps the time and keeps us company, and neither of us "
    "says anything until the morning comes to take the rain away.\nThe bucket is full of ceiling."
)
REGISTERS = (
    "Parish registers record baptisms, marriages and burials and are the first place where a family historian looks "
    "for ancestors before civil registration. Start with the church of the parish, then the diocese. The vicar wrote "
    "the names of the child and parents at baptism. Nonconformist chapels kept their own registers. Note godparents "
    "and witnesses: they are often relatives. A census and a will help to tell two cousins apart in the family tree."
)
VERDIGRIS = (
    "Verdigris, also called copper rust, is a green pigment that forms on copper. It was used by painters for "
    "centuries and is poisonous. It forms where copper meets acetic acid, and it turns brown with age."
)
LOG_IN = (
    "Enter your member number and the password that you chose. Forgotten your password? We can send you a new "
    "one to the phone that we have on file."
)
MISSING = (
    "Page not found. The page you are looking for may have moved or was removed. Go back to the homepage, or "
    "search for something else. If you typed the address, check the spelling."
)
MARKED = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle"}</script>'


def test_readers_of_a_writer_who_states_an_age_are_not_of_another():
    stated = segmented("Learning Welsh", WELSH)["demographics"]["age_bracket"]
    assert stated
    assert not {"18_24", "25_34", "35_44"}.intersection(stated)
    assert segmented("Learning Welsh", WELSH.replace("I'm 61 and my", "My"))["demographics"]["age_bracket"] == []


def test_what_is_known_of_a_subject_alone_makes_nobody_a_student_or_a_teenager():
    said = segmented("Learning Welsh", WELSH.replace("I'm 61 and my", "My"))["demographics"]
    assert "student" not in said["life_stage"]
    assert said["employment_status"] != "student"


def test_a_report_of_the_dead_has_no_car_enthusiasts():
    answer = segmented("Driver killed on the ring road", CRASH, path="/news/ring-road-crash")
    assert answer["content_context"]["content_type"] == "news"
    assert not [code for code in answer["interests"]["tier1"] if code.startswith("INT.AUTOMOTIVE")]
    assert answer["personas"] == []
    assert answer["purchase_intent"]["codes"] == []


def test_a_web_filtering_category_of_another_subject_is_not_given():
    content = read("Parish registers for family trees", REGISTERS).content
    assert content.v3[0].path == "Hobbies & Interests"
    assert [category.path for category in content.filtering] == ["Hobbies and Recreation"]


@pytest.mark.parametrize(
    ("text", "title", "rest", "kind"),
    [
        (HOW_TO, "How to hang a shelf", {"path": "/home/shelf", "head": MARKED}, "guide"),
        (HOW_TO, "Hang a shelf", {"path": "/guides/shelf", "head": MARKED}, "guide"),
        (f"★★★★☆\n{PEDAL}", "Growler overdrive pedal", {"path": "/gear/growler"}, "review"),
        (f"{PEDAL}\nVerdict: 8/10", "Growler overdrive pedal", {"path": "/gear/growler"}, "review"),
        (
            VERDIGRIS,
            "Verdigris | Pigments",
            {"path": "/pigments/verdigris"},
            "reference",
        ),
        (
            RAIN,
            "Bucket",
            {"path": "/p/20931-bucket"},
            "article",
        ),
        (
            LOG_IN,
            "Welcome back",
            {"path": "/login?next=/"},
            "tool",
        ),
        (
            MISSING,
            "404",
            {"path": "/products/kettle-9"},
            "landing_page",
        ),
    ],
)
def test_the_kind_of_page_is_told_by_what_it_is(text, title, rest, kind):
    assert content_type(read(title, text, **rest).page)[0] == kind


LEAVERS = (
    "Apprenticeships for school leavers aged 16 and 17. You have sat your GCSEs, and you want to earn while you learn. "
    "Bring your GCSE results to the open evening. Apprentices are paid from the first day, go to "
    "college one day a week, and qualify in three years. Teenagers who like to work with their hands do well here."
)


def test_teenagers_have_not_been_to_college():
    said = segmented("Apprenticeships for school leavers aged 16 and 17", LEAVERS)["demographics"]
    assert "teenager" in said["life_stage"]
    assert said["education_level"] in {None, "secondary", "vocational"}


PLAIN_SALT = (
    "We tested how plants take up salt. We grew beans in pots. Each pot got a measured dose of salt water. The beans "
    "with more salt grew less. Their leaves were thin and pale. We took the leaves and burned them. The ash was "
    "weighed. Then we looked at cells under a microscope. The cells with salt were small. The roots had lost their "
    "hairs. A gene for the salt pump was read more often. The botany lab repeats this each year."
)
LEARNED_SALT = (
    "Physiological investigations of salinity tolerance in leguminous plants demonstrated considerable heterogeneity "
    "among accessions, whereas transcriptional regulation of the sodium transporter correlated consistently with "
    "accumulation of osmoprotective metabolites in photosynthetically active tissues. Microscopic examination of root "
    "epidermal cells established that differentiation of root hairs deteriorates progressively under salinity."
)


def test_a_degree_is_not_said_of_the_readers_of_what_is_written_plainly():
    title = "Salt tolerance of beans: a study in plant physiology"
    plain, learned = read(title, PLAIN_SALT), read(title, LEARNED_SALT)
    said = [segmented(title, text) for text in (PLAIN_SALT, LEARNED_SALT)]
    assert [one["content_context"]["reading_level"] for one in said] == ["basic", "expert"]
    assert [one["demographics"]["education_level"] for one in said] == [None, "bachelor"]
    subject = find_subject("education_level=bachelor")
    assert explain(learned, subject)["given"]
    [lack, *_] = explain(plain, subject)["missing"]
    assert lack["text"].startswith("Readers of Science")
    assert lack["text"].endswith("nothing on this page says it of its own readers.")


GOLF = (
    "The practice green beside our golf club will be built anew this spring, for the old drains no longer take the "
    "water away from the bunkers when it rains. Golfers who like to putt there before a round can use the short course "
    "behind the car park, where the pro has cut a small green for all of us. The fairway of the seventh hole stays "
    "open, and so does the driving range. A caddie can be had on Saturdays. Members with a handicap above twenty may "
    "play from the forward tee until the end of May."
)


def test_a_degree_is_not_said_for_its_subject_alone_of_what_private_people_read():
    said = segmented("The practice green of our golf club", GOLF)
    assert (said["content_context"]["reading_level"], said["audience_type"]) == ("intermediate", "b2c")
    expected = {row["path"]: row["education_level"] for row in knowledge_rows("demographic_priors.tsv")}
    assert expected["Sports > Golf"] == "bachelor"
    assert said["demographics"]["education_level"] is None


AGENDAS = (
    "Agendas, minutes and papers in one program for clerks of councils and boards. Type the items once; the software "
    "makes the agenda, the pack and the draft minutes, numbers the resolutions and keeps the old versions. Members "
    "read the pack on a tablet. It runs in the browser and on Windows, and files stay searchable by date and word."
)


BULK = (
    "For companies that buy in bulk. Our business customers order online, pay on account and get one monthly "
    "statement. We supply offices, factories and public bodies. Wholesale terms, minimum order, prices excluding VAT. "
    "Our distributors and corporate buyers get pallets the next day, and the trade counter opens at six."
)


@pytest.mark.parametrize(
    ("title", "text", "path", "terms", "roles"),
    [
        (
            "Agenda software for clerks",
            AGENDAS,
            "Technology & Computing > Computing > Software and Applications",
            "Single sign-on and integrations are part of the enterprise plan; start a free trial.",
            {"information_technology"},
        ),
        (
            "Business accounts for trade customers",
            BULK,
            "Business and Finance > Business",
            "Read the case study of a growing enterprise, and request a quote for your business plan.",
            {"operations", "administration"},
        ),
    ],
)
def test_who_buys_what_any_trade_buys_is_told_by_words_of_a_department_alone(title, text, path, terms, roles):
    def told(words):
        reading = read(title, words, "/features")
        assert reading.content.v3[-1].path == path
        votes = firm_votes(reading.page, reading.content.v3)
        return {vote.value for vote in votes if vote.field == "job_function" and vote.kind == "prior"}

    assert told(text) == set()
    assert told(f"{text} {terms}") == roles


COTS = (
    "A solid beech cot with a base at three heights, for babies from birth to three years. The cot takes a mattress of "
    "60 by 120 cm, and its side drops for parents with a sore back. Nursery furniture that passes the safety standard: "
    "no gaps for little heads, no paint that a teething baby can chew. Matching changing table and crib."
)


def test_a_page_for_the_trade_says_nothing_of_lives_at_home():
    at_home = segmented("Beech cot for babies", COTS, path="/products/cot")
    terms = "We supply nursery shops on trade terms: minimum order of ten cots, prices ex VAT."
    trade = segmented("Beech cot, trade only", f"{terms} {COTS}", path="/products/cot")
    assert at_home["interests"]["tier1"] == ["INT.FAMILY_AND_RELATIONSHIPS"]
    assert at_home["demographics"]["household_composition"]
    assert at_home["demographics"]["income_level"]
    assert trade["audience_type"] == "b2b"
    assert "INT.FAMILY_AND_RELATIONSHIPS" not in trade["interests"]["tier1"]
    said = {name for name, value in trade["demographics"].items() if value}
    assert said.isdisjoint(AT_HOME)
    sold = read("Beech cot, trade only", f"{terms} {COTS}", path="/products/cot")
    for value in ("income_level=middle", "home_ownership=owner"):
        [lack] = explain(sold, find_subject(value))["missing"]
        assert lack["text"].startswith("The page speaks to people at work;")


def test_a_writers_age_is_read_in_a_title_that_goes_on_and_as_forums_write_it():
    assert own_ages("Writing a CV at 56 when you need one again", "") == (56,)
    assert own_ages("Turning 65 and still on the job", "") == (65,)
    assert own_ages("", "The letters began before my 62nd birthday.") == (62,)
    assert own_ages("“I'm only the keeper”: an interview with the bell-ringer", "I'm 71 and I climb up daily.") == ()
    titles = (
        "Turning 50 recipes into a book",
        "Turning 90 degrees",
        "Approaching 30 years in business",
        "Turning 40 acres",
    )
    assert [own_ages(title, "") for title in titles] == [()] * len(titles)
    assert own_ages("Moving in together", "My (27F) lease is up in June and so is his (29M).") == (27,)


LAPTOP = (
    "A laptop of 14 inches with an Intel processor, 16 GB of memory and a solid-state drive of 256 GB. The keyboard is "
    "lit, the battery lasts seven hours, and the charger and a dock for two screens are in the box with it."
)


def test_a_stated_price_is_weighed_by_its_currency():
    data = '{{"@type": "Product", "offers": {{"price": "31500", "priceCurrency": "{}"}}}}'
    offer = f'<script type="application/ld+json">{data}</script>'
    said = {
        currency: segmented("Laptop T480", LAPTOP, head=offer.format(currency))["content_context"]
        for currency in ("KES", "USD")
    }
    assert {name: told["price_signals"] for name, told in said.items()} == {"KES": "mid_range", "USD": "premium"}


def test_who_looks_for_work_is_no_firm_and_has_been_to_whatever_school():
    text = (
        "Our recruitment team hires two supervisors for the night shift of our cold store. You lead ten pickers, plan "
        "the rota, report to the operations manager and sign off the stock count for our customers in food logistics. "
        "Full-time, permanent, pension and a shift premium. Two years' experience of warehouse management systems. "
        "Apply with a CV; our human resources department holds interviews in the week after the closing date.\n"
        "Days\n£14.20\nNights\n£15.60\nSundays\n£18.40\nBank holidays\n£28.40\nForklift\n£16.10"
    )
    data = '<script type="application/ld+json">{"@type": "JobPosting", "title": "Supervisor"}</script>'
    told = segmented("Night supervisor", text, "/openings/88210", head=data)
    assert told["audience_type"] != "b2b"
    assert told["b2b"]["job_function"] == []
    assert told["demographics"]["education_level"] is None
    assert told["demographics"]["employment_status"] == "job_seeker"
    assert told["content_context"]["price_signals"] == "none"
