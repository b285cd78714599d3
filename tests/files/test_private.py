"""Files that hold answers, use or secrets are their owner's from their first moment, whatever the umask is."""

import os
import stat
import threading

import pytest

import toolkit as tk
from toolkit.files.whole import whole_file
from toolkit.service.accounts.ledger import Ledger

TARGETS = ["ledgerline.example", "torque-journal.example", "nowhere.example"]


class Watch:
    """Looks at a folder's files as often as it can, and keeps the rights that any of them ever had."""

    def __init__(self, folder):
        self.folder, self.modes, self._stopped = folder, {}, threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self):
        while not self._stopped.is_set():
            self.look()

    def look(self):
        for entry in os.scandir(self.folder):
            try:
                self.modes.setdefault(entry.name, set()).add(stat.S_IMODE(entry.stat().st_mode))
            except FileNotFoundError:
                continue

    def __enter__(self):
        self._before = os.umask(0)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.look()
        self._stopped.set()
        self._thread.join()
        os.umask(self._before)

    @property
    def for_others(self):
        return {name: modes for name, modes in self.modes.items() if any(mode & 0o077 for mode in modes)}


def keep_a_run(folder):
    with tk.Client(store=folder / "kept.db") as client:
        run = client.ask(TARGETS, "segment")
        run.save(folder / "run.gz")
        run.save(folder / "run.gz")


def keep_an_inbox(folder):
    inbox = tk.Inbox(folder / "inbox.db")
    event = {"event": "quota.warning", "timestamp": "2026-01-01T00:00:00Z", "webhook_id": "w1"}
    inbox.take(tk.models.WebhookEvent(**event))


def keep_accounts(folder):
    ledger = Ledger(folder / "service.db")
    with ledger.transaction():
        ledger.finish_batch("none", "failed", 1.0)
    ledger.close()


KEPT = {
    keep_a_run: {"kept.db", "kept.db-wal", "kept.db-shm", "run.gz", "run.gz.part"},
    keep_an_inbox: {"inbox.db"},
    keep_accounts: {"service.db", "service.db-lock"},
}


@pytest.mark.parametrize("keep", list(KEPT), ids=lambda keep: keep.__name__)
def test_no_file_can_be_read_by_others_at_any_moment(tmp_path, keep):
    with Watch(tmp_path) as watch:
        keep(tmp_path)
    assert set(watch.modes) >= KEPT[keep] - {"run.gz.part"}
    assert watch.for_others == {}


def test_a_saved_run_is_private_though_an_earlier_attempt_was_not(tmp_path):
    (tmp_path / "run.gz.part").write_bytes(b"left")
    (tmp_path / "run.gz.part").chmod(0o644)
    (tmp_path / "run.gz").write_bytes(b"earlier")
    (tmp_path / "run.gz").chmod(0o644)
    with whole_file(tmp_path / "run.gz", private=True) as part:
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
        part.write_bytes(b"new")
    assert stat.S_IMODE((tmp_path / "run.gz").stat().st_mode) == 0o600


def test_a_document_has_the_rights_that_the_umask_gives(tmp_path):
    before = os.umask(0o022)
    try:
        with whole_file(tmp_path / "report.html") as part:
            part.write_bytes(b"<html>")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "report.html").stat().st_mode) == 0o644
