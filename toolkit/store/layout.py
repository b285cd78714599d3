"""The layout of the store's file, by versions: each migration takes a file from one version to the next."""

from __future__ import annotations

from typing import Final

__all__ = ["APPLICATION_ID", "MIGRATIONS"]

#: Marks the file as one of ours: "tkst".
APPLICATION_ID: Final = 0x746B7374

_ANSWERS: Final = """
CREATE TABLE question(
    id INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    parameters TEXT NOT NULL,
    UNIQUE(service, endpoint, parameters)
);
CREATE TABLE answer(
    id INTEGER PRIMARY KEY,
    question INTEGER NOT NULL REFERENCES question(id),
    subject TEXT NOT NULL,
    target TEXT NOT NULL,
    normal TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    http_status INTEGER NOT NULL,
    request_id TEXT,
    credits INTEGER,
    vocab_version TEXT,
    media TEXT NOT NULL,
    packed INTEGER NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX answer_of_subject ON answer(question, subject, fetched_at, status);
CREATE TABLE accepted(
    service TEXT NOT NULL,
    salt BLOB NOT NULL,
    digest BLOB NOT NULL
);
"""
_JOURNAL: Final = """
CREATE TABLE run(
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    rows INTEGER NOT NULL DEFAULT 0,
    spent INTEGER NOT NULL DEFAULT 0,
    sent INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    holder TEXT,
    held_at INTEGER
);
CREATE INDEX run_of_digest ON run(digest);
CREATE TABLE asked(
    run INTEGER NOT NULL REFERENCES run(id),
    place INTEGER NOT NULL,
    question INTEGER NOT NULL REFERENCES question(id),
    PRIMARY KEY(run, place)
) WITHOUT ROWID;
CREATE TABLE row(
    run INTEGER NOT NULL REFERENCES run(id),
    position INTEGER NOT NULL,
    given TEXT NOT NULL,
    normal TEXT,
    domain TEXT,
    problem TEXT,
    PRIMARY KEY(run, position)
) WITHOUT ROWID;
CREATE TABLE task(
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run(id),
    place INTEGER NOT NULL,
    subject TEXT NOT NULL,
    target TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    answer INTEGER REFERENCES answer(id),
    status INTEGER,
    error TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    sent_at INTEGER,
    UNIQUE(run, place, subject)
);
CREATE TABLE account(
    service TEXT PRIMARY KEY,
    total_credits INTEGER,
    remaining_credits INTEGER,
    seen_at INTEGER NOT NULL
);
"""
_BATCHES: Final = """
CREATE TABLE batch(
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run(id),
    sent_at INTEGER NOT NULL,
    batch_id TEXT,
    results_url TEXT,
    submitted_at INTEGER,
    finished_at INTEGER,
    unknown TEXT
);
CREATE INDEX batch_of_run ON batch(run);
ALTER TABLE task ADD COLUMN batch INTEGER REFERENCES batch(id);
CREATE INDEX task_of_batch ON task(batch) WHERE batch IS NOT NULL;
"""
_FIRST_ROWS: Final = """
ALTER TABLE task ADD COLUMN first INTEGER;
ALTER TABLE task ADD COLUMN kind TEXT;
"""
_NAMES: Final = """
CREATE TABLE kept(
    run INTEGER PRIMARY KEY REFERENCES run(id),
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    source TEXT NOT NULL,
    asked TEXT NOT NULL
);
CREATE TABLE own_table(
    run INTEGER PRIMARY KEY REFERENCES run(id),
    content TEXT NOT NULL
);
"""
#: What takes a file of version n to version n + 1.
MIGRATIONS: Final = (_ANSWERS, _JOURNAL, _BATCHES, _FIRST_ROWS, _NAMES)
