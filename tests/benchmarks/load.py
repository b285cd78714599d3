"""Measure the service under load: answers a second, how long they take, memory, and how it ends.

    python tests/benchmarks/load.py [--seconds 30] [--workers 4]

`toolkit serve`, the pages it fetches and the clients are processes of their own on this machine, so that all of them
share its processors: what the clients and the pages take is told beside what the service does. Nothing is asserted.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import signal
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from itertools import count
from pathlib import Path

import psutil

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from hostile_pages import KINDS, hostile_page
from run import page_of

KEY = "key-of-the-load"
PAGE_BYTES = 50_000
DIFFERENT_PAGES = 60
HOSTILE = 40
HOSTILE_BYTES = 3_000_000
PATIENCE = 30
PAUSE = 0.02
#: Kinds of page that took longest before they were bounded, and those that take longest since.
HOSTILE_KINDS = (
    "attribute names of one tag",
    "attributes of an end tag",
    "nested tables",
    "nested tables of cells",
    "a table of rows, one wide",
    "closed, each of no name",
    "data of organisations",
    "prices in lines",
    "headings",
    "tables of links",
)


# The pages --------------------------------------------------------------------------------------------------------


def serve_pages(connection):
    """Serve pages that are all different: ``/p/N`` ordinary ones, ``/h/N`` hostile ones; tell the processor's time."""
    pages = [page_of(PAGE_BYTES, seed).body.partition(b"<article>") for seed in range(DIFFERENT_PAGES)]
    hostile = [hostile_page(kind, HOSTILE_BYTES).encode()[:HOSTILE_BYTES] for kind in HOSTILE_KINDS]

    async def answer(reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                _, kind, number = head.split(b" ", 2)[1].split(b"/")
                if kind == b"p":
                    before, tag, after = pages[int(number) % DIFFERENT_PAGES]
                    body = b"%s%s<p>Number %s of the printed run.</p>%s" % (before, tag, number, after)
                else:
                    body = hostile[int(number) % len(hostile)]
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: %d\r\n\r\n" % len(body))
                writer.write(body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def serve():
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1_000)
        begun = time.process_time()
        connection.send(server.sockets[0].getsockname()[1])
        await asyncio.get_running_loop().run_in_executor(None, connection.recv)
        connection.send(time.process_time() - begun)

    asyncio.run(serve())


# The clients ------------------------------------------------------------------------------------------------------


class Asked:
    """What clients saw: seconds of each answer, by what was asked, and what went wrong."""

    def __init__(self):
        self.seconds = defaultdict(list)
        self.problems = defaultdict(int)


async def ask(address, asked, name, make, until, *, pause=0.0, accepted=(200,)):
    """Ask one question after another over one connection."""
    reader = writer = None
    while time.monotonic() < until:
        started = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE):
                if writer is None:
                    reader, writer = await asyncio.open_connection(*address)
                writer.write(make())
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
                await reader.readexactly(length)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            asked.problems[f"{name}: {type(error).__name__}"] += 1
            if writer is not None:
                writer.close()
            writer = None
            continue
        status = int(head.split(b" ", 2)[1])
        if status in accepted:
            asked.seconds[name].append(time.monotonic() - started)
        else:
            asked.problems[f"{name}: {status}"] += 1
        if pause:
            await asyncio.sleep(pause)
    if writer is not None:
        writer.close()


def segment(target):
    body = f"api_key={KEY}&format=structured&query={target}".encode()
    head = "POST /api/audience/segment.php HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\n"
    return head.encode() + b"content-length: %d\r\n\r\n%s" % (len(body), body)


def clients(connection, address, pages, number, seconds, hostile):  # noqa: PLR0917 - as above
    """Ask for pages that nobody has asked for, and meanwhile for one that is kept, and for what there is not."""
    begun = time.process_time()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    numbers = count(os.getpid() * 100_000)
    site = f"http://127.0.0.1:{pages}"

    async def run():
        asked, until = Asked(), time.monotonic() + seconds
        jobs = [
            ask(address, asked, "new page", lambda: segment(f"{site}/p/{next(numbers)}"), until) for _ in range(number)
        ]
        await ask(address, Asked(), "kept page", lambda: segment(f"{site}/p/1"), time.monotonic() + 0.01)
        jobs.append(ask(address, asked, "kept page", lambda: segment(f"{site}/p/1"), until, pause=PAUSE))
        nothing = b"GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n"
        jobs.append(ask(address, asked, "404", lambda: nothing, until, pause=PAUSE, accepted=(404,)))

        async def one_hostile(place):
            await asyncio.sleep(seconds / 6)
            wanted = segment(f"{site}/h/{place}")
            await ask(address, asked, "hostile page", lambda: wanted, time.monotonic() + 0.01, accepted=(200, 410))

        await asyncio.gather(*jobs, *map(one_hostile, range(hostile)))
        return asked

    asked = asyncio.run(run())
    connection.send((dict(asked.seconds), dict(asked.problems), time.process_time() - begun))


# The service ------------------------------------------------------------------------------------------------------


def serve(workers):
    """Start the service; return its process and address."""
    program = "import sys; from toolkit.cli.main import main; sys.exit(main())"
    options = ("serve", "--port", "0", "--allow-private", "--workers", str(workers))
    process = subprocess.Popen(
        [sys.executable, "-c", program, *options],
        env={**os.environ, "TOOLKIT_SERVE_KEYS": KEY},
        stdout=subprocess.PIPE,
        text=True,
    )
    base = ""
    for line in process.stdout:
        if line.startswith("TOOLKIT_BASE_URL="):
            base = line.strip().partition("=")[2]
        if line.startswith("Vocabulary:"):
            break
    host, _, port = base.removeprefix("http://").rpartition(":")
    return process, (host, int(port))


def memory(process):
    """Return the megabytes of the service and its workers, what they share counted once."""
    total = 0
    for one in [process, *process.children(recursive=True)]:
        try:
            total += one.memory_full_info().pss
        except psutil.Error:
            continue
    return total / 1e6


def processor(process):
    """Return the processor's seconds of the service itself and of its workers, without those that were replaced."""
    own = sum(process.cpu_times()[:2])
    return own, sum(sum(child.cpu_times()[:2]) for child in process.children(recursive=True))


def measure(workers, number, seconds, hostile, *, end_under_load=False):
    """Return what came of so many clients."""
    context = multiprocessing.get_context("spawn")
    service, address = serve(workers)
    process = psutil.Process(service.pid)
    ours, theirs = context.Pipe()
    context.Process(target=serve_pages, args=(theirs,), daemon=True).start()
    pages = ours.recv()
    told, telling = context.Pipe()
    asking = context.Process(
        target=clients, args=(telling, address, pages, number, seconds + 600 * end_under_load, hostile), daemon=True
    )
    asking.start()
    megabytes, before = [], processor(process)
    started = time.monotonic()
    while time.monotonic() < started + seconds and asking.is_alive():
        time.sleep(min(seconds / 6, 5))
        megabytes.append(memory(process))
    own, of_workers = (now - then for now, then in zip(processor(process), before, strict=True))
    found = {"megabytes": megabytes, "own": own, "workers": of_workers}
    if not end_under_load:
        found["seconds"], found["problems"], found["clients"] = told.recv()
        asking.join()
    ended = time.monotonic()
    service.send_signal(signal.SIGTERM)
    service.wait()
    found["end"] = time.monotonic() - ended
    asking.terminate()
    ours.send(None)
    found["pages"] = ours.recv()
    return found


def told(seconds):
    """Return median, 99th percentile and longest in milliseconds."""
    if len(seconds) < 2:
        return "-"
    ranked = sorted(seconds)
    parts = (statistics.median(ranked), ranked[int(0.99 * (len(ranked) - 1))], ranked[-1])
    return " / ".join(f"{1000 * part:,.0f}" for part in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--clients", type=int, nargs="*", default=[200, 500])
    parser.add_argument("--raw", action="store_true", help="print what was measured as JSON too")
    arguments = parser.parse_args()
    missing = set(HOSTILE_KINDS) - KINDS.keys()
    if missing:
        parser.error(f"no such kinds of page: {missing}")
    print(
        "| clients | workers | answers/s | new page, ms | kept page, ms | 404, ms | hostile page, ms | wrong | MB "
        "| end, s |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    seconds = arguments.seconds
    plans = [(number, arguments.workers, HOSTILE, False) for number in arguments.clients]
    plans += [(50, workers, 0, False) for workers in (1, arguments.workers)]
    plans += [(arguments.clients[0], arguments.workers, HOSTILE, True)] if arguments.clients else []
    for number, workers, hostile, ends in plans:
        found = measure(workers, number, seconds, hostile, end_under_load=ends)
        megabytes = f"{found['megabytes'][0]:.0f} to {found['megabytes'][-1]:.0f}, most {max(found['megabytes']):.0f}"
        if ends:
            print(f"| {number}, still asking | {workers} | | | | | | | {megabytes} | {found['end']:.1f} |", flush=True)
            continue
        by = found["seconds"]
        rate = len(by.get("new page", ())) / seconds
        cells = [told(by.get(name, ())) for name in ("new page", "kept page", "404", "hostile page")]
        wrong = ", ".join(f"{what} {times}" for what, times in found["problems"].items()) or "nothing"
        print(
            f"| {number} | {workers} | {rate:.0f} | {' | '.join(cells)} | {wrong} | {megabytes} | {found['end']:.1f} |",
            flush=True,
        )
        shares = [f"{name} {found[name] / seconds:.2f}" for name in ("own", "workers", "pages", "clients")]
        print(f"<!-- processors: {', '.join(shares)} -->", flush=True)
        if arguments.raw:
            print(json.dumps({**found, "seconds": {name: len(values) for name, values in by.items()}}), flush=True)


if __name__ == "__main__":
    main()
