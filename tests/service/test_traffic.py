"""Traffic facts from a list of ranked domains that the operator supplies."""

import gzip

import pytest

import toolkit as tk
from toolkit import frames
from toolkit.interface import errors

SHOP, NEWS = "trailhead-outfitters.example", "cityherald-news.example"
LIST = f"1,top.example\n2,{SHOP}\n30,{NEWS}\n"


@pytest.fixture
def ranked(tmp_path):
    """Write a list and return its path."""

    def write(content, name="ranked.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def traffic(path, domain=SHOP, **options):
    with tk.Client(embedded=tk.service.Settings(ranked_domains=path)) as client:
        return client.enrich(domain, include="traffic", **options).raw["traffic"]


def test_without_a_list_no_traffic_is_stated(client):
    assert client.enrich(SHOP).raw["traffic"] == {}


@pytest.mark.parametrize(
    ("content", "rank"),
    [
        (LIST, 2),
        (LIST.replace("\n", "\r\n"), 2),
        (b"\xef\xbb\xbf" + LIST.encode(), 2),
        (gzip.compress(LIST.encode()), 2),
        (f"top.example\n{NEWS}\n{SHOP}\n", 3),
        (f"rank,domain\n1,top.example\n7,{SHOP.upper()}.\n", 7),
        (f"domain,note,rank\ntop.example,x,1\n{SHOP},y,8\n", 8),
        (f"GlobalRank,TldRank,Domain,PrevGlobalRank\n9,1,{SHOP},9\n", 9),
        (f"origin,rank\nhttps://www.{SHOP},1000\n", 1000),
        (f"1;top.example\n5;{SHOP}\n", 5),
        (f"1,top.example\n\n6,{SHOP}\n\n", 6),
        (f"1,bücher.example\n4,{SHOP}\n", 4),
        (f"9,{SHOP}\n3,www.{SHOP}\n", 3),
    ],
    ids=[
        "plain", "windows", "BOM", "gzip", "domain a line", "header", "columns by name", "Majestic", "CrUX",
        "semicolons", "blank lines", "own letters", "the better of two",
    ],
)  # fmt: skip
def test_the_rank_of_a_domain_is_the_list_s(ranked, content, rank):
    assert traffic(ranked(content))["traffic_rank"] == rank


def test_a_domain_that_is_not_in_the_list_has_no_traffic(ranked):
    assert traffic(ranked("1,top.example\n")) == {}


def test_a_subdomain_has_the_rank_of_its_registrable_domain_and_says_so(ranked):
    from toolkit.service.company.traffic import RankedDomains

    listed = RankedDomains(ranked("1,shop.example.co.uk\n2,example.co.uk\n3,co.uk\n"))
    assert listed.facts("blog.example.co.uk") == {"traffic_rank": 2, "ranked_domain": "example.co.uk"}
    assert listed.facts("shop.example.co.uk") == {"traffic_rank": 1, "ranked_domain": "shop.example.co.uk"}
    assert listed.facts("other.co.uk") == {}


def test_a_rank_alone_gives_no_visits_and_no_trend(ranked):
    assert traffic(ranked(LIST)) == {"traffic_rank": 2, "ranked_domain": SHOP}


@pytest.mark.parametrize(
    ("rank", "previous", "trend"),
    [
        (90, "100", "rising"),
        (91, "100", "stable"),
        (100, "100", "stable"),
        (100, "91", "stable"),
        (100, "90", "falling"),
        (100, "", None),
        (100, "0", None),
        (100, "-1", None),
    ],
)
def test_the_trend_compares_with_the_older_rank(ranked, rank, previous, trend):
    assert traffic(ranked(f"{rank},{SHOP},{previous}\n")).get("growth_trend") == trend


@pytest.mark.parametrize(
    ("visits", "text"), [("99", "50-100"), ("123456", "100K-500K"), ("500000", "500K-1M"), ("7000000000", "5B-10B")]
)
def test_visits_are_the_list_s_as_a_range(ranked, visits, text):
    assert traffic(ranked(f"domain,monthly_visits\n{SHOP},{visits}\n"))["monthly_visits"] == text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("1,top.example\nx,b.example\n", r"line 2 has no rank from 1 up but 'x'"),
        ("0,top.example\n", r"line 1 has no rank from 1 up but '0'"),
        ("1,top.example\n\n2,two words\n", r"line 3 has no domain but 'two words'"),
        ("1,top.example\n2\n", r"line 2 has 1 columns, not 2"),
        ("1,https://top.example/path\n", r"line 1 has no domain but"),
        ("1,top.example,last\n", r"line 1 has no whole number but 'last'"),
        ("hello,world,a,b\n", r"line 1 is 'hello,world,a,b'\. Write rank,domain"),
        (b"1,top.example\n2,\xff\n", r"line 2 is not UTF-8 text"),
        ("", r"is empty"),
        (gzip.compress(LIST.encode(), mtime=0)[:-9], r"is a damaged gzip file"),
        (b"\x1f\x8bno gzip", r"is a damaged gzip file"),
    ],
)
def test_a_bad_list_is_refused_at_the_door(ranked, content, words):
    path = ranked(content)
    with pytest.raises(errors.ConfigurationError, match=words) as caught:
        tk.service.Settings(ranked_domains=path)
    assert str(path) in str(caught.value)


def test_a_list_that_is_not_there_is_refused(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(errors.ConfigurationError, match=r"cannot be read: .*\. Check the path\."):
            tk.service.Settings(ranked_domains=path)


FAR = "".join(f"{rank},site{rank}.example\n" for rank in range(1, 2_001))


@pytest.mark.parametrize(
    ("line", "words"), [(b"2001,two words", "line 2001 has no domain"), (b"2001,\xff", "line 2001 is not UTF-8")]
)
def test_a_bad_line_far_down_is_told_on_first_use(ranked, line, words):
    with tk.Client(embedded=tk.service.Settings(ranked_domains=ranked(FAR.encode() + line))) as client:
        assert client.enrich(SHOP, include="company").company.name
        with pytest.raises(errors.ServerError, match=words):
            client.enrich(SHOP, include="traffic")


def test_a_long_list_is_read_to_its_end(ranked):
    many = "".join(f"{rank},site-with-a-long-name-{rank}.example\n" for rank in range(1, 60_001))
    assert traffic(ranked(f"{many}60001,{SHOP}\n"))["traffic_rank"] == 60_001
    assert traffic(ranked(f"{many}{SHOP}\n".replace(",", "\n").replace("\n\n", "\n")))["traffic_rank"] == 120_001


def test_the_environment_names_the_list(ranked, monkeypatch):
    monkeypatch.setenv("TOOLKIT_RANKED_DOMAINS", str(ranked(LIST)))
    with tk.Client() as client:
        assert client.enrich(SHOP).traffic.traffic_rank == 2
    with tk.Client(embedded=tk.service.Settings(ranked_domains=None)) as client:
        assert client.enrich(SHOP).traffic.traffic_rank is None


def test_serve_takes_the_list(ranked, start):
    served = start("--key", "listkey", "--ranked-domains", str(ranked(gzip.compress(LIST.encode()), "ranked.csv.gz")))
    with tk.Client("listkey", served.base, v1_api_key="listkey", v1_base_url=served.v1_base) as client:
        assert client.enrich(NEWS).traffic.traffic_rank == 30
        assert client.enrich(NEWS, format="xml").raw["traffic"] == {"traffic_rank": 30, "ranked_domain": NEWS}


def test_serve_refuses_a_list_with_a_bad_line_far_down(ranked, start):
    served = start("--ranked-domains", str(ranked(f"{FAR}oops\n")))
    _, complaint = served.stop()
    assert served.process.returncode == 1
    assert "line 2001 has 1 columns, not 2: 'oops'" in complaint


def test_traffic_reaches_the_frame(ranked):
    with tk.Client(embedded=tk.service.Settings(ranked_domains=ranked(f"3,{SHOP},9\n"))) as client:
        row = frames.companies(client.enrich(SHOP)).loc[0]
    assert (row["traffic_rank"], row["growth_trend"], row["ranked_domain"]) == (3, "rising", SHOP)


def test_a_message_about_a_list_shows_little_of_a_hostile_line(ranked):
    with pytest.raises(errors.ConfigurationError) as caught:
        tk.service.Settings(ranked_domains=ranked("1,top.example\n2," + "<script>" * 1_000))
    assert len(str(caught.value)) < 500
