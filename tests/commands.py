"""Commands of the toolkit, run in the process of the tests."""

import io
import json
import re
import sys
from dataclasses import dataclass

from toolkit.cli import main as cli


@dataclass
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def told(self):
        """The summary, without the plan before it."""
        _, _, summary = self.err.rpartition("\n\n")
        return dict(re.findall(r"(?m)^([a-z ]+): +(.*)$", summary))


def in_process(command, capsys, monkeypatch):
    """Return what runs a command with arguments, given a text as standard input."""

    def running(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            status = cli.main([command, *map(str, arguments)])
        except SystemExit as ended:
            status = ended.code
        return Ran(status, *capsys.readouterr())

    return running
