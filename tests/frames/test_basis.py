"""Whether a dimension is measured or inferred, and which frames say so."""

import pandas as pd

import toolkit as tk
from toolkit.findings import confidence_bands
from toolkit.frames import BASIS, DIMENSIONS

#: What is known of the readers of a subject, and counted nowhere.
INFERRED = (
    *("audience_type", "persona", "age_bracket", "life_stage", "gender_skew", "income_level", "education_level"),
    *("household_composition", "employment_status", "home_ownership", "urbanicity"),
    *("company_size_employees", "seniority", "job_function", "industry"),
)


def test_who_reads_is_inferred_and_what_stands_on_the_page_is_measured():
    assert list(BASIS) == list(DIMENSIONS)
    assert {name for name, basis in BASIS.items() if basis == "inferred"} == set(INFERRED)
    assert {BASIS[name] for name in ("interest", "purchase_intent", "content_type", "reading_level")} == {"measured"}


def test_codes_and_findings_carry_the_basis_of_their_dimension():
    run = tk.sample_run()
    codes = run.codes()
    for frame in (codes, run.shares(), run.compare("audience_type"), confidence_bands(codes), run.drift(run)):
        known = frame[frame["dimension"].notna()]
        assert known["basis"].astype("str").tolist() == [BASIS[name] for name in known["dimension"]]
    assert codes["basis"][codes["dimension"].isna()].isna().all()
    assert set(run.shares("content-v3")["basis"]) == {"measured"}


def test_a_dimension_that_nobody_declared_has_no_basis():
    rows = pd.DataFrame({"target": ["a.example"], "dimension": "mood", "code": "glad"})
    assert tk.findings.shares(rows)["basis"].isna().all()
