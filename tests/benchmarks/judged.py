"""Count what the service says of pages that were written to judge it by (tests/judged).

    python -m tests.benchmarks.judged [--all] [--wrong]

The tables are by kind of prose and by language, of the pages that nobody had read who built the service; ``--all``
counts the others, too, and ``--wrong`` lists what was not answered rightly.
"""

import argparse
from collections import Counter, defaultdict

from tests.judged import judged, written_pages

VERDICTS = ("right", "none", "wrong", "sure", "silent", "false")


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    wanted = parser.parse_args()
    print(f"| pages | {' | '.join(VERDICTS)} | right, of those with a subject |\n|---{'|---' * (len(VERDICTS) + 1)}|")
    for name in ("english", "languages"):
        counts = defaultdict(Counter)
        for page in written_pages(name):
            if page["unseen"] or wanted.all:
                found = judged(page)
                for group in dict.fromkeys((page.get("language", "en"), f"{name}, {page['prose']}", f"{name}, all")):
                    counts[group][found.verdict] += 1
                if wanted.wrong and found.verdict not in ("right", "silent"):
                    print(page["id"], found.verdict, page["acceptable"], "→", found.main, found.confidence)
        for group, of in counts.items():
            asked = sum(of[verdict] for verdict in VERDICTS[:4])
            cells = (group, *(of[verdict] for verdict in VERDICTS), f"{of['right'] / asked:.0%} of {asked}")
            print(f"| {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
