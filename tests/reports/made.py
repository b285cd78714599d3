"""Reports put together by hand, for the writers: every kind of part and chart, of any size, also with hostile texts."""

import datetime as dt

import pandas as pd

from toolkit.charts.colours import group_colours
from toolkit.reports.contents import Advice, Card, Chart, Column, Fact, Group, Methods, Part, Report, Series, Table

AT = dt.datetime(2026, 11, 22, 9, 30, tzinfo=dt.UTC)
FOOTER = "Source: classification service · 28 of 30 sites answered · 22 November 2026"
HOSTILE = "<img src=x onerror=alert(1)>=cmd|' /C calc'!A0</script>"


def made_report(*, sites=30, groups=("Travel", "Food", "Finance"), hostile=False, **changed):
    """Return a report of so many sites in these groups, with every kind of part and chart."""
    bad = HOSTILE if hostile else ""
    names = [f"{bad}{name}" for name in groups]
    colours = {name: colour.removeprefix("#") for name, colour in group_colours(names).items()}
    members = [names[place % len(names)] if names else "" for place in range(sites)]
    hosts = [f"{'a-very-long-name-of-a-site-' * (place == 3)}{bad}site-{place + 1}.example" for place in range(sites)]
    labels = ["Families", "35 to 44 years", "Hotels", "Adventure Travel", "Cooking", "Investing", f"Retirement{bad}"]
    compared = pd.DataFrame({"label": labels, "rest": [0.3, 0.4, 0.2, 0.1, 0.35, 0.3, 0.25]})
    for place, name in enumerate(names):
        compared[name] = [((place * 7 + row * 5) % 11) / 11 for row in range(len(labels))]
        compared[f"{name} less the rest"] = compared[name] - compared["rest"]
        compared[f"{name} words"] = [
            f"{100 * value:+.0f}" if abs(value) > 0.3 else "" for value in compared[f"{name} less the rest"]
        ]
    table = Table(
        "Shares of the sites of each group that have a value",
        compared,
        (Column("label", "Value"), *(Column(name, f"{name}, % of sites", "percent") for name in [*names, "rest"])),
    )
    dots = Chart(
        "dots",
        "Travel sites reach families more often than the rest: 7 of 9, against 8 of 21.",
        compared,
        "label",
        (
            *([heated] if names else []),
        Part(
            "coverage",
            "Gaps",
            "12 of the 37 main topics are on none of the sites: Genres, Attractions and 10 more.",
            chart=Chart(
                "bars",
                "Travel 6 of 71 sub-topics, Sports 4 of 73.",
                pd.DataFrame({"topic": ["Travel", "Sports"], "seen": [6, 4], "tip": ["6 of 71", "4 of 73"]}),
                "topic",
                (Series("seen", "sub-topics seen"),),
                axis="Sub-topics seen, number",
                form="whole",
                tips="tip",
            ),
            table=Table("Main topics on no site", pd.DataFrame({"topic": ["Genres"]}), (Column("topic", "Topic"),)),
            footer=FOOTER,
        ),
        Part(
            "coverage",
            "More sites",
            "Ten more sites would show some two further topics.",
            chart=Chart(
                "lines",
                "Eleven topics are neared after thirty sites.",
                curve,
                "number",
                (Series("topics", "topics seen"),),
                axis="Topics, number",
                across="Sites, number",
                form="number",
            ),
            footer=FOOTER,
            is_appendix=True,
        ),
        Part("leads", "A lead", "Food sites may show prices more often: 5 of 8, against 7 of 20.", certainty="a lead"),
        Part(
            "sites",
            "Sites",
            "28 of 30 sites, with age and top interest",
            table=Table(
                "One row a site",
                pd.DataFrame(
                    {
                        "site": hosts,
                        "Spend": [1_000.5 * place for place in range(sites)],
                        "group": members,
                        "topic": ["Travel", "Food & Drink"] * (sites // 2) + ["Sports"] * (sites % 2),
                        "age": ["35 to 44 years"] * sites,
                    }
                ),
                (
                    Column("site", "Site"),
                    Column("Spend", "Spend", "number"),
                    Column("group", "Group"),
                    Column("topic", "Top topic"),
                    Column("age", "Age (inferred)"),
                ),
                group="group",
                site="site",
            ),
            footer=FOOTER,
            is_appendix=True,
        ),
    ]
    cards = tuple(
        Card(
            host,
            member,
            (
                ("Topics", (Fact("Main topic", "Travel > Hotels", "measured", "81 % sure"),)),
                ("Audience", (Fact("Age", "35 to 44 years", "inferred"), Fact("Persona", "Planners", "inferred", bad))),
                ("Your columns", (Fact("Spend", "1,000.50"),)),
            ),
        )
        for host, member in zip(hosts, members, strict=True)
    )
    given = {
        "title": f"Audience report: {sites} sites{bad}",
        "client": f"Northwind{bad}",
        "subtitle": "28 of 30 different sites answered · 22 November 2026",
        "at": AT,
        "answer": "A list of travel and food sites for families; its travel sites reach families twice as often.",
        "proofs": proofs,
        "advice": (
            Advice(
                "sites", "Take site-1.example and site-4.example.", "Together they reach all.", tuple(hosts[:2])
            ),
            Advice("audience", "Name families.", "15 of 28 sites reach them.", segment="LIFE.PARENTS_YOUNG"),
            Advice("gap", "Add sites about Automotive.", "None of the 28 is."),
        ),
        "parts": tuple(parts),
        "methods": Methods(
            (("Sites", "28 of 30 different sites answered"), ("Vocabulary", "1.1")),
            ("Shares have Wilson's interval. No other group differed.",),
            ("Audiences are inferred from what pages say.",),
            (Table("Sites without an answer", pd.DataFrame({"site": ["gone.example"]}), (Column("site", "Site"),)),),
        ),
        "groups": tuple(Group(name, colours[name], members.count(name)) for name in names),
        "cards": cards,
    }
    return Report(**given | changed)
