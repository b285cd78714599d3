"""Every raw answer, kept in one file: cache and history in one.

What decides whether two questions are the same is the service's address, the endpoint, its parameters and what is asked
about in normal form; the key is no part of it and is never written. So that a wrong key gets nothing from the file,
the client asks the service first with a key that the service has not yet accepted; of an accepted one the file keeps a
salted digest, from which the key cannot be had.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import shutil
import tempfile
import weakref
import zlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from toolkit.files.unpacking import UnpackingError, most_of, unpacked
from toolkit.interface.errors import InputError, StoreError
from toolkit.interface.models import Provenance
from toolkit.interface.reading import Received, is_usable
from toolkit.store.database import RESCUE, Database
from toolkit.store.freshness import CLOCKS_DIFFER, Age, Freshness, age_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from toolkit.interface.calls import Call
    from toolkit.interface.reading import Stated

__all__ = [
    "FILE_OF_RUNS",
    "NEVER",
    "STORED_STATUSES",
    "Kept",
    "Store",
    "When",
    "microseconds_of",
    "moment_of",
    "project_folder",
]

When = datetime | date | str

#: What is kept: answers, and the facts of a page that nothing can be had of. Errors that pass are not.
STORED_STATUSES: Final = (200, 410, 411)
#: What a project's runs are kept in, and the file of its folder of runs.
_FOLDER: Final = ".toolkit"
FILE_OF_RUNS: Final = "runs.db"
#: Bodies shorter than this are not compressed.
_LEAST_PACKED: Final = 200
#: Cost of the digest of a key: some 20 ms once a process, and a guess costs as much.
_SCRYPT: Final = {"n": 2**13, "r": 8, "p": 1}
_USUAL: Final = Freshness()
_BEGIN: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
#: A time that no answer is of, in microseconds since 1970.
NEVER: Final = 2**52
_COLUMNS: Final = (
    "a.id, q.service, q.endpoint, q.parameters, a.subject, a.target, a.normal, a.fetched_at, a.status, a.http_status, "
    "a.request_id, a.credits, a.vocab_version, a.media, a.packed, a.body"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it came.

    Attributes
    ----------
    id : int
        Its number in the file.
    service, endpoint, parameters : str
        Whom was asked what; parameters as JSON.
    subject, target, normal : str
        About what: what decides sameness, as given, and in normal form.
    fetched_at : datetime
        When, UTC.
    status, http_status : int
        Code of the interface, and of HTTP.
    request_id, vocab_version : str or None
        As the answer states them.
    credits_used : int or None
        As the answer states it.
    media : str
        Media type of the body.
    body : bytes
        The body.
    """

    id: int
    service: str
    endpoint: str
    parameters: str
    subject: str
    target: str
    normal: str
    fetched_at: datetime
    status: int
    http_status: int
    request_id: str | None
    credits_used: int | None
    vocab_version: str | None
    media: str
    body: bytes

    @classmethod
    def of_row(cls, row: tuple[Any, ...]) -> Self:
        """Build from a row of the file."""
        number, service, endpoint, parameters, subject, target, normal, at, status, http_status, *rest = row
        request_id, credits_used, vocab_version, media, packed, body = rest
        return cls(
            id=number,
            service=service,
            endpoint=endpoint,
            parameters=parameters,
            subject=subject,
            target=target,
            normal=normal,
            fetched_at=_BEGIN + timedelta(microseconds=at),
            status=status,
            http_status=http_status,
            request_id=request_id,
            credits_used=credits_used,
            vocab_version=vocab_version,
            media=media,
            body=unpacked(body) if packed else body,
        )

    @property
    def received(self) -> Received:
        """The answer as it came over the wire."""
        mark = {} if self.request_id is None else {"x-request-id": self.request_id}
        return Received(self.http_status, {"content-type": self.media, **mark}, self.body)

    @property
    def provenance(self) -> Provenance:
        """Where the answer comes from: the file."""
        return Provenance(
            endpoint=self.endpoint,
            target=self.target,
            normal=self.normal,
            fetched_at=self.fetched_at,
            from_cache=True,
            http_status=self.http_status,
            request_id=self.request_id,
            vocab_version=self.vocab_version,
            credits_used=self.credits_used,
        )


class Store:
    """The file of stored answers.

    Parameters
    ----------
    path : str or Path
        A SQLite file; made where there is none. Several processes may use it at a time.
    fresh : Freshness, optional
        Ages up to which answers are fresh; by default 48 hours, 24 for pages that could not be read.

    Raises
    ------
    StoreError
        If the file is damaged, of another program or of a newer toolkit, or cannot be written.
    InputError
        If `fresh` is no `Freshness`.

    Examples
    --------
    >>> import tempfile, pathlib, toolkit as tk
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Store(pathlib.Path(folder.name) / "answers.db") as store, tk.Client(store=store) as client:
    ...     first = client.segment("ledgerline.example")
    ...     again = client.segment("www.ledgerline.example/")
    >>> first.provenance.from_cache, again.provenance.from_cache
    (False, True)
    >>> folder.cleanup()
    """

    def __init__(self, path: str | Path, *, fresh: Freshness | None = None) -> None:
        if fresh is not None and not isinstance(fresh, Freshness):
            raise InputError(f"fresh must be a Freshness, such as Freshness(answers=24), not {fresh!r}.")
        self.fresh = fresh or _USUAL
        self.database = Database(path)
        self._questions: dict[tuple[str, str, str], int] = {}
        #: Whether it is the project's, in which a finished run is found again by what it asks.
        self.is_projects = False
        self._folder: weakref.finalize[..., Any] | None = None

    @classmethod
    def of_project(cls, folder: str | Path | None = None) -> Self:
        """Open the file that keeps a project's runs, and make it where there is none.

        Parameters
        ----------
        folder : str or Path, optional
            The project's folder of runs; by default the one that ``TOOLKIT_RUNS`` names, else the nearest ``.toolkit``
            at or above the working folder, else ``.toolkit`` in it.

        Returns
        -------
        Store
            The file ``runs.db`` in that folder.

        Raises
        ------
        StoreError
            If it can be neither opened nor made.
        """
        place = project_folder() if folder is None else Path(folder)
        try:
            place.mkdir(parents=True, mode=0o700, exist_ok=True)
            if not (ignored := place / ".gitignore").exists():
                ignored.touch(mode=0o600)
                ignored.write_text("*\n", encoding="utf-8")
        except OSError as error:
            words = error.strerror or str(error)
            raise StoreError(
                f"Runs cannot be kept in {place}: {words}. Name another folder with TOOLKIT_RUNS, pass "
                "store='FILE', or store=False to keep nothing."
            ) from None
        found = cls(place / FILE_OF_RUNS)
        found.is_projects = True
        return found

    @classmethod
    def passing(cls) -> Self:
        """Open a file that is deleted when it is closed, at the latest at the end of the program."""
        folder = tempfile.mkdtemp(prefix="toolkit-run-")
        found = cls(Path(folder) / "answers.db")
        found._folder = weakref.finalize(found, _delete, folder, os.getpid())
        return found

    @property
    def path(self) -> Path:
        """The file."""
        return self.database.path

    def __repr__(self) -> str:
        # A traceback may show one that could not be opened.
        return f"<Store: {self.path}>" if hasattr(self, "database") else "<Store, never open>"

    # Reading ------------------------------------------------------------------------------------------------------

    def find(
        self,
        call: Call,
        service: str,
        *,
        max_age: Age | None = None,
        stale: bool = False,
        as_of: When | None = None,
    ) -> Kept | None:
        """Return the newest stored answer of a call that may be used, or None.

        Parameters
        ----------
        call : Call
            The question.
        service : str
            Whom it is asked.
        max_age : timedelta or float, optional
            How old it may be, a number being hours; by default as `fresh` says.
        stale : bool
            Whether its age is no matter.
        as_of : datetime, date or str, optional
            The newest that was there at this time; its age is no matter then.
        """
        now = datetime.now(UTC)
        # One of the future, which is not fresh, hides none that is.
        until = NEVER if stale else microseconds_of(now + CLOCKS_DIFFER)
        before = f" AND a.fetched_at <= {microseconds_of(moment_of(as_of))}" if as_of is not None else ""
        rows = self.database.read(
            f"SELECT {_COLUMNS} FROM answer a JOIN question q ON q.id = a.question WHERE a.question = ? "  # noqa: S608 - columns of this module and a number
            f"AND a.subject = ?{before} ORDER BY a.fetched_at > ?, a.fetched_at DESC",
            (self.question_of(service, call.endpoint, call.parameters), call.subject, until),
        )
        # An earlier toolkit may have kept an error as an answer.
        kept = next((found for found in map(self._kept, rows) if is_usable(call, found.status, found.received)), None)
        if kept is None:
            return None
        limit = self.fresh.limit(call.endpoint, kept.status) if max_age is None else age_of(max_age, "max_age")
        is_fresh = -CLOCKS_DIFFER <= now - kept.fetched_at <= limit
        return kept if stale or as_of is not None or is_fresh else None

    def answers(
        self, endpoint: str | None = None, *, as_of: When | None = None, history: bool = False
    ) -> Iterator[Kept]:
        """Yield stored answers, in the order in which they came.

        Parameters
        ----------
        endpoint : str, optional
            Of one endpoint alone.
        as_of : datetime, date or str, optional
            Only what was there at this time: an ISO date means its end, UTC.
        history : bool
            Whether to yield all of them; otherwise the newest of each question and subject.
        """
        wheres, values = ["1"], []
        if endpoint is not None:
            wheres.append("q.endpoint = ?")
            values.append(endpoint)
        if as_of is not None:
            wheres.append(f"a.fetched_at <= {microseconds_of(moment_of(as_of))}")
        inner = f"FROM answer a JOIN question q ON q.id = a.question WHERE {' AND '.join(wheres)}"
        # Beside max() SQLite gives the columns of the row that has it.
        newest = f"SELECT id FROM (SELECT a.id, max(a.fetched_at) {inner} GROUP BY a.question, a.subject)"  # noqa: S608 - as above
        chosen = f"SELECT a.id {inner}" if history else newest
        rows = self.database.stream(
            f"SELECT {_COLUMNS} FROM answer a JOIN question q ON q.id = a.question WHERE a.id IN ({chosen}) "  # noqa: S608 - as above
            "ORDER BY a.id",
            values,
        )
        return map(self._kept, rows)

    def _kept(self, row: tuple[Any, ...]) -> Kept:
        try:
            return Kept.of_row(row)
        except (UnpackingError, TypeError, ValueError, OverflowError) as error:
            words = str(error)
        raise StoreError(f"{self.path} is damaged: answer {row[0]} cannot be read ({words}). {RESCUE}")

    def count(self) -> int:
        """Return the number of stored answers."""
        [(count,)] = self.database.read("SELECT count(*) FROM answer")
        return int(count)

    # Writing ------------------------------------------------------------------------------------------------------

    def keep(self, call: Call, service: str, received: Received, source: Provenance, status: int) -> int:
        """Write an answer and return its number.

        Parameters
        ----------
        call : Call
            What was asked.
        service : str
            Whom.
        received : Received
            What came.
        source : Provenance
            What it states of itself.
        status : int
            Code of the interface's table: one of `STORED_STATUSES`.
        """
        question = self.question_of(service, call.endpoint, call.parameters)
        with self.database.writing() as connection:
            return self.insert(connection, question, call, received, source, status)

    @staticmethod
    def insert(  # noqa: PLR0917 - the parts of one row
        connection: sqlite3.Connection,
        question: int,
        call: Call,
        received: Received,
        source: Provenance | Stated,
        status: int,
    ) -> int:
        """Write an answer within a transaction and return its number."""
        body = zlib.compress(received.body, 1) if len(received.body) >= _LEAST_PACKED else received.body
        # What could not be read again, as it unfolds too far, is kept as it is.
        packed = len(body) < len(received.body) <= most_of(len(body))
        cursor = connection.execute(
            "INSERT INTO answer(question, subject, target, normal, fetched_at, status, http_status, request_id, "
            "credits, vocab_version, media, packed, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                question,
                call.subject,
                call.target,
                call.normal,
                microseconds_of(source.fetched_at),
                status,
                received.http_status,
                source.request_id,
                source.credits_used,
                source.vocab_version,
                received.headers.get("content-type", ""),
                packed,
                body if packed else received.body,
            ),
        )
        return int(cursor.lastrowid or 0)

    def question_of(self, service: str, endpoint: str, parameters: str) -> int:
        """Return the number of a question: whom is asked what, without about what."""
        asked = (service, endpoint, parameters)
        if asked not in self._questions:
            with self.database.writing() as connection:
                connection.execute(
                    "INSERT OR IGNORE INTO question(service, endpoint, parameters) VALUES (?, ?, ?)", asked
                )
                [(number,)] = connection.execute(
                    "SELECT id FROM question WHERE service = ? AND endpoint = ? AND parameters = ?", asked
                ).fetchall()
            self._questions[asked] = int(number)
        return self._questions[asked]

    # Keys ---------------------------------------------------------------------------------------------------------

    def accept(self, service: str, key: str) -> None:
        """Remember that a service has accepted a key; of the key a salted digest is written."""
        if not self.knows(service, key):
            salt = os.urandom(16)
            with self.database.writing() as connection:
                connection.execute("INSERT INTO accepted VALUES (?, ?, ?)", (service, salt, _digest(key, salt)))

    def knows(self, service: str, key: str) -> bool:
        """Tell whether a service has accepted a key, and not refused it since."""
        return self._accepted(service, key) is not None

    def refuse(self, service: str, key: str) -> None:
        """Forget a key: the service has refused it."""
        # More than once: two processes may have accepted it at the same time.
        while (salt := self._accepted(service, key)) is not None:
            with self.database.writing() as connection:
                connection.execute("DELETE FROM accepted WHERE service = ? AND salt = ?", (service, salt))

    def _accepted(self, service: str, key: str) -> bytes | None:
        found = self.database.read("SELECT salt, digest FROM accepted WHERE service = ?", (service,))
        return next((salt for salt, digest in found if hmac.compare_digest(_digest(key, salt), digest)), None)

    # The file -----------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Read the whole file; raise a StoreError if anything in it is damaged."""
        self.database.check()
        # SQLite keeps no sums of its pages; the bodies have their own.
        for _ in self.answers(history=True):
            pass

    def close(self) -> None:
        """Close the file; one that nobody named is deleted."""
        self.database.close()
        if self._folder is not None:
            self._folder()

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process opens the file for itself.
        return partial(type(self), fresh=self.fresh), (self.path,)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def project_folder() -> Path:
    """Return the folder that a project's runs are kept in, as `Store.of_project` finds it; it need not be there."""
    if named := os.environ.get("TOOLKIT_RUNS"):
        return Path(named).expanduser().absolute()
    here = Path.cwd()
    return next((found for above in (here, *here.parents) if (found := above / _FOLDER).is_dir()), here / _FOLDER)


def _delete(folder: str, process: int) -> None:
    """Delete the folder of a file that nobody named; a forked process leaves its parent's."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def moment_of(when: When) -> datetime:
    """Return a time as UTC: a date means its end, a time without a zone is UTC, and what is none is an `InputError`.

    >>> moment_of("2026-11-01")
    datetime.datetime(2026, 11, 1, 23, 59, 59, 999999, tzinfo=datetime.timezone.utc)
    """
    try:
        moment = _read_moment(when) if isinstance(when, str) else when
        if isinstance(moment, datetime) and isinstance(moment.year, int):  # that of pandas' NaT is none
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        if isinstance(moment, date) and not isinstance(moment, datetime):
            return datetime(moment.year, moment.month, moment.day, 23, 59, 59, 999_999, tzinfo=UTC)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"{when!r} is no time. Pass a date or an ISO time such as '2026-11-01T12:00'.")


def microseconds_of(moment: datetime) -> int:
    """Return a time as microseconds since 1970, UTC."""
    return (moment - _BEGIN) // _MICROSECOND


def _read_moment(text: str) -> datetime | date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return datetime.fromisoformat(text)


def _digest(key: str, salt: bytes) -> bytes:
    return hashlib.scrypt(key.encode(), salt=salt, **_SCRYPT)
