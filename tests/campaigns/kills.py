"""SIGKILLs at random moments over a service with its batches and deliveries, and over runs of clients.

::

    python -m tests.campaigns.kills --kills 200 --seed 1

Nothing may be lost: a batch that was taken has all its results and one notification, whatever was killed; a run ends
complete. Nothing may be charged twice: what an account was charged is what it was answered, and of a run's single
requests at most those that were open at a kill more.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import httpx

import toolkit as tk
from toolkit.service.samples import sample_sites

from .service import Served, environment

sys.path.insert(0, str(Path(__file__).parents[1]))

from listening import Receiver

#: An account for batches of the service, one for runs of single requests, one for runs in batches.
KEYS: Final = {"service": "kills-service-5a7c01", "single": "kills-single-91e002", "batch": "kills-batch-0c4e03"}
SECRET: Final = "a secret of the campaign"
HOSTS: Final = [site.host for site in sample_sites()]
CONCURRENCY: Final = 8
_OUTSTANDING: Final = 6
#: Seconds within which everything that is under way ends, once nothing is killed any more.
_TO_END: Final = 300.0

#: A parent that has everything loaded, so that a client begins at once: it forks one a line.
NURSERY: Final = """
import json, os, signal, sys
import toolkit as tk
import toolkit.run, toolkit.frames.readers, httpx_aiohttp, aiohttp, stamina
from toolkit.runs.batches import Batches
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    base, key, kind, targets, store, done, concurrency = json.loads(line)
    child = os.fork()
    if child == 0:
        os.close(0)
        retries = tk.Retries(attempts=2, first_wait=0.05, longest_wait=0.1)
        try:
            with tk.Client(key, base, v1_api_key=key, v1_base_url=base, retries=retries, timeout=30) as client:
                if kind == "single":
                    run = client.run(targets, "segment", store=store, concurrency=concurrency)
                else:
                    run = client.run(targets, "categorize", by=Batches(poll=(0.05, 0.2), timeout=20), store=store)
                run.start(progress=False)
                progress = run.progress
                if progress.state == "finished":
                    with open(done + ".new", "w") as file:
                        json.dump({"credits": progress.credits_used, "batches": run.batches}, file)
                    os.rename(done + ".new", done)
        except BaseException as error:
            with open(done + ".log", "a") as file:
                file.write(f"{type(error).__name__}: {error}\\n")
        os._exit(0)
    print(child, flush=True)
"""


class Clients:
    """Runs of clients, each a process that is started again until its run is finished, and then on another list."""

    def __init__(self, base: str, folder: Path) -> None:
        self.base, self.folder = base, folder
        self.runs: list[dict[str, Any]] = []
        self.printed = folder / "clients.err"
        self._nursery = subprocess.Popen(
            [sys.executable, "-c", NURSERY],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.printed.open("wb"),
            text=True,
        )

    def add(self, kind: str) -> None:
        """Begin a run over a list of its own."""
        number = len(self.runs)
        if kind == "single":
            targets = [f"https://{host}/?run={number}&n={n}" for n in range(3) for host in HOSTS]
        else:
            targets = [*HOSTS, *(f"no-such-site-{n}.example" for n in range(30))]
        store = str(self.folder / f"client-{number}.db")
        done = str(self.folder / f"client-{number}.done")
        self.runs.append(
            {"kind": kind, "targets": targets, "store": store, "done": done, "pid": 0, "kills": 0, "starts": 0}
        )

    def tend(self) -> None:
        """Start again every run that is not finished and has no process."""
        for run in self.runs:
            if not Path(run["done"]).exists() and not is_alive(run["pid"]):
                words = [self.base, KEYS[run["kind"]], run["kind"], run["targets"], run["store"], run["done"]]
                assert self._nursery.stdin is not None
                assert self._nursery.stdout is not None
                self._nursery.stdin.write(json.dumps([*words, CONCURRENCY]) + "\n")
                self._nursery.stdin.flush()
                run["pid"] = int(self._nursery.stdout.readline())
                run["starts"] += 1

    @property
    def open(self) -> list[dict[str, Any]]:
        """Runs that are not finished."""
        return [run for run in self.runs if not Path(run["done"]).exists()]

    def kill(self, chance: random.Random) -> str:
        """Kill the process of a run; return its kind, or nothing where none was there."""
        alive = [run for run in self.runs if is_alive(run["pid"]) and not Path(run["done"]).exists()]
        if not alive:
            return ""
        run = chance.choice(alive)
        with suppress(ProcessLookupError):
            os.kill(run["pid"], signal.SIGKILL)
            run["kills"] += 1
        until = time.monotonic() + 10
        while is_alive(run["pid"]) and time.monotonic() < until:
            time.sleep(0.002)
        return str(run["kind"])

    def close(self) -> None:
        """End what is left."""
        for run in self.runs:
            if is_alive(run["pid"]):
                with suppress(ProcessLookupError):
                    os.kill(run["pid"], signal.SIGKILL)
        assert self._nursery.stdin is not None
        self._nursery.stdin.close()
        self._nursery.wait(10)


def is_alive(pid: int) -> bool:
    """Tell whether there is such a process."""
    if not pid:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


_MOST_TAKEN: Final = 600


class Submitter(threading.Thread):
    """Submits batches to the service, one after another, whatever becomes of it."""

    def __init__(self, served: Served, receiver: Receiver, seed: int) -> None:
        super().__init__(daemon=True)
        self.served, self.receiver = served, receiver
        self.taken: dict[str, list[str]] = {}
        self.unsure = 0
        self.ending = threading.Event()
        self._chance = random.Random(f"{seed}:batches")

    def run(self) -> None:
        headers = {"Authorization": f"Bearer {KEYS['service']}"}
        while not self.ending.is_set():
            # The service keeps the last 1,000 that have ended, of all accounts.
            if self._open() >= _OUTSTANDING or len(self.taken) >= _MOST_TAKEN:
                self.ending.wait(0.05)
                continue
            domains = self._chance.choices([*HOSTS, "no-such-site.example"], k=self._chance.randint(3, 60))
            body = {"domains": domains, "webhook_url": f"{self.receiver.url}/hook", "webhook_secret": SECRET}
            try:
                answer = httpx.post(f"{self.served.base}/v1/batch", json=body, headers=headers, timeout=20)
                if answer.status_code in (200, 201, 202):
                    self.taken[answer.json()["batch_id"]] = domains
                else:
                    self.ending.wait(0.2)
            except (httpx.HTTPError, ValueError):
                self.unsure += 1
                self.ending.wait(0.1)

    def _open(self) -> int:
        states = "SELECT count(*) FROM batches WHERE state = 'processing'"
        return sum(count for (count,) in rows(self.served.database, states))


def rows(database: Path, question: str) -> list[tuple[Any, ...]]:
    """Read the service's database from outside; nothing where it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=20)) as connection:
            return connection.execute(question).fetchall()
    except sqlite3.OperationalError:
        return []


def eventually(what: str, found: Any, seconds: float = _TO_END, *, meanwhile: Any = lambda: None) -> bool:
    """Wait until something holds; tell whether it did."""
    until = time.monotonic() + seconds
    while not found():
        if time.monotonic() > until:
            print(f"not within {seconds:.0f} s: {what}")
            return False
        meanwhile()
        time.sleep(0.1)
    return True


def charged(base: str, key: str) -> int:
    """Return what an account was charged, as an answer says it: a page that cannot be fetched costs nothing."""
    form = {"api_key": key, "query": "no-such-site.example", "format": "structured"}
    until = time.monotonic() + 60
    while True:
        with suppress(httpx.HTTPError, ValueError, KeyError):
            headers = {"Authorization": f"Bearer {key}"}
            for answer in (
                httpx.post(f"{base}/api/audience/segment.php", data=form, timeout=30),
                httpx.get(f"{base}/v1/categorize", params={"domain": HOSTS[0]}, headers=headers, timeout=30),
            ):
                body = answer.json()
                if "total_credits" in body:
                    return int(body["total_credits"]) - int(body["remaining_credits"]) - (answer.status_code == 200)
        if time.monotonic() > until:
            raise RuntimeError("The service does not say what was charged.")
        time.sleep(0.5)


def campaign(kills: int, seed: int, workers: int, folder: Path) -> bool:
    """Kill, and tell what held."""
    chance = random.Random(seed)
    served = Served(folder, list(KEYS.values()), workers)
    receiver = Receiver()
    done: Counter[str] = Counter()
    silent = 0
    served.start()
    clients = Clients(served.base, folder)
    submitter = Submitter(served, receiver, seed)
    submitter.start()
    began = time.monotonic()
    ways = ("service", "client", "client") if not served.workers else ("service", "worker", "client", "client")
    try:
        while done.total() < kills:
            for kind in ("single", "batch"):
                if sum(run["kind"] == kind for run in clients.open) < 2:
                    clients.add(kind)
            clients.tend()
            time.sleep(chance.choice((chance.uniform(0, 0.05), chance.uniform(0.05, 0.5), chance.uniform(0.5, 1.5))))
            way = chance.choice(ways)
            if way == "service":
                served.kill()
                done["service"] += 1
                served.start()
            elif way == "worker":
                done["worker"] += served.kill_worker(chance.randrange(100))
                if not eventually("the service answers after a worker was killed", lambda: served.is_answering, 30):
                    silent += 1
                    served.kill()
                    served.start()
            elif kind := clients.kill(chance):
                done[f"client, {kind}"] += 1
            if sys.stderr.isatty() or done.total() % 20 == 0:
                print(f"{done.total()} kills, {time.monotonic() - began:.0f} s", file=sys.stderr)
        submitter.ending.set()
        submitter.join(60)
        ended = eventually("every run is finished", lambda: not clients.open, meanwhile=clients.tend)
        held = judged(served, receiver, submitter, clients, done)
        if silent:
            print(f"WRONG: {silent} times nobody answered after a worker was killed")
        seconds = served.stop()
        print(f"SIGTERM ended the service in {seconds:.1f} s")
        return held and ended and not silent and seconds < 5.0
    finally:
        submitter.ending.set()
        clients.close()
        if served.process is not None and served.process.poll() is None:
            served.kill()
        receiver.close()


def judged(served: Served, receiver: Receiver, submitter: Submitter, clients: Clients, done: Counter[str]) -> bool:
    """Print what came of everything; tell whether nothing was lost or charged twice."""
    wrong: list[str] = []
    states = "SELECT count(*) FROM batches WHERE state = 'processing'"
    if not eventually("every batch has ended", lambda: rows(served.database, states) == [(0,)]):
        wrong.append("batches that never end")
    pending = "SELECT count(*) FROM deliveries WHERE state = 'pending'"
    if not eventually("every notification is delivered", lambda: rows(served.database, pending) == [(0,)], 120):
        wrong.append("notifications that are never delivered")

    # The service's own batches: of those that it took, and of those of which nobody knows whether it did.
    successful, unknown = 0, 0
    headers = {"Authorization": f"Bearer {KEYS['service']}"}
    of_service: set[str] = set()
    for (name,) in rows(served.database, "SELECT id FROM batches"):
        body = httpx.get(f"{served.base}/v1/batch/{name}/results", headers=headers, timeout=60).json()
        if "results" not in body:
            if name in submitter.taken:
                wrong.append(f"{name} answered {str(body)[:200]}")
            continue  # another account's
        of_service.add(name)
        successful += body["successful"]
        unknown += name not in submitter.taken
        wanted = submitter.taken.get(name)
        if wanted is not None and [item["domain"] for item in body["results"]] != wanted:
            wrong.append(f"{name} has results for {len(body['results'])} of {len(wanted)} domains")
        if body["successful"] != sum(item.get("status") == 200 for item in body["results"]):
            wrong.append(f"{name} counts {body['successful']} successful")
    if lost := set(submitter.taken) - of_service:
        wrong.append(f"{len(lost)} batches that were taken are not there")
    used = charged(served.base, KEYS["service"])
    if used != successful:
        wrong.append(f"batches of the service: charged {used}, answered {successful}")

    # Notifications.
    told: dict[str, set[str]] = {}
    deliveries = 0
    with suppress(queue.Empty):
        while True:
            _, head, raw = receiver.deliveries.get_nowait()
            deliveries += 1
            event = tk.verify(raw, head, SECRET)
            told.setdefault(event.data["batch_id"], set()).add(event.webhook_id)
    if missing := of_service - set(told):
        wrong.append(f"{len(missing)} batches were never told of")
    if twice := [name for name, ids in told.items() if len(ids) > 1]:
        wrong.append(f"{len(twice)} batches were told of under several identifiers")

    print(f"kills: {dict(done)}; workers: {served.workers or 'one process'}")
    print(f"batches of the service: {len(of_service)} ({len(submitter.taken)} known, {unknown} found), "
          f"{successful} answers, {used} charged; {deliveries} deliveries of {len(told)} notifications")  # fmt: skip
    for kind in ("single", "batch"):
        _judge_runs(kind, served, clients, done, wrong)
    if printed := clients.printed.read_text(errors="replace").splitlines():
        print(f"clients printed {len(printed)} lines to standard error: {Counter(printed).most_common(2)}"[:300])
    for one in wrong:
        print(f"WRONG: {one}")
    return not wrong


def _judge_runs(kind: str, served: Served, clients: Clients, done: Counter[str], wrong: list[str]) -> None:
    key, answered, spent, failures = KEYS[kind], 0, 0, Counter[str]()
    used = charged(served.base, key)
    runs = [run for run in clients.runs if run["kind"] == kind]
    question = "segment" if kind == "single" else "categorize"
    for run in runs:
        if not Path(run["done"]).exists():
            wrong.append(f"a run ({kind}) is never finished: {_log_of(run)}")
            continue
        spent += json.loads(Path(run["done"]).read_text())["credits"]
        with tk.Client(key, served.base, v1_api_key=key, v1_base_url=served.base) as client:
            by = "request" if kind == "single" else "batch"
            again = client.run(run["targets"], question, store=run["store"], by=by)
            # What has an answer is not sent again; a page that cannot be had is a fact too.
            if again.plan().to_send:
                wrong.append(f"a finished run ({kind}) would send {again.plan().to_send} again")
            outcomes = [*again.results()] if kind == "single" else again.start(progress=False).outcomes()
            answered += sum(outcome.answer is not None for outcome in outcomes)
            for outcome in outcomes:
                if outcome.error is not None and outcome.status not in (410, 411):
                    failures[f"{outcome.status}: {outcome.error}"[:120]] += 1
            if len(outcomes) != len(run["targets"]):
                wrong.append(f"a run ({kind}) has {len(outcomes)} outcomes of {len(run['targets'])}")
            again.close()
    starts, killed = sum(run["starts"] for run in runs), done[f"client, {kind}"] + done["service"] + done["worker"]
    print(
        f"runs, {kind}: {len(runs)} of {starts} starts, {answered} answers, {used} charged, {spent} counted by the runs"
    )
    if failures:
        wrong.append(f"runs ({kind}): {failures.total()} failures: {failures.most_common(2)}")
    # A single request that is open when either end is killed may be charged, and is sent again.
    most = answered + (killed * CONCURRENCY * 2 if kind == "single" else 0)
    if not answered <= used <= most:
        wrong.append(f"runs ({kind}): charged {used}, answered {answered}, at most {most} could have been")
    if spent < used:
        wrong.append(f"runs ({kind}): they count {spent}, the service {used}")


def _log_of(run: dict[str, Any]) -> str:
    log = Path(run["done"] + ".log")
    return log.read_text()[-300:] if log.exists() else "no error was written"


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.kills")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="where toolkit serve takes it")
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        held = campaign(given.kills, given.seed, given.workers, Path(folder))
    print(f"{'Held' if held else 'NOT held'}, in {time.monotonic() - began:.0f} s")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
