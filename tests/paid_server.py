"""A service in a process of its own that answers at once, counts what it charges, and fails on demand.

``python paid_server.py [FAULTS [SECONDS]]`` prints its port. An answer to a segmentation holds the query, so that it is
known for which target it was; each costs a credit. ``GET /count`` tells what was asked, and how often, and the most
requests that were open at a time.
"""

import asyncio
import sys
from collections import Counter

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from toolkit.service import Faults
from toolkit.service.knowledge.vocabulary import filters_document
from toolkit.service.web.injector import FaultInjector

asked, now = Counter(), Counter()


async def segment(request):
    query = (await request.form())["query"]
    asked[query] += 1
    now["open"] += 1
    now["most"] = max(now["most"], now["open"])
    await asyncio.sleep(request.app.state.seconds)
    now["open"] -= 1
    body = {
        "url": query,
        "audience_type": "b2c",
        "demographics": {"confidence": "low"},
        "interests": {"tier1": [], "tier2": [], "confidence": "low"},
        "status": 200,
        "credits_used": 1,
        "total_credits": 1_000_000,
        "remaining_credits": 1_000_000 - asked.total(),
    }
    return JSONResponse(body)


async def count(request):
    return JSONResponse({"asked": dict(asked), "most_open": now["most"]})


async def filters(request):
    return JSONResponse(filters_document())


routes = [
    Route("/api/audience/segment.php", segment, methods=["POST"]),
    Route("/api/audience/filters.php", filters),
    Route("/count", count),
]


class Announcing(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print(self.servers[0].sockets[0].getsockname()[1], flush=True)


def main(faults="", seconds="0"):
    app = Starlette(routes=routes)
    app.state.seconds = float(seconds)
    if faults:
        app.add_middleware(FaultInjector, faults=Faults.parse(faults))
    Announcing(uvicorn.Config(app, port=0, log_level="critical", access_log=False)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
