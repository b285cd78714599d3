"""What a page hardly says is left out: nothing is better than what its readers would laugh at."""

import pytest
from written_pages import read, segmented

PRODUCT = (
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "x", '
    '"offers": {"@type": "Offer", "price": "89.00", "priceCurrency": "GBP"}}</script>'
)
COAT = (
    "The Harrier quilted jacket has a diamond-stitched shell, a corduroy collar and a tartan lining. Two "
    "patch pockets, a poacher's pocket inside and a two-way zip under press studs. The jacket is cut "
    "straight, with a vent at the back for riding and room for a jumper beneath. Wear this coat over knitwear"
    " in autumn. Machine washable at thirty degrees, reproof once a season. The model is six foot one and "
    "wears a medium."
)
GOWN = (
    "A bias-cut maxi dress in silk satin, with a cowl neck and a low back. The dress falls to the ankle and "
    "moves as you do. Wear it with heels to a wedding, or with a cardigan and flats. Women's sizes 8 to 20, "
    "lined to the hem. Our ladies' occasion dresses are sewn in Leicester."
)
SCHOOL = (
    "Summer gingham dresses for girls aged 3 to 12, in red, blue, yellow and green check. Zip front or button"
    " through, with a matching scrunchie. Our girls' school dresses are easy to iron and last the whole "
    "summer term.\n"
    "Zip Front Gingham Dress, Red £9.00\n"
    "Two-Pack Gingham Dress, Blue £14.00\n"
    "Skater Gingham Dress, Green £11.00\n"
    "Pleated Skirt, Grey £8.00\n"
    "Dress with Collar Bow £12.00\n"
    "Pinafore with Pockets £10.00"
)
AVALANCHE = (
    "At least six people have died and two are missing after an avalanche hit a ski hut above Valdrone on "
    "Sunday.\n"
    "The victims were having breakfast on the terrace of the mountain lodge when the slope gave way, police "
    "said. Rescuers with dogs searched the snow until nightfall. Three injured guests of the hotel were flown"
    " to hospital.\n"
    "The ski resort had opened its last lifts on Saturday. A spokesman said that the warning level was three "
    "of five. Holidaymakers from four countries were staying at the lodge."
)
LIBRARY = (
    "Use cut() to prune a branch and graft() to move it. A tree is planted with Tree.seed() and grows as you "
    "add leaves.\n"
    '>>> tree = hedge.load("plants.json")\n'
    '>>> tree.cut("dead_wood")\n'
    ">>> tree.graft(branch, onto=tree.root_stock)\n"
    "Every branch keeps its leaves in order. Call tree.harvest() to collect fruit, prune_below(depth) for a "
    "shallow hedge, and Tree.water() to refresh roots that were cached. The orchard is thread safe. See "
    "garden_bed.py."
)
CITY = (
    "Three days in Ghent{with_kids} is enough for canals, castles and far too many waffles. {who}\n"
    "1. The castle. {visitors} get a wooden sword and an audio guide told by a comedian.\n"
    "2. The boat trip. Forty minutes on the canals.\n"
    "3. The fry museum, a tram ride away in Bruges.\n"
    "Where we stayed: an apartment hotel by the river, two rooms and a kitchen. Take the train from Brussels,"
    " flights are cheap out of season."
)
FENCING = (
    "Our club meets at the leisure centre on Wednesdays. Beginners' course in fencing, foil and epee: six "
    "weeks, sabre from the seventh, kit lent. Fencers from eight to eighty. Our coach teaches epee on "
    "Thursdays. Piste, mask, lunge and parry: come and try it for free."
)
VANS = (
    "Ex-fleet panel vans from stock, all with six months' warranty, one owner and full service history. "
    "Finance and part exchange available to sole traders and limited companies.\n"
    "Ford Transit 350 L3 H2, 2021, 74,000 miles, ply lined, £14,995 + VAT\n"
    "Vauxhall Movano L2 H2, 2020, 81,000 miles, tow bar, £11,750 + VAT\n"
    "Peugeot Boxer 335 L3, 2019, 96,000 miles, roof rack, £9,495 + VAT\n"
    "Citroen Relay crew van, 2022, 38,000 miles, £17,250 + VAT"
)
CAMPERS = (
    "Campervans from stock, all with six months' warranty and full service history. Every camper sleeps two.\n"
    "Ford Transit campervan, 2021, 74,000 miles, pop-top, £34,995\n"
    "Volkswagen Transporter van conversion, 2020, 81,000 miles, gas hob and fridge, £41,750\n"
    "Peugeot Boxer camper van, 2019, 96,000 miles, fixed bed, £29,495"
)
DISK = (
    "The Corvid N5 is a 4TB M.2 NVMe solid state drive on PCIe 4.0, with 7,000MB/s reads and 6,300MB/s "
    "writes. TLC flash and a DRAM cache keep big game installs quick. Fits the PlayStation 5, laptops and "
    "desktop motherboards; cloning software and a screw are in the box. Data storage with hardware "
    "encryption, 2,400 TBW, five year warranty."
)
WEDDING = (
    "Actor Luke Harte and singer Mina Sol have married in a ceremony in Tuscany, her publicist said on "
    "Monday. The bride wore a wedding dress of lace, and the groom a velvet suit. The couple got engaged in "
    "May. Guests said the reception lasted until dawn, with three hundred roses and a wedding cake of nine "
    "tiers. The statement said that they asked for donations instead of wedding gifts. Harte was married "
    "before."
)
MOTORCYCLE = (
    "Left the bike in the garage over winter and now the engine turns but will not fire. New spark plug, fuel"
    " is fresh, the carbs were off in autumn. It is a 1998 500 twin with forty thousand miles. The starter "
    "motor spins, battery at 12.6 volts. Could it be the side stand switch or the clutch lever?\n"
    "Check for spark with the plug out and earthed on the head. If the side stand switch is broken the "
    "ignition is cut. Mine did that after a wet ride."
)
WIFI = (
    "My son's console cannot find the wifi upstairs. We have the provider's router in the hall and a repeater"
    " on the landing. Should I move the router, or buy a mesh?\n"
    "Try another wireless channel first, the neighbours' routers may be on yours. A mesh with three access "
    "points is the better answer in a brick house; run an ethernet cable to the second one if you can and "
    "switch the router's own wifi off. Check that DHCP runs on one box alone."
)


def personas(found):
    return {persona["persona"] for persona in found["personas"]}


def paths(found):
    return [category.path for version in (found.content.v3, found.content.v2) for category in version]


def test_a_jacket_of_which_no_sex_is_said_is_of_none():
    written = ("Harrier Quilted Jacket, Moss", COAT)
    found = read(*written, path="/products/harrier", head=PRODUCT)
    assert found.content.v3[0].path == "Style & Fashion"
    assert [path for path in paths(found) if "Women's" in path or "Men's" in path] == []
    said = segmented(*written, path="/products/harrier", head=PRODUCT)
    assert personas(said).isdisjoint({"Women's Fashion Shoppers", "Men's Fashion Shoppers"})
    assert (said["demographics"]["gender_skew"], said["demographics"]["life_stage"]) == (None, [])


def test_a_dress_is_a_womans():
    found = read("Selkie Maxi Dress", GOWN, path="/products/selkie", head=PRODUCT)
    assert "Style & Fashion > Women's Fashion" in paths(found)


def test_a_jacket_that_is_said_to_be_a_mans_is_a_mans():
    text = COAT.replace("The Harrier quilted jacket", "The Harrier men's waistcoat and jacket, cut for men,")
    found = read("Harrier Men's Quilted Jacket, Moss", text, path="/products/harrier", head=PRODUCT)
    assert [path for path in paths(found) if "Women's" in path] == []


def test_childrens_clothes_are_no_fashion_for_adults():
    written = ("Girls' Gingham School Dresses & Skirts", SCHOOL)
    found = segmented(*written, path="/c/school-dresses")
    assert "INT.STYLE_AND_FASHION.WOMENS_FASHION" not in found["interests"]["tier2"]
    assert [path for path in paths(read(*written)) if "Women's" in path] == []


def test_a_report_of_the_dead_speaks_to_nobody_who_comes_to_the_place():
    written = ("Six dead as avalanche hits ski lodge", AVALANCHE)
    found = read(*written, path="/news/avalanche")
    assert [category.path for category in found.content.v3 if category.tier > 1] == []
    assert {category.path for category in found.content.filtering}.isdisjoint({"Sports", "Travel"})
    said = segmented(*written, path="/news/avalanche")
    assert personas(said) == set()
    assert [code for code in said["interests"]["tier1"] if not code.startswith("INT.NEWS")] == []


def test_what_shows_programs_has_no_gardeners():
    written = ("Cutting and grafting branches | hedge", LIBRARY)
    said = segmented(*written, path="/guide/branches")
    assert personas(said) == set()
    assert said["interests"]["tier1"] == said["interests"]["tier2"] == said["demographics"]["life_stage"] == []
    assert read(*written, path="/guide/branches").content.filtering == ()


def test_who_travels_with_children_is_no_couple_without():
    with_kids = CITY.format(with_kids=" with kids", who="Our two are five and eight.", visitors="Children")
    for_two = CITY.format(with_kids="", who="Here is what we liked.", visitors="Visitors")
    childless = {"young_couple", "midlife_couple", "young_single", "empty_nester"}
    couples = segmented("Ghent: a city break for couples", for_two)["demographics"]
    assert couples["household_composition"] == "couple"
    said = segmented("Ghent with kids: a city break", with_kids)["demographics"]
    assert childless.isdisjoint(said["life_stage"])
    assert said["household_composition"] != "couple"


@pytest.mark.parametrize(
    ("written", "rest", "persona"),
    [
        (("Learn to fence with the Otterham Swords", FENCING), {"path": "/"}, "Olympics Viewers"),
        (("Used Panel Vans for the Trade", VANS), {"path": "/c/vans"}, "Van Life Travelers"),
        (("Luke Harte marries Mina Sol", WEDDING), {"path": "/news/harte-sol"}, "Couples Planning a Wedding"),
        (("500 twin cranks but won't start", MOTORCYCLE), {"path": "/forum/t/500-twin"}, "DIY Car Mechanics"),
        (("Wifi: repeater or mesh?", WIFI), {"path": "/forum/t/wifi"}, "Network Users and Administrators"),
        (("Corvid N5 4TB NVMe SSD", DISK), {"path": "/products/n5", "head": PRODUCT}, "Data Storage Users"),
    ],
)
def test_a_persona_needs_words_of_its_field(written, rest, persona):
    assert persona not in personas(segmented(*written, **rest))


def test_a_persona_whose_words_a_page_says_is_given():
    assert "Van Life Travelers" in personas(segmented("Campervans and Van Conversions", CAMPERS, path="/c/campers"))


def test_goods_for_everybody_are_no_business():
    said = segmented("Corvid N5 4TB NVMe SSD", DISK, path="/products/n5", head=PRODUCT)
    assert said["audience_type"] == "b2c"
    assert said["b2b"]["job_function"] == []


TERMS = (
    "The contributor warrants that no third party has rights in the pictures, and indemnifies the firm against claims, "
    "damages and legal fees. A court in Leeds decides disputes; liability is limited as far as the law of England "
    "allows. If a clause is void the others stand. An arbitrator may be named by either party; the attorney of the "
    "losing party bears its costs. Intellectual property is protected by copyright and trademark law, and an "
    "infringement may end in an injunction. The licensee may not sublicense, assign or pledge what is licensed. The "
    "statute of limitations is not waived by silence, nor is any remedy at law or in equity. A jury trial is waived "
    "where the law allows, and a class action excluded."
)


def test_who_reads_terms_of_use_looks_for_no_lawyer():
    offer = (
        "Our solicitors draft licences for our clients and negotiate them for you. Call us for a fixed quote. Our firm "
        "has acted for makers of software since 1988. Book a first consultation with one of our solicitors for free."
    )
    offered = segmented("Solicitors for contracts of licence", f"{offer} {TERMS}", path="/services/licence")
    told = segmented("What a contract of licence has to say", TERMS, path="/about/licence")
    assert offered["purchase_intent"]["codes"] == ["PI.LEGAL_SERVICES.ATTORNEYS"]
    assert personas(told) == {"Legal Information Seekers"}
    bound = segmented("Picspot Terms of Service", TERMS, path="/about/licence")
    assert "Law" in paths(read("Picspot Terms of Service", TERMS, path="/about/licence"))
    assert (bound["purchase_intent"]["codes"], personas(bound)) == ([], set())


def test_news_of_nobody_knows_what_are_not_said_to_be_of_politics():
    text = (
        "The small federation met on Saturday in a hall by the river, said its chairman. Nine came from the north, and "
        "twelve from the hills, he said on Sunday. It was the first time since Tuesday a week ago that all chairs were "
        "taken, a spokeswoman said. They will meet again on Monday."
    )
    said = segmented("They met again", text, path="/news/they-met")
    assert said["content_context"]["content_type"] == "news"
    assert said["interests"]["tier1"] == []
