"""Vectors of texts: whatever is remembered of words, a text has those of its tokens."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.service.knowledge import embedding, lexicon
from toolkit.service.knowledge.embedding import load_embedder, normalized
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified

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


class Recorded:
    """The pattern of words, which notes the texts that it sees."""

    def __init__(self, seen):
        self._words, self._seen = lexicon._WORD, seen

    def findall(self, text):
        self._seen.append(text)
        return self._words.findall(text)


def test_the_words_of_a_page_are_read_once_for_all_that_is_asked_of_them(monkeypatch):
    """Categories, codes, their bars and the readers share what is found in the text."""
    seen = []
    # The second is one that nothing remembers; the tables are read with the first.
    for number in (1, time.time_ns()):
        page = page_from_text(f"Boots of kind {number}, for wide feet: we fit them, and mend their soles. " * 5)
        if number > 1:
            monkeypatch.setattr(lexicon, "_WORD", Recorded(seen))
        structured_shape("", classified(page))
    assert [page.opening in text for text in seen].count(True) == 1
