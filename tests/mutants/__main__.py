"""The campaign: many bodies through real sockets, judged, in a table.

::

    python -m tests.mutants --bodies 20000 --seed 1
    python -m tests.mutants --only 1:354
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .campaign import Line, Worker, work
from .cases import case_of
from .judge import RIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK: Final = 500
#: Seconds without any progress after which a worker is ended, and what it was at is said to hang.
_STANDS_STILL: Final = 90.0
#: What a worker is at before it has begun.
_NOWHERE: Final = 1e12


def chunk_lines(seed: int, indices: list[int], folder: Path) -> Iterator[tuple[str, list[Line]]]:
    """Send one chunk, as often as something in it hangs without that; yield ``waiting`` until it is done."""
    context = multiprocessing.get_context("spawn")
    hung: list[Line] = []
    runs = True
    while indices:
        mark = context.Array("d", [_NOWHERE, time.monotonic()])
        path = folder / f"{indices[0]}-{len(hung)}.json"
        process = context.Process(target=work, args=(seed, indices, runs, str(path), mark), daemon=True)
        process.start()
        while process.is_alive() and time.monotonic() - mark[1] < _STANDS_STILL:
            process.join(0.05)
            yield "waiting", []
        if not process.is_alive() and path.exists():
            yield "done", [*hung, *json.loads(path.read_text(encoding="utf-8"))]
            return
        if mark[0] == _NOWHERE:
            raise SystemExit(f"A worker ended before it began, with {process.exitcode}.")
        at = int(mark[0])
        ended = "stands still" if process.is_alive() else f"ended with {process.exitcode}"
        process.kill()
        process.join()
        case = case_of(seed, at if at >= 0 else -1 - at)
        name = case.kind if at >= 0 else f"run of {case.endpoint}"
        outcome = "HANG" if ended == "stands still" else "CRASH"
        hung.append({"way": "process", "index": case.index, "kind": name, "endpoint": case.endpoint,
                     "outcome": outcome, "detail": ended, "notes": case.notes})  # fmt: skip
        indices = [index for index in indices if index != at]
        runs = at >= 0
    yield "done", hung


def campaign(seed: int, first: int, bodies: int, processes: int) -> list[Line]:
    """Send many bodies with several processes, and return what came of each."""
    began, lines = time.monotonic(), []
    chunks = [list(range(at, min(at + _CHUNK, first + bodies))) for at in range(first, first + bodies, _CHUNK)]
    done, total = 0, len(chunks)
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        under_way: list[Iterator[tuple[str, list[Line]]]] = []
        while chunks or under_way:
            while chunks and len(under_way) < processes:
                under_way.append(chunk_lines(seed, chunks.pop(0), Path(name)))
            for one in list(under_way):
                state, found = next(one)
                if state == "done":
                    under_way.remove(one)
                    lines += found
                    done += 1
                    if sys.stderr.isatty() or done % 10 == 0:
                        print(f"{done} of {total} chunks, {time.monotonic() - began:.0f} s", file=sys.stderr)
    return lines


def family(kind: str) -> str:
    """Return the group of a kind in the short table."""
    for mark in (":", ","):
        kind = kind.partition(mark)[0]
    return "depth" if kind.startswith("depth") else kind


def table(lines: list[Line], *, name: Any = family) -> str:
    """Return kinds by outcomes."""
    outcomes = [*RIGHT, *sorted({line["outcome"] for line in lines} - set(RIGHT))]
    outcomes = [one for one in outcomes if any(line["outcome"] == one for line in lines)]
    counts: dict[str, Counter[str]] = {}
    for line in lines:
        counts.setdefault(name(line["kind"]), Counter())[line["outcome"]] += 1
    counts["all"] = Counter(line["outcome"] for line in lines)
    width = max(map(len, counts))
    heads = [one if one in RIGHT else _short(one) for one in outcomes]
    rows = [" " * width + "  " + "  ".join(heads)]
    for kind, count in counts.items():
        cells = [f"{count[one] or '·':>{len(head)}}" for one, head in zip(outcomes, heads, strict=True)]
        rows.append(f"{kind:<{width}}  " + "  ".join(cells))
    return "\n".join(rows)


def _short(outcome: str) -> str:
    return {"ERROR TAKEN FOR AN ANSWER": "TAKEN", "ERROR SAYS 200": "SAYS200", "A GOOD ONE LOST": "GOODLOST"}.get(
        outcome, outcome.replace(" ", "")
    )


def groups(lines: list[Line], seed: int) -> str:
    """Return the failures by kind, each with one example."""
    found: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line["outcome"] not in RIGHT:
            found.setdefault((line["outcome"], line["kind"]), []).append(line)
    rows = []
    for (outcome, kind), part in sorted(found.items(), key=lambda entry: (entry[0][0], -len(entry[1]))):
        one = min(part, key=lambda line: len(line["notes"]))
        ways = ", ".join(f"{way} {number}" for way, number in Counter(line["way"] for line in part).items())
        rows.append(f"{outcome} | {kind} | {len(part)} ({ways})")
        rows.append(f"    {seed}:{one['index']} {one['endpoint']}: {one['notes'][:90]}")
        rows.append(f"    {one['detail'][:220]}")
    return "\n".join(rows)


def shown(seed: int, index: int) -> str:
    """Return one case in full: what is sent, what must come of it, and what did."""
    case = case_of(seed, index)
    rows = [f"{seed}:{index} {case.kind} | {case.endpoint} | {case.target} | {case.notes}"]
    if case.script:
        rows.append(json.dumps(case.script, indent=1, ensure_ascii=False))
    else:
        pieces = case.reply.pieces()
        rows += [f"{piece[:4000]!r}" if isinstance(piece, bytes) else f"… {piece} s" for piece in pieces]
    truth = case.truth
    rows.append(
        f"truth: {truth.verdict}, {truth.level}, statuses {sorted(truth.statuses)}, loose {sorted(truth.loose)}"
    )
    rows.append(f"content: {truth.content}"[:3000])
    worker = Worker(seed)
    rows += [f"{line['way']}: {line['outcome']} {line['detail']}" for line in worker.chunk([index])]
    worker.close()
    return "\n".join(rows)


def main() -> int:
    """Run the campaign; the exit status tells whether everything was right."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("--bodies", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first body")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", metavar="SEED:INDEX", help="one case, in full")
    parser.add_argument("--kinds", action="store_true", help="a row for every kind, not for groups of kinds")
    parser.add_argument("--lines", type=Path, help="write every result into this file, as JSON")
    parser.add_argument("--outcome", help="list only failures of this name")
    given = parser.parse_args()
    if given.only:
        seed, index = map(int, given.only.split(":"))
        print(shown(seed, index).encode("utf-8", "backslashreplace").decode())
        return 0
    began = time.monotonic()
    lines = campaign(given.seed, given.first, given.bodies, given.processes)
    if given.lines:
        given.lines.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    print(table(lines, name=str if given.kinds else family))
    wrong = [line for line in lines if line["outcome"] not in RIGHT]
    bodies = {line["index"] for line in wrong}
    print(f"\n{given.bodies} bodies, {len(lines)} judgements, {time.monotonic() - began:.0f} s; wrong: "
          f"{len(wrong)} judgements of {len(bodies)} bodies\n")  # fmt: skip
    print(groups([line for line in wrong if given.outcome in (None, line["outcome"])], given.seed))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
