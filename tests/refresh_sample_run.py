"""Ask the embedded service about its sample web anew and keep the answers: ``python tests/refresh_sample_run.py``."""

import hashlib
import re
from pathlib import Path

import toolkit as tk
from toolkit.service.samples import sample_sites

DATA = Path(tk.__file__).parent / "interface" / "data"
NAME = "sample_run.jsonl.gz"
ASKED = ["segment", "categorize_content", "enrich"]


def refresh():
    with tk.Client() as client:
        # What an earlier refresh was answered is not taken up.
        run = client.run([site.host for site in sample_sites()], ask=ASKED, store=False)
        run.start(progress=False)
        path = run.save(DATA / NAME)
        run.close()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    sources = DATA / "sources.toml"
    text = sources.read_text(encoding="utf-8")
    head, found, tail = text.partition(f'["{NAME}"]')
    assert found, f"{sources.name} has no entry for {NAME}"
    sources.write_text(
        head + found + re.sub(r'sha256 = "\w*"', f'sha256 = "{digest}"', tail, count=1), encoding="utf-8"
    )
    print(f"{path.name}: {path.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    refresh()
