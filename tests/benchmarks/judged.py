"""Count what the service says of pages that were written to judge it by (tests/judged).

    python -m tests.benchmarks.judged [--all] [--wrong]

The tables are by kind of prose and by language, and by the confidence of what was answered, of pages that nobody had
read who built the service; ``--all`` counts the others, too, and ``--wrong`` lists what was not answered rightly.
"""

import argparse
from collections import Counter, defaultdict

from tests.judged import judged, written_pages

BINS = ((0.25, 0.35), (0.35, 0.6), (0.6, 0.8), (0.8, 1.01))
VERDICTS = ("right", "none", "wrong", "sure", "silent", "false")


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    wanted = parser.parse_args()
    groups = defaultdict(list)
    for name in ("english", "languages"):
        for page in written_pages(name):
            if page["unseen"] or wanted.all:
                found = judged(page)
                for group in dict.fromkeys((f"{name}, {page['prose']}", page.get("language", "en"))):
                    groups[group].append(found)
                if wanted.wrong and found.verdict not in ("right", "silent"):
                    print(page["id"], found.verdict, page["acceptable"], "→", found.main, found.confidence)
    by_verdict(groups)
    by_confidence(groups)


def by_verdict(groups):
    """Print how many pages of each group have which verdict."""
    print(f"| pages | {' | '.join(VERDICTS)} | right, of those with a subject |\n|---{'|---' * (len(VERDICTS) + 1)}|")
    for group, found in groups.items():
        of = Counter(page.verdict for page in found)
        asked = sum(of[verdict] for verdict in VERDICTS[:4])
        cells = (group, *(of[verdict] for verdict in VERDICTS), f"{of['right'] / asked:.0%} of {asked}")
        print(f"| {' | '.join(map(str, cells))} |")


def by_confidence(groups):
    """Print for each group, of the answers of some confidence: how many, their mean confidence, share that is right."""
    print(f"\n| pages | {' | '.join(f'{low} to {min(high, 1)}' for low, high in BINS)} |\n|---{'|---' * len(BINS)}|")
    for group, found in groups.items():
        cells = [group]
        for low, high in BINS:
            given = [page for page in found if page.page["subject"] and low <= page.confidence < high]
            said = sum(page.confidence for page in given) / max(len(given), 1)
            right = sum(page.verdict == "right" for page in given) / max(len(given), 1)
            cells.append(f"{len(given)}: {said:.2f}, {right:.2f}")
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
