"""Percentages are written one way in every report: in its texts, its tables and the formats of its cells."""

import re
import zipfile

import pytest
from reports.listed import listed
from signs import seen, tight_in

#: Parts of a deck and of a workbook in which something is written, and what says how.
WRITTEN = re.compile(r"ppt/(slides|notesSlides|charts)/[^/]*\.xml|xl/(sharedStrings|styles|charts/[^/]*)\.xml")
FORMAT = re.compile(r'formatCode(?:="([^"]*)"|>([^<]*)<)')


@pytest.fixture(scope="module")
def run(sample):
    """Sites enough for shares to be told in percent, with a weight."""
    return listed(sample.run, 120, table={"Spend": [10 + site % 7 for site in range(120)], "Kind": ["a", "b"] * 60})


def test_findings_write_a_percentage_with_its_blank(run):
    found = run.findings(weight="Spend")
    texts = [*found["sentence"], *found["against"].dropna()]
    assert any(re.search(r"\d %", text) for text in texts)
    assert tight_in("\n".join(texts)) == []


@pytest.mark.parametrize("ending", ["html", "pptx", "xlsx"])
def test_a_report_writes_a_percentage_with_its_blank(run, tmp_path, ending):
    path = run.report(tmp_path / f"report.{ending}", groups="Kind", weight="Spend")
    if ending == "html":
        texts = [seen(path.read_text(encoding="utf-8"))]
    else:
        with zipfile.ZipFile(path) as file:
            sources = [file.read(name).decode() for name in file.namelist() if WRITTEN.fullmatch(name)]
        formats = ["".join(found) for source in sources for found in FORMAT.findall(source)]
        texts = [seen(source) for source in sources] + formats
        assert any(re.search(r"0 %", text) for text in formats)
    assert any(re.search(r"\d[ \xa0]%", text) for text in texts)
    assert tight_in("\n".join(texts)) == []
