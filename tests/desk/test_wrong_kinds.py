"""What is of another kind than an argument takes is refused at the door, in the toolkit's own words."""

import pytest
from cases import every

import toolkit as tk
from toolkit import frames

NO_TEXTS = [5, 3.5, b"pets", ["pets"]]
NO_PATHS = [5, 3.5, b"runs.db", ["runs.db"]]


def refused(call, *arguments, **options):
    with pytest.raises(tk.errors.InputError) as caught:
        call(*arguments, **options)
    return str(caught.value)


@every("subject", [None, *NO_TEXTS])
def test_a_subject_that_is_no_text(client, subject):
    assert refused(client.explain, subject, "ledgerline.example") == (
        f"subject must be text, not {type(subject).__name__}. Pass a code, a category, field=value or a persona."
    )


@every("text", NO_TEXTS)
def test_a_text_that_is_none(client, text):
    words = f"text must be text, not {type(text).__name__}. Pass the words to classify."
    assert refused(client.categorize_content, text=text) == words
    assert refused(client.explain, "Travel", text=text) == words


@every("text", [None, *NO_TEXTS])
def test_a_search_for_what_is_no_text(vocabulary, text):
    words = f"text must be text, not {type(text).__name__}. Pass the words to search for."
    assert refused(vocabulary.search, text) == words
    assert refused(tk.Taxonomy.load("content-v3").search, text) == words


@every("found", [None, 5, b"INT.PETS"])
def test_codes_that_are_no_list(vocabulary, found):
    assert refused(vocabulary.validate, found) == (
        f"A list is needed, not {type(found).__name__}. Pass codes, such as ['INT.PETS.DOGS'], or run.codes()."
    )


@every("answers", [None, 5, b"x"])
def test_answers_that_are_none(vocabulary, answers):
    words = f"A list is needed, not {type(answers).__name__}. Pass answers, outcomes or errors: client.ask([…])."
    assert refused(frames.codes, answers, vocabulary) == words
    assert refused(frames.companies, answers) == words


@every("other", [None, 5, "INT.PETS.*"])
def test_segments_that_are_none(other):
    segment = tk.sample_run().segment("INT.PETS.*")
    assert refused(segment.overlap, other) == (
        f"overlap takes segments, not {type(other).__name__}. Pass run.segment('INT.PETS.*'), for example."
    )


@every("path", NO_PATHS)
@every("opened", [tk.Store, tk.Inbox, tk.load_run, tk.runs])
def test_a_path_that_is_none(opened, path):
    message = refused(opened, path)
    assert message.startswith(f"path must be the name of a file, not {path!r}. Pass '")
    assert message.endswith("', for example.")


@every("opened", [tk.Store, tk.load_run])
def test_a_path_that_is_missing(opened):
    assert refused(opened, None).startswith("path must be the name of a file, not None. Pass '")


@every("path", NO_PATHS)
def test_a_store_of_a_client_that_is_none(path):
    assert refused(tk.Client, store=path).startswith(f"path must be the name of a file, not {path!r}. Pass '")
