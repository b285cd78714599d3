"""Vectors of texts: whatever is remembered of words, a text has those of its tokens."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.service.knowledge import embedding, lexicon
from toolkit.service.knowledge.embedding import load_embedder, normalized
from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.samples import _root
from toolkit.service.subjects.readings import classified, taken_apart

PARTS = st.sampled_from(
    (
        *("kites", "the", "Kites", "don't", "naïve", "日本語", "🙂", ".", "12,5", "x" * 60),
        *(" ", "  ", "\n", " \n", "\n\n", "\t", "\r", "\xa0"),
        *("\u2581", "\u2581kites", "<s>", "</s>", "<unk>", "<0x0A>"),
    )
)


def by_its_tokens(text):
    tokens = load_embedder().tokens(text)
    return tokens.weights @ tokens.vectors if len(tokens.offsets) else np.zeros(embedding.DIMENSIONS, dtype=np.float32)


@settings(deadline=None, derandomize=True, max_examples=400)
@given(st.lists(PARTS, max_size=30).map("".join) | st.text(max_size=60))
def test_a_text_has_the_vector_of_its_tokens(text):
    assert load_embedder().embed([text]) == pytest.approx(normalized(by_its_tokens(text)[np.newaxis]), abs=1e-6)


def test_what_is_remembered_of_words_is_bounded_and_changes_nothing(monkeypatch):
    embedder = load_embedder()
    texts = [f"kites {n} over lake {n % 7}\nand {n} strings" for n in range(300)]
    before = embedder.embed(texts)
    monkeypatch.setattr(embedding, "_MOST_KNOWN", 100)
    after = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.array_equal(before, after)
    assert len(embedder._known) < 50


@pytest.mark.parametrize("sign", ["<s>", "</s>", "<unk>"])
def test_signs_of_the_tokenizer_in_a_page_are_text_like_any_other(sign):
    assert len(load_embedder().tokens(f"kites {sign} strings").offsets) > 4


def test_the_words_of_a_page_are_read_once_for_all_that_is_asked_of_them(monkeypatch):
    """The pattern of words sees the opening in one text alone: categories, codes and their bars share what it finds."""
    source = (_root() / "trailhead-outfitters.example" / "boots.html").read_bytes() + b"<p>Boots unseen before."
    page = taken_apart(Fetched("https://kites.example/boots", {}, source, "text/html", "utf-8"))
    structured_shape("", classified(page_from_text("The tables are read with the first page that is asked for.")))
    seen = []

    class Recorded:
        def findall(self, text):
            seen.append(text)
            return words.findall(text)

    words = lexicon._WORD
    monkeypatch.setattr(lexicon, "_WORD", Recorded())
    structured_shape("", classified(page))
    assert [page.opening in text for text in seen].count(True) == 1
