"""Which tests go to one process together."""

from collections import Counter
from functools import cache
from pathlib import Path

from xdist.scheduler import LoadScopeScheduling

#: How many tests that share nothing are handed out at a time.
HANDFUL = 8
#: How many processes have a JupyterLab and a browser, which take as long to start as many tests.
BROWSERS = 2


@cache
def is_whole(root, file):
    """Say whether the tests of a file stay together: a notebook's cells, and what shares a fixture."""
    return file.endswith(".ipynb") or "@pytest.fixture(scope=" in (root / file).read_text(encoding="utf-8")


class Handfuls(LoadScopeScheduling):
    """Hand out a class or a file at a time, and a handful of tests of a file that shares nothing."""

    def __init__(self, config, log=None):
        super().__init__(config, log)
        self._scopes, self._seen, self._browsers, self._root = {}, Counter(), {}, Path(config.rootpath)

    def _split_scope(self, nodeid):
        if nodeid not in self._scopes:
            scope, file = nodeid.partition("[")[0].rpartition("::")[0], nodeid.partition("::")[0]
            if file.startswith("tests/browser/"):
                self._browsers.setdefault(file, len(self._browsers) % BROWSERS)
                scope = f"tests/browser {self._browsers[file]}"
            elif not is_whole(self._root, file):
                scope = f"{file} {self._seen[file] // HANDFUL}"
                self._seen[file] += 1
            self._scopes[nodeid] = scope
        return self._scopes[nodeid]
