"""Every ordinary sample page is answered sensibly: its subject, whom it speaks to, what it is not."""

import asyncio

from cases import every

from toolkit.interface.targets import parse_target
from toolkit.service.pages.fetching import Fetcher
from toolkit.service.readers.audience import map_codes
from toolkit.service.readers.personas import match_personas
from toolkit.service.readers.profile import profile_firms
from toolkit.service.subjects.readings import classified, taken_apart

#: Host or page; wanted top category, "-" for none; audience types that are right; codes and personas that are wrong.
ROWS = """
agrifields-coop|Business and Finance|b2b mixed|Car Owners and Drivers
atelier-lumiere|Style & Fashion|b2c|
azure-cove-resort|Travel|b2c|
brightfield-legal|Law|b2b mixed|
calmwater-yoga|Healthy Living|b2c|
campfire-rv|Travel|b2c|
careerlift|Careers|b2c|
cityherald-news|Politics|b2c|
clearwater-bank|Personal Finance|b2c|
cloudmast|Technology & Computing|b2b|
coinharbor-news|Business and Finance|b2c mixed|
compound-interest-weekly|Personal Finance|b2c|
emberstone-coffee|Food & Drink|b2c|
fairway-club|Sports|b2c|
fixit-homestead|Home & Garden|b2c|
freightloom|Business and Finance|b2b|
gadget-lens|Technology & Computing|b2c|
glowwell-beauty|Style & Fashion|b2c|
green-thumb-yard|Home & Garden|b2c|
harvest-table|Food & Drink|b2c|
hearth-and-beam|Home & Garden|b2c|
hirepath|Careers|b2b mixed|
inkwell-books|Books and Literature|b2c|
iron-temple-gym|Healthy Living|b2c|
keystone-homes|Real Estate|b2c|
ledgerline|Business and Finance|b2b|
littleacorns-school|Education|b2c|INT.TRAVEL.FAMILY_TRAVEL; Elementary School Teachers
medisupply-pro|Business and Finance > Industries > Healthcare Industry|b2b|
nestling-baby|Family and Relationships|b2c|
northgate-motors|Automotive|b2c|
openhands-charity|Business and Finance|b2c|
openlattice-dev|Technology & Computing|b2b|
pawsome-companions|Pets|b2c|
peakcycle|Sports|b2c|INT.AUTOMOTIVE.MOTORCYCLES; Car Owners and Drivers
pixelforge-games|Video Gaming|b2c|
precision-castings|Business and Finance|b2b|
railpass-europe|Travel|b2c|
riverside-dental|Medical Health|b2c|
scholarbridge|Education|b2c|
sentrywall|Technology & Computing|b2b|PI.HOME_AND_GARDEN_SERVICES.BUSINESS_AND_HOME_SECURITY_SERVICES
shieldwise-insurance|Personal Finance|b2c|
signalgrove|Business and Finance|b2b|INT.REAL_ESTATE.REAL_ESTATE_BUYING_AND_SELLING; Everyday Shoppers
silver-years|Family and Relationships|b2c|
stadium-pulse|Sports|b2c|
starlight-cinema|Entertainment|b2c|
stellar-notes|Science|b2c|
thrifty-basket|Shopping|b2c|
torque-journal|Automotive|b2c|
torque-journal.example/subscribe|-|b2c|Comic Book Collectors
trailhead-outfitters|Sports|b2c|RV Owners; Women's Fashion Shoppers
vinyl-attic|Entertainment|b2c|
vows-and-veils|Personal Celebrations & Life Events|b2c|
wanderlight-travel|Travel|b2c|
wellspring-health|Medical Health|b2c|
""".strip().split("\n")


async def read(target):
    return classified(taken_apart(await Fetcher().fetch(parse_target(target))))


@every("row", ROWS)
def test_a_page_is_answered_sensibly(row):
    name, wanted, audiences, wrong = row.split("|")
    reading = asyncio.run(read(name if "/" in name else f"{name}.example"))
    categories = reading.content.v3
    said = {match.persona for match in match_personas(reading.page, categories)}
    said |= {
        code
        for kind in ("interest", "purchase_intent")
        for code in map_codes(reading.page, kind, reading.content.v3).codes
    }
    assert wanted == "-" or wanted in {category.path for category in categories}
    assert profile_firms(reading.page, categories).audience_type in audiences.split()
    assert said.isdisjoint(wrong.split("; "))
