"""What workers are forked from: imported, it loads all that they need, and leaves no thread that a fork would lose."""

from __future__ import annotations

import gc
import os


def _load() -> None:
    # The libraries read these as they are loaded.
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    from toolkit.service.work.tasks import prepare  # noqa: PLC0415

    prepare()
    # Else the collector, which writes into all it looks at, would soon have copied everything into every worker.
    gc.collect()
    gc.freeze()


_load()
