"""A program that ends in the middle of the embedded service's work, to be run in a process of its own.

Its arguments: how it ends, what is under way, seconds from its beginning to its end, and a folder for its files.
"""

import asyncio
import atexit
import os
import signal
import sys
import threading
import time
from pathlib import Path

import toolkit as tk
from toolkit.service.settings import Settings

SITES = (
    "torque-journal.example",
    "ledgerline.example",
    "harvest-table.example",
    "https://trailhead-outfitters.example/boots",
    "nowhere.example",
)
#: How long a thread that is no daemon goes on after the main thread's end.
AFTERWARDS = 1.0


def settings(folder, work):
    """The embedded service's settings: with a database on the disk for batches, and pending notifications."""
    database = folder / "service.db" if work == "batch" else None
    return Settings(
        allow_private=True, webhook_url="http://127.0.0.1:9/", monthly_quota=10, webhook_secret="s", database=database
    )


def begin(client, work, folder, until=None):
    """Do some work for ever, or until a moment."""
    turn = 0
    while until is None or time.monotonic() < until:
        site = SITES[turn % len(SITES)]
        turn += 1
        try:
            if work == "segment":
                client.categorize_content(text=f"{turn} a road test of a used estate car on mountain roads " * 50)
                client.segment(f"{site}/{turn}")
            elif work == "batch":
                client.submit_batch([f"{site}/{turn}" for site in SITES] * 10, webhook_url="http://127.0.0.1:9/")
                time.sleep(0.05)
            else:
                run = client.ask([f"{site}/{turn}" for site in SITES] * 10, ["segment", "enrich"])
                if run.progress.reason == "interrupted":  # it keeps what it has, and does not raise
                    raise KeyboardInterrupt
        except tk.ToolkitError:
            pass


async def abegin(client, work):
    turn = 0
    while True:
        turn += 1
        try:
            if work == "batch":
                await client.submit_batch([f"{site}/{turn}" for site in SITES] * 10, webhook_url="http://127.0.0.1:9/")
            elif work == "segment":
                await client.segment(f"{SITES[turn % len(SITES)]}/{turn}")
            else:
                await client.ask([f"{site}/{turn}" for site in SITES] * 10, ["segment", "enrich"])
        except tk.ToolkitError:
            pass
        await asyncio.sleep(0.05)  # the embedded service answers some questions without giving way


async def leave(work, seconds, folder):
    """Leave an asynchronous client and tasks that use it behind."""
    client = tk.AsyncClient(embedded=settings(folder, work))
    tasks = [asyncio.create_task(abegin(client, work)) for _ in range(3)]
    await asyncio.sleep(seconds)
    del tasks


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # some who start it have interrupts ignored
    way, work, seconds, folder = sys.argv[1], sys.argv[2], float(sys.argv[3]), Path(sys.argv[4])
    if way == "loop":
        asyncio.run(leave(work, seconds, folder))
        return
    client = tk.Client(embedded=settings(folder, work))
    if way == "closing":
        atexit.register(client.close)
    ends = time.monotonic() + seconds
    print("begun", flush=True)
    if way in ("interrupt", "terminate"):  # by who started it
        begin(client, work, folder)
    until = ends + AFTERWARDS if way == "thread" else None
    for _ in range(2):
        threading.Thread(target=begin, args=(client, work, folder, until), daemon=way != "thread").start()
    if work == "run":
        background = client.run([f"{site}/{turn}" for turn in range(2_000) for site in SITES], "segment")
        background.start_background()
    time.sleep(seconds)
    if way == "exit":
        sys.exit(3)
    if way == "error":
        raise RuntimeError("as wanted")
    if way == "at-once":
        os._exit(4)


if __name__ == "__main__":
    main()
