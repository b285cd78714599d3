"""Domains and URLs in normal form."""

import pickle
import re

import pytest
from cases import every
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolkit.interface import targets
from toolkit.interface.errors import TargetError
from toolkit.interface.targets import Target, is_tracking_parameter, parse_domain, parse_target, registrable_domain

repeatable = settings(max_examples=100)

LABELS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)
HOSTS = st.builds(
    lambda www, labels, ending: ".".join([*www, *labels, ending]),
    st.lists(st.just("www"), max_size=2),
    st.lists(LABELS | st.sampled_from(["bücher", "例え", "Straße", "shop"]), min_size=1, max_size=3),
    st.sampled_from(["com", "example", "co.uk", "github.io", "DE", "рф"]),
) | st.sampled_from(["10.0.0.1", "[2001:db8::1]", "[::1]"])
PATHS = st.text(st.sampled_from("abAB/.;~%é0-:@!+=,&'"), max_size=20).map(lambda text: "/" + text)
QUERIES = st.lists(st.sampled_from(["a=1", "b=é", "utm_source=x", "q=a+b", "x[]=1", "gclid=2", "%", "c"]), max_size=4)
URLS = st.builds(
    lambda scheme, host, port, path, query, fragment: f"{scheme}{host}{port}{path}{query}{fragment}",
    st.sampled_from(["", "http://", "https://", "HTTPS://", "//"]),
    HOSTS,
    st.sampled_from(["", "", ":", ":80", ":443", ":8080"]),
    st.just("") | PATHS,
    QUERIES.map(lambda parts: "?" + "&".join(parts) if parts else ""),
    st.sampled_from(["", "#top"]),
)


def parses(text):
    try:
        parse_target(text)
    except TargetError:
        return False
    return True


def refused(text):
    with pytest.raises(TargetError) as caught:
        parse_target(text)
    return str(caught.value)


def test_public_names_are_sorted_and_there():
    assert targets.__all__ == sorted(targets.__all__)
    assert all(hasattr(targets, name) for name in targets.__all__)


@every(
    ("text", "normal"),
    [
        ("example.com", "example.com"),
        ("EXAMPLE.com", "example.com"),
        ("  example.com\n", "example.com"),
        ("\ufeffexample.com", "example.com"),
        ("\ufeff example.com", "example.com"),
        ("\u3000\x85example.com\u2028 ", "example.com"),
        ("http://example.com:443", "example.com"),
        ("www.www.example.com", "example.com"),
        ("example.com\u200b", "example.com"),
        ("//example.com", "example.com"),
        ("example.com.", "example.com"),
        ("example.com/", "example.com"),
        ("https://example.com/#top", "example.com"),
        ("http://example.com", "example.com"),
        ("HTTP://example.com/A", "example.com/A"),
        ("example.com/a/../b/./c", "example.com/b/c"),
        ("example.com/../../a", "example.com/a"),
        ("example.com/é", "example.com/%C3%A9"),
        ("example.com/%C3%A9", "example.com/%C3%A9"),
        ("example.com/a?b=1#c", "example.com/a?b=1"),
        ("example.com/?", "example.com"),
        ("foo_bar.example", "foo_bar.example"),
        ("ab--cd.example", "ab--cd.example"),
    ],
)
def test_a_target_is_put_in_normal_form(text, normal):
    assert parse_target(text).normal == normal


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("www.example.com", "example.com"),
        ("WWW.Example.Com", "example.com"),
        ("https://www.example.com/page", "example.com"),
        ("www2.example.com", "www2.example.com"),
        ("wwwexample.com", "wwwexample.com"),
        ("shop.www.example.com", "shop.www.example.com"),
        ("www.com", "www.com"),
        ("www.co.uk", "www.co.uk"),
        ("www.github.io", "www.github.io"),
    ],
)
def test_a_leading_www_is_dropped_unless_it_is_the_name_itself(text, domain):
    assert parse_domain(text) == domain


def test_www_is_kept_in_the_url_to_fetch():
    assert parse_target("www.example.com/a").url == "https://www.example.com/a"


@every(
    ("text", "domain"),
    [
        ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("bu\u0308cher.example", "xn--bcher-kva.example"),
        ("www.bücher.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
        ("straße.example", "xn--strae-oqa.example"),
        ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
        ("ex\u00adample.com", "example.com"),
        ("ⓔxample.com", "example.com"),
        ("_dmarc.bücher.example", "_dmarc.xn--bcher-kva.example"),
    ],
)
def test_a_domain_in_its_own_letters_becomes_ascii(text, domain):
    assert parse_target(text).domain == domain


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("xn--bcher-kva.example", "bücher.example"),
        ("bücher.example", "bücher.example"),
        ("https://www.xn--strae-oqa.example/a", "straße.example"),
        ("example.com", "example.com"),
        ("foo_bar.example", "foo_bar.example"),
        ("10.0.0.1", "10.0.0.1"),
        ("[::1]", "::1"),
    ],
)
def test_a_domain_can_be_shown_in_its_own_letters(text, letters):
    assert parse_target(text).domain_unicode == letters


@pytest.mark.parametrize(
    ("text", "port", "url"),
    [
        ("example.com", None, "https://example.com/"),
        ("example.com:", None, "https://example.com/"),
        ("https://example.com:443", None, "https://example.com/"),
        ("http://example.com:80", None, "http://example.com/"),
        ("example.com:8080/a", 8080, "https://example.com:8080/a"),
        ("http://localhost:8888", 8888, "http://localhost:8888/"),
        ("https://example.com:80", 80, "https://example.com:80/"),
    ],
)
def test_a_port_is_kept_where_it_is_not_the_schemes_own(text, port, url):
    target = parse_target(text)
    assert (target.port, target.url) == (port, url)


@pytest.mark.parametrize("text", ["example.com:99999", "example.com:abc", "example.com:-1", "https:example.com"])
def test_a_port_that_is_none_is_refused(text):
    assert "is not a valid URL" in refused(text)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("http://192.0.2.7:8080/a", "192.0.2.7:8080/a"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("https://[2001:DB8::1]:8443/a", "[2001:db8::1]:8443/a"),
        ("[2001:db8:0:0:0:0:0:1]", "[2001:db8::1]"),
    ],
)
def test_an_address_is_a_target(text, normal):
    assert parse_target(text).normal == normal


@pytest.mark.parametrize("text", ["192.0.2.7", "[2001:db8::1]"])
def test_an_address_has_no_registrable_domain(text):
    target = parse_target(text)
    assert (target.registrable, target.is_subdomain) == (None, False)


@pytest.mark.parametrize("text", ["256.1.1.1", "1.2.3", "1.2.3.4.5", "example.123", "１２７.０.０.１"])
def test_a_host_that_ends_in_a_number_but_is_no_address_is_refused(text):
    assert refused(text) == f"'{text}' ends in a number but is no valid IPv4 address. Check the domain."


@pytest.mark.parametrize("text", ["[fe80::1%25eth0]", "http://[fe80::1%eth0]/"])
def test_an_address_with_a_zone_is_refused(text):
    assert not parses(text)


@pytest.mark.parametrize("text", ["http://2130706433", "http://0x7f000001", "http://127.0.0.0x1", "0x7f.0x1"])
def test_an_address_in_disguise_is_refused(text):
    assert not parses(text)


@every(
    "name",
    ["utm_source", "UTM_Campaign", "utm_anything", "gclid", "GCLID", "fbclid", "msclkid", "mc_cid", "_ga", "mtm_group"],
)
def test_a_tracking_parameter_is_known(name):
    assert is_tracking_parameter(name)


@pytest.mark.parametrize("name", ["page", "id", "q", "", "utm", "gclid2", "xutm_source", "ga", "source"])
def test_a_parameter_that_names_content_is_no_tracking_parameter(name):
    assert not is_tracking_parameter(name)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("example.com/?utm_source=a&size=9&gclid=x", "size=9"),
        ("example.com/?size=9&UTM_SOURCE=a&colour=red", "size=9&colour=red"),
        ("example.com/?utm_source=a", ""),
        ("example.com/?b=2&a=1", "b=2&a=1"),
        ("example.com/?page", "page"),
        ("example.com/?a=1&&b=2", "a=1&b=2"),
        ("example.com/?q=a+b%20c", "q=a+b%20c"),
        ("example.com/?q=é", "q=%C3%A9"),
        ("example.com/?a[]=1", "a[]=1"),
    ],
)
def test_tracking_parameters_are_dropped_and_the_rest_keeps_its_order(text, query):
    assert parse_target(text).query == query


def test_only_tracking_parameters_leave_a_whole_domain():
    assert parse_target("https://example.com/?utm_source=a&fbclid=b").is_domain


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("example.com?a=1", "example.com/?a=1"),
        ("https://example.com", "http://www.example.com/"),
        ("example.com/a#x", "example.com/a"),
        ("Bücher.example/a", "https://xn--bcher-kva.example/a?utm_medium=x"),
        ("https://example.com:443/a", "example.com/a"),
    ],
)
def test_the_same_page_spelt_in_two_ways_has_one_normal_form(one, other):
    assert parse_target(one).normal == parse_target(other).normal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("example.com/a", "example.com/A"),
        ("example.com/a", "example.com/a/"),
        ("example.com:8080", "example.com"),
        ("example.com/?a=1&b=2", "example.com/?b=2&a=1"),
        ("shop.example.com", "example.com"),
    ],
)
def test_different_pages_keep_different_normal_forms(one, other):
    assert parse_target(one).normal != parse_target(other).normal


@pytest.mark.parametrize(
    "url",
    [
        "https://archive.example/web/2020/https://example.com/",
        "https://example.com/a//b",
        "https://example.com/a;b=1/c;",
        "https://example.com/Case/Matters",
        "https://example.com/a%2Fb",
        "https://example.com/a+b,c:d@e!$&'()*",
        "https://example.com/a?next=https://other.example/x?y=1",
    ],
)
def test_the_url_to_fetch_is_the_one_that_was_given(url):
    assert parse_target(url).url == url


@every(
    ("host", "registrable"),
    [
        ("example.com", "example.com"),
        ("a.b.example.com", "example.com"),
        ("example.co.uk", "example.co.uk"),
        ("shop.example.co.uk", "example.co.uk"),
        ("co.uk", None),
        ("com", None),
        ("github.io", None),
        ("someone.github.io", "someone.github.io"),
        ("a.someone.github.io", "someone.github.io"),
        ("someone.blogspot.com", "someone.blogspot.com"),
        ("xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("a.trailhead.example", "trailhead.example"),
        ("intranet", None),
        ("192.0.2.7", None),
        ("2001:db8::1", None),
        ("", None),
    ],
)
def test_the_registrable_domain_follows_the_public_suffix_list(host, registrable):
    assert registrable_domain(host) == registrable


@pytest.mark.parametrize(
    ("text", "is_subdomain"),
    [("example.co.uk", False), ("www.example.co.uk", False), ("shop.example.co.uk", True), ("github.io", False)],
)
def test_a_subdomain_stands_below_its_registrable_domain(text, is_subdomain):
    assert parse_target(text).is_subdomain is is_subdomain


@pytest.mark.parametrize(
    ("text", "is_domain"),
    [
        ("example.com", True),
        ("https://www.example.com/", True),
        ("example.com/a", False),
        ("example.com?a=1", False),
        ("example.com:8080", False),
    ],
)
def test_a_whole_domain_has_no_path_query_or_port(text, is_domain):
    assert parse_target(text).is_domain is is_domain


def test_an_e_mail_address_is_refused_without_its_name():
    assert refused("jane.doe@example.com") == (
        "The target for 'example.com' looks like an e-mail address. Pass the domain or URL alone, without 'name@'."
    )


def test_sign_in_data_is_refused_without_showing_it():
    assert refused("https://jane:hunter2@example.com/a") == (
        "The target for 'example.com' carries sign-in data. Pass the domain or URL alone, without 'name@'."
    )


@every(
    "text",
    [
        "https://jane:hunter2@example.com",
        "jane:hunter2@example.com",
        "//jane:hunter2@example.com",
        "https://hunter2@example.com",
        "https://:hunter2@example.com",
        "https://jane:hunter2@example.com:99999",
        "https://jane:hunter2@example.com:port",
        "https://jane:hunter2@[::1",
        "https://jane:hunter2@exa mple.com",
        "https://jane:x hunter2@example.com",
        "https://jane:x/hunter2@example.com",
        "https://jane:x?hunter2@example.com",
        "https://jane:x#hunter2@example.com",
        "https://jane:x[hunter2@example.com",
        "https://jane:hunter2@",
        "https://jane:hunter2@exa_-mple..com",
        "https:/jane:hunter2@example.com",
        "ftp://jane:hunter2@example.com",
        "s3://jane:hunter2@example.com",
        "mailto:hunter2@example.com",
    ],
)
def test_sign_in_data_never_stands_in_the_message(text):
    assert "hunter2" not in refused(text)


def test_sign_in_data_without_a_host_is_refused_without_naming_none():
    assert "None" not in refused("https://jane:hunter2@")


@pytest.mark.parametrize("text", ["", " ", "\n", "\ufeff", "\u200b"])
def test_an_empty_target_is_refused(text):
    assert refused(text) == "The target is empty. Pass a domain or URL such as 'example.com'."


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "NoneType"),
        (12, "int"),
        (1.5, "float"),
        (b"example.com", "bytes"),
        (["example.com"], "list"),
        ({}, "dict"),
    ],
)
def test_anything_but_text_is_refused_with_its_type(value, kind):
    assert refused(value) == f"A target must be text, not {kind}. Pass a domain or URL such as 'example.com'."


def test_a_url_of_the_greatest_length_is_read():
    text = "example.com/" + "a" * (8_192 - len("example.com/"))
    assert parse_target(text).normal == text


def test_an_overlong_target_is_refused_without_repeating_it():
    assert refused("example.com/" + "a" * 8_181) == "The target has 8193 characters; a URL has at most 8192."


@pytest.mark.parametrize(
    "text", ["a" * 64 + ".com", ".".join(["a" * 60] * 5), "bücher" * 100 + ".example", "ü" * 4_000 + ".example"]
)
def test_a_host_that_is_too_long_is_refused_in_a_short_message(text):
    assert len(refused(text)) < 400


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "two words",
            (
                "'two words' has a space in it, so it is neither a domain nor a URL. "
                "Write one domain or URL, such as 'example.com'."
            ),
        ),
        ("ftp://example.com", "'ftp://example.com' has the scheme 'ftp'; only http and https can be looked up."),
        (
            "javascript:alert(1)",
            "'javascript:alert(1)' has the scheme 'javascript'; only http and https can be looked up.",
        ),
        ("https:///page", "'https:///page' names no host. Pass a domain or URL such as 'example.com/page'."),
        (
            "-a.com",
            "'-a.com' is not a valid domain: check the letters, dots and hyphens of '-a.com'.",
        ),
        (
            "example",
            (
                "'example' has no dot, so it is no domain. Add the ending, such as 'example.com', "
                "or 'http://' before the name of a host on an intranet."
            ),
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_to_do(text, message):
    assert refused(text) == message


@every(
    "text",
    [
        "a..b.com", ".example.com", "a-.com", "ex\x7fample.com", "example.com\\a", "exa%20mple.com", "http://", "...",
        "data:text/html,x", "mailto:jane", "about:blank", "tel:123", "file:///etc/passwd", "view-source:https://a.com",
        "example.com\x00", "example.com/\x07", "a\u200db.example", "ex\ud800ample.com", "localhost:8080",
    ],
)  # fmt: skip
def test_what_is_neither_a_domain_nor_a_url_is_refused(text):
    assert not parses(text)


@pytest.mark.parametrize("text", ["example.com/\ud800", "example.com/?a=\ud800", "example.com/#\ud800", "\ud800"])
def test_half_a_surrogate_pair_raises_nothing_but_a_target_error(text):
    assert parses(text) in {True, False}


def test_a_host_without_a_dot_is_read_after_a_scheme():
    assert parse_target("http://intranet/a").url == "http://intranet/a"


def test_a_target_is_returned_as_it_is():
    target = parse_target("example.com")
    assert parse_target(target) is target


def test_the_text_given_is_kept_and_does_not_decide_equality():
    one, other = parse_target(" EXAMPLE.com"), parse_target("example.com")
    assert (one.given, other.given) == ("EXAMPLE.com", "example.com")
    assert one == other
    assert hash(one) == hash(other)


def test_a_target_shows_its_normal_form_as_text():
    assert str(parse_target("https://www.example.com/a?utm_source=x")) == "example.com/a"


def test_a_target_cannot_be_changed():
    target = parse_target("example.com")
    with pytest.raises(AttributeError):
        target.host = "other.example"
    assert target.host == "example.com"


def test_a_target_survives_pickling():
    target = parse_target("https://www.bücher.example:8080/a?b=1")
    restored = pickle.loads(pickle.dumps(target))
    assert (restored, restored.given) == (target, target.given)


def test_parse_domain_drops_everything_but_the_domain():
    assert parse_domain("https://www.Example.com:8080/page?x=1#top") == "example.com"


@repeatable
@given(st.text(max_size=60) | URLS | st.text(st.sampled_from("a.:/@[]?#%1w \\ü。-_&="), max_size=30))
@example("example.com/\ud800")
@example("[::1")
@example("//[v1.a]")
def test_any_text_either_parses_or_raises_a_target_error(text):
    if parses(text):
        target = parse_target(text)
        assert isinstance(target, Target)
        assert target.host.isascii()
        assert target.url.isascii()


@repeatable
@given(st.none() | st.booleans() | st.integers() | st.floats() | st.binary() | st.lists(st.text()))
def test_any_value_but_text_raises_a_target_error(value):
    assert not parses(value)


@repeatable
@given(URLS.filter(parses))
def test_normalising_the_normal_form_changes_nothing(text):
    normal = parse_target(text).normal
    assert parse_target(normal).normal == normal


@repeatable
@given(URLS.filter(parses))
def test_the_url_to_fetch_has_the_same_normal_form(text):
    target = parse_target(text)
    again = parse_target(target.url)
    assert (again.normal, again.url) == (target.normal, target.url)


@repeatable
@given(URLS.filter(parses))
def test_the_domain_of_the_domain_is_itself(text):
    target = parse_target(text)
    host = f"[{target.domain}]" if ":" in target.domain else target.domain
    assert parse_domain(host) == target.domain


@repeatable
@given(URLS.filter(parses))
def test_a_registrable_domain_ends_the_domain_and_is_its_own(text):
    target = parse_target(text)
    if target.registrable is not None:
        assert f".{target.domain}".endswith(f".{target.registrable}")
        assert registrable_domain(target.registrable) == target.registrable


# The quick way ------------------------------------------------------------------------------------------------------


@repeatable
@given(
    st.from_regex(
        r"(https?://)?([a-z0-9][a-z0-9-]{0,6}[a-z0-9]?\.){1,4}[a-z]{2,5}(/[A-Za-z0-9_~.-]{0,5}){0,3}", fullmatch=True
    )
)
def test_plain_targets_are_read_as_all_others_are(text):
    def read():
        try:
            return targets.parse_target(text)
        except TargetError as error:
            return str(error)

    quick, plain = read(), targets._PLAIN
    try:
        targets._PLAIN = re.compile("(?!)")
        assert read() == quick
    finally:
        targets._PLAIN = plain
