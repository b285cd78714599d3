"""Reports put together by hand, for the writers: every kind of part and chart, of any size, also with hostile texts."""

import datetime as dt

import pandas as pd

from toolkit.charts.colours import group_colours
from toolkit.reports.contents import (
    Advice,
    Card,
    Chart,
    Column,
    Fact,
    Group,
    Methods,
    OwnValues,
    Part,
    Report,
    Series,
    Table,
)

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
            *(Series(name, name, color=colours[name]) for name in names[:4]),
            Series("rest", "all other sites", is_rest=True),
        ),
        axis="Share of sites, %",
        by_group=tuple(OwnValues(name, name) for name in names),
    )
    heat = names and Chart(
        "heatmap",
        "Families are 40 points more common among travel sites than among the rest.",
        compared,
        "label",
        tuple(Series(f"{name} less the rest", name, words=f"{name} words") for name in names),
        axis="Difference from all other sites, percentage points",
        form="points",
    )
    heated = Part("groups", "Groups", "Travel stands out.", (), heat or None, table, footer=FOOTER, basis="inferred")
    proofs = (
        Part(
            "proofs",
            "Families",
            "Travel sites reach families twice as often as the rest: 7 of 9, against 8 of 21.",
            ("Two of the seven are the same publisher.",),
            dots if names else None,
            table,
            ("The difference is 40 points; 95 % interval 5 to 66.",),
            FOOTER,
            "clear",
            "two of the seven are the same publisher",
            "inferred",
            tuple(hosts[:7]),
        ),
    )
    shares = pd.DataFrame(
        {
            "label": ["Travel", "Food & Drink", "Personal Finance", "Sports"],
            "share": [0.3, 0.27, 0.23, 0.07],
            "low": [0.17, 0.14, 0.12, 0.02],
            "high": [0.48, 0.44, 0.41, 0.21],
            "count": [9, 8, 7, 2],
            "strong": [True, False, False, False],
            "tip": ["9 of 30 sites", "8 of 30 sites", "7 of 30 sites", "2 of 30 sites"],
        }
        | {f"in {name}": [0.1 * place, 0.9 - 0.1 * place, 0.5, 0.0] for place, name in enumerate(names)}
        | {f"with {name}": [place, 9 - place, 5, 0] for place, name in enumerate(names)}
        | {f"of {name}": [10] * 4 for name in names}
    )
    profile = Part(
        "profile",
        "Topics",
        "Three in ten sites are about Travel: 9 of 30, followed by Food & Drink (8) and Personal Finance (7).",
        ("Measured on the pages.",),
        Chart(
            "bars",
            "Travel 9 of 30 sites, Food & Drink 8, Personal Finance 7, Sports 2.",
            shares,
            "label",
            (Series("share", "all sites", "low", "high"),),
            axis="Share of sites, %",
            strong="strong",
            by_group=tuple(
                OwnValues(name, f"in {name}", f"with {name}", f"of {name}", "Share of 10 sites, %") for name in names
            ),
            tips="tip",
        ),
        Table(
            "Sites by topic",
            shares,
            (
                Column("label", "Topic"),
                Column("count", "Sites", "whole"),
                Column("share", "Share of sites, %", "percent", "low", "high"),
                *(Column(f"with {name}", f"{name}, sites", "whole", is_detail=True) for name in names),
                *(Column(f"of {name}", f"{name}, of sites", "whole", is_detail=True) for name in names),
            ),
        ),
        footer=FOOTER,
        basis="measured",
    )
    ages = Part(
        "profile",
        "Age",
        "Most sites reach people of 35 to 44 years: 18 of 28.",
        chart=Chart(
            "bars",
            "35 to 44 years 18 of 28.",
            pd.DataFrame({"age": ["25 to 34 years", "35 to 44 years"], "share": [0.4, 0.64]}),
            "age",
            (Series("share", "all sites"),),
            axis="Share of sites, %",
        ),
        footer=FOOTER,
        basis="inferred",
    )
    curve = pd.DataFrame({"number": range(1, 31), "topics": [11 * place / (place + 6) for place in range(1, 31)]})
    parts = [
        Part(
            "changes",
            "What changed",
            "Luxury prices came to 4 of the 28 sites that were asked twice.",
            chart=Chart(
                "slope",
                "Luxury prices from 1 to 5 of 28 sites.",
                pd.DataFrame({"label": ["luxury prices", "mid-range"], "then": [0.04, 0.3], "now": [0.18, 0.28]}),
                "label",
                (Series("then", "1 October 2026"), Series("now", "22 November 2026")),
                axis="Share of sites, %",
            ),
            footer=FOOTER,
            certainty="likely",
            basis="measured",
        ),
        profile,
        ages,
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
            Advice("sites", "Take site-1.example and site-4.example.", "Together they reach all.", tuple(hosts[:2])),
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
