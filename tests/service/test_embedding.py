"""Vectors of texts: whatever is remembered of words, a text has those of its tokens."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.service.knowledge import embedding, pieces
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


@settings(max_examples=400)
@given(st.lists(PARTS, max_size=30).map("".join) | st.text(max_size=60))
def test_a_text_has_the_vector_of_its_tokens(text):
    assert load_embedder().embed([text]) == pytest.approx(normalized(by_its_tokens(text)[np.newaxis]), abs=1e-6)


def test_what_is_remembered_of_words_is_bounded_and_changes_nothing(monkeypatch):
    embedder = load_embedder()
    texts = [f"kites {n} over lake {n % 7}\nand {n} strings" for n in range(300)]
    before = embedder.embed(texts)
    monkeypatch.setattr(pieces, "_MOST_KEPT", 100)
    pieces.written.cache_clear()
    after = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.array_equal(before, after)
    assert len(pieces._keeping._kept._numbers) < 50


@pytest.mark.parametrize("sign", ["<s>", "</s>", "<unk>"])
def test_signs_of_the_tokenizer_in_a_page_are_text_like_any_other(sign):
    assert len(load_embedder().tokens(f"kites {sign} strings").offsets) > 4


def test_the_words_of_a_page_are_read_once_for_all_that_is_asked_of_them(monkeypatch):
    """Categories, codes, their bars and the readers share what is found in the text."""
    seen = []
    pieces_of = pieces.pieces_of
    monkeypatch.setattr(pieces, "pieces_of", lambda text: seen.append(text) or pieces_of(text))
    # One that nothing remembers.
    page = page_from_text(f"Boots of kind {time.time_ns()}, for wide feet: we fit them, and mend their soles. " * 5)
    structured_shape("", classified(page))
    assert [page.opening in text for text in seen].count(True) == 1


def test_a_text_is_its_pieces_one_after_the_other():
    """However blanks and lines part them: what is told of pieces adds up to what is told of the text."""
    for text in ("", "kites", " kites\n\nfly ", "kites  fly\n over", "\n", "a\tb c\n", "\u2581kites fly"):
        found = pieces.pieces_of(text)
        assert "".join(found).replace(" ", "") == text.replace(" ", "")
        assert pieces.passing(text).total(lambda told: list(map(len, told)), np.intp) == sum(map(len, found))


def test_short_texts_that_are_read_together_are_as_those_that_are_read_alone():
    texts = ["", "kites over lake", "", "don't", "kites"]
    alone = [load_embedder().embed_terms([text])[0] for text in texts]
    assert np.array_equal(load_embedder().embed_terms(texts), np.array(alone))


def test_threads_that_read_at_once_find_the_same(monkeypatch):
    monkeypatch.setattr(pieces, "_MOST_KEPT", 2_000)
    texts = [" ".join(f"{number * step}" for number in range(200)) for step in range(1, 40)]

    def twice(told):
        return [len(piece) for piece in told for _ in range(2)], np.full(len(told), 2)

    def lengths(text):
        return pieces.passing(text).joined(twice, np.int32).tolist()

    with ThreadPoolExecutor(8) as threads:
        for text, found in zip(texts * 5, threads.map(lengths, texts * 5), strict=True):
            assert found == [length for piece in text.split() for length in [len(piece)] * 2]
