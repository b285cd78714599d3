"""The one opener of SQLite files: whose a file is, transactions, and whose words an error has."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from toolkit import Inbox, Store
from toolkit.files.sqlite import Kind, SqliteFile, Trouble, transaction
from toolkit.interface.errors import ConfigurationError, InboxError, StoreError
from toolkit.service.accounts.ledger import Ledger

KIND = Kind(
    0x6B697465, ("CREATE TABLE kite(name)", "ALTER TABLE kite ADD COLUMN tail; CREATE INDEX tails ON kite(tail);")
)


class WrongError(Exception):
    """What the keeper of these files raises."""


@pytest.fixture
def file(tmp_path):
    return SqliteFile(str(tmp_path / "kites.db"), KIND, WrongError, 0.05)


def test_a_file_is_laid_out_once_and_known_by_its_mark(file):
    for _ in range(2):
        with closing(file.connect()) as connection:
            file.lay_out(connection)
            assert file.version(connection) == 2
            assert connection.execute("PRAGMA application_id").fetchone() == (KIND.mark,)
            connection.execute("INSERT INTO kite VALUES ('Delta', 'long')")


def test_a_step_that_fails_leaves_the_file_at_its_version(file, tmp_path):
    with closing(file.connect()) as connection:
        file.lay_out(connection)
    broken = Kind(KIND.mark, (*KIND.steps, "CREATE TABLE line(length); CREATE rubbish"))
    newer = SqliteFile(str(tmp_path / "kites.db"), broken, WrongError, 0.05)
    with closing(newer.connect()) as connection:
        with pytest.raises(WrongError) as caught, newer.said():
            newer.lay_out(connection)
        assert caught.value.args[0] is Trouble.UNUSABLE
        assert newer.version(connection) == 2
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'line'").fetchall() == []


def test_a_transaction_in_another_is_a_part_of_it(file):
    with closing(file.connect()) as connection:
        file.lay_out(connection)
        with pytest.raises(sqlite3.OperationalError), transaction(connection):  # noqa: PT012 - both are the outer one's
            with transaction(connection):
                connection.execute("INSERT INTO kite VALUES ('Delta', 'long')")
            connection.execute("rubbish")
        assert connection.execute("SELECT count(*) FROM kite").fetchone() == (0,)


def test_a_busy_file_is_said_to_be_busy_in_the_keepers_words(file):
    with closing(file.connect()) as one, closing(file.connect()) as other:
        file.lay_out(one)
        file.write_ahead(one)
        with transaction(one):
            one.execute("INSERT INTO kite VALUES ('Delta', 'long')")
            with pytest.raises(WrongError) as caught, file.said(), transaction(other):
                pass
    assert caught.value.args == (Trouble.BUSY, "database is locked")


def test_an_existing_file_that_is_gone_is_not_made_anew(file, tmp_path):
    with pytest.raises(WrongError), file.said():
        file.connect(existing=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("open_file", "error"), [(Store, StoreError), (Inbox, InboxError), (Ledger, ConfigurationError)]
)
def test_a_file_that_another_program_has_marked_is_left_as_it_is_though_it_has_no_table(open_file, error, tmp_path):
    path = tmp_path / "marked.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 7")
    before = path.read_bytes()
    with pytest.raises(error):
        open_file(path)
    assert path.read_bytes() == before


#: Threads that write and read while the file is closed: each ends with the file's own error.
CLOSED_MEANWHILE = """
import sys, threading
from pathlib import Path
from toolkit.files.sqlite import Kind, SharedFile

KIND = Kind(0x6B697465, ("CREATE TABLE kite(name)",))

class ClosedError(Exception):
    pass

def write(file):
    while True:
        with file.writing() as connection:
            connection.executemany("INSERT INTO kite VALUES (?)", [("Delta",)] * 50)

def read(file):
    while True:
        list(file.stream("SELECT name FROM kite LIMIT 1000"))

def ends(task, file, ended):
    try:
        task(file)
    except ClosedError as error:
        ended.append(error.args[0].name)

for number in range(20):
    file = SharedFile(Path(sys.argv[1]) / f"{number}.db", KIND, ClosedError, 5)
    ended = []
    threads = [threading.Thread(target=ends, args=(task, file, ended)) for task in (write, write, read)]
    for thread in threads:
        thread.start()
    threading.Event().wait(0.02)
    file.close()
    for thread in threads:
        thread.join()
    assert set(ended) <= {"CLOSED", "UNUSABLE"} and len(ended) == 3, ended
"""


def test_a_file_is_closed_while_others_use_it(tmp_path):
    told = subprocess.run(
        [sys.executable, "-c", CLOSED_MEANWHILE, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (told.returncode, told.stderr) == (0, "")
