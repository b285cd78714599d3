"""Syntax trees of segments for property tests."""

from hypothesis import strategies as st

from toolkit.segments.tree import Condition, Count, Join, Not

PATHS = ("Sports", "Sports > Golf", "Pets > Dogs", "*")
NAMES = (
    st.text(min_size=1, max_size=12)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: text and text.isprintable())
)


def tree_of(leaves):
    def larger(parts):
        lists = st.lists(parts, min_size=1, max_size=3).map(tuple)
        pairs = st.lists(parts, min_size=2, max_size=3).map(tuple)
        counted = lists.flatmap(
            lambda listed: st.one_of(
                st.builds(Count, st.sampled_from(["any", "all", "none"]), st.just(0), st.just(listed)),
                st.builds(Count, st.just("at least"), st.integers(1, len(listed)), st.just(listed)),
                st.builds(Count, st.sampled_from(["at most", "exactly"]), st.integers(0, len(listed)), st.just(listed)),
            )
        )
        return st.one_of(st.builds(Not, parts), st.builds(Join, st.sampled_from(["and", "or"]), pairs), counted)

    return st.recursive(leaves, larger, max_leaves=8)


def leaves_of(codes, values, personas=NAMES, paths=PATHS):
    """Conditions on codes, the fields of `values`, personas and categories."""
    band = st.none() | st.sampled_from(["low", "medium", "high"])
    share = st.none() | st.floats(0, 1).map(lambda number: repr(number) if number % 1 else f"{number:g}")
    kinds = [st.builds(Condition, st.just("code"), st.just("has"), st.tuples(st.sampled_from(codes)), band)]
    for field, known in values.items():
        value = st.sampled_from(known)
        demand = st.none() if field == "price_signals" else band
        kinds += [
            st.builds(Condition, st.just(field), st.sampled_from(["=", "!="]), st.tuples(value), demand),
            st.builds(
                Condition,
                st.just(field),
                st.sampled_from(["in", "not in"]),
                st.lists(value, min_size=1, max_size=3, unique=True).map(tuple),
                demand,
            ),
        ]
        if field not in {"price_signals", "life_stage"}:
            compared = st.sampled_from(["<", "<=", ">", ">="])
            kinds += [
                st.builds(Condition, st.just(field), compared, st.tuples(value), demand),
                st.builds(Condition, st.just(field), st.just("between"), st.tuples(value, value), demand),
            ]
    for field, known, demand in (
        ("persona", personas, st.none()),
        ("content-v3", st.sampled_from(paths), share),
        ("filtering", NAMES, share),
    ):
        kinds.append(st.builds(Condition, st.just(field), st.sampled_from(["=", "!="]), st.tuples(known), demand))
        names = st.lists(known, min_size=1, max_size=3, unique=True).map(tuple)
        kinds.append(st.builds(Condition, st.just(field), st.sampled_from(["in", "not in"]), names, demand))
    return st.one_of(kinds)
