"""`toolkit serve` in a process of its own."""

import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Served:
    """A running `toolkit serve`: its process, what it has printed, and its addresses."""

    process: subprocess.Popen
    lines: list[str]

    @property
    def values(self):
        return dict(line.split("=", 1) for line in self.lines if line.startswith("TOOLKIT_"))

    @property
    def base(self):
        return self.values["TOOLKIT_BASE_URL"]

    @property
    def v1_base(self):
        return self.values["TOOLKIT_V1_BASE_URL"]

    def stop(self):
        """Stop it and return the rest of what it printed: standard output, standard error."""
        if self.lines and self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.communicate(timeout=20)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.communicate()


#: What is given by the environment, as arguments stand in the list of processes.
GIVEN = {"--key": "TOOLKIT_SERVE_KEYS", "--webhook-secret": "TOOLKIT_SERVE_WEBHOOK_SECRET"}


def start_serve(*options):
    """Start `toolkit serve` on a free port, and wait until it says that it is ready or ends.

    ``--key`` and ``--webhook-secret`` stand for variables of its environment.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TOOLKIT_")}
    options = list(options)
    for option, variable in GIVEN.items():
        while option in options:
            place = options.index(option)
            _, value = options[place : place + 2]
            del options[place : place + 2]
            environment[variable] = f"{environment.get(variable, '')}\n{value}"
    environment["PYTHONPATH"] = str(Path(__file__).parents[1])
    program = "import sys; from toolkit.cli.main import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "serve", *(() if "--port" in options else ("--port", "0")), *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith("Vocabulary:"):
            break
    watchdog.cancel()
    return Served(process, lines)
