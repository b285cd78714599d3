"""Services that charge for each answer and count what they are asked: in this process, and in one of their own."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qs

import httpx

import toolkit as tk
from toolkit.service.knowledge.vocabulary import filters_document

KEY = "runkey3b90a7d1f4"
BASE = "https://paid.stub.example"
HERE = Path(__file__).resolve().parent


class Paid:
    """A service that counts what it is asked, and answers with what `how` returns for a query, by default a page."""

    def __init__(self):
        self.asked = []
        self.how = lambda _: None
        self.price = 1
        self.seconds = 0.0
        self.open = self.most_open = 0

    async def answer(self, request):
        if request.url.path.endswith("filters.php"):
            return httpx.Response(200, json=filters_document())
        if request.url.path.endswith("segment.php"):
            query = parse_qs(request.content.decode())["query"][0]
        else:
            query = request.url.params["domain"]
        self.asked.append(query)
        reply = self.how(query)
        if isinstance(reply, Exception):
            raise reply
        await asyncio.sleep(self.seconds)
        if reply is not None:
            status, body, *headers = reply
            return httpx.Response(status, json=body, headers=dict(*headers))
        spent = {"credits_used": self.price, "total_credits": 1_000, "remaining_credits": 1_000 - len(self.asked)}
        if request.url.path.endswith("segment.php"):
            body = {"url": query, "audience_type": "b2c", "demographics": {}, "interests": {"tier2": []}, "status": 200}
            return httpx.Response(200, json=body | spent)
        return httpx.Response(200, json={"domain": query, "categories": [], "meta": spent})

    def client(self, kind=tk.Client, key=KEY, **given):
        retries = tk.Retries(attempts=3, first_wait=0.0, longest_wait=0.0)
        transport = httpx.MockTransport(self.answer)
        given = {"retries": retries, "transport": transport} | given
        return kind(key, BASE, v1_api_key=key, v1_base_url=BASE, **given)


class PaidServer:
    """A running `paid_server.py`."""

    def __init__(self, faults="", seconds=0.0):
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "paid_server.py"), faults, str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.base = f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def counted(self):
        return httpx.get(f"{self.base}/count", timeout=30).json()

    @property
    def asked(self):
        return Counter(self.counted()["asked"])

    def stop(self):
        self.process.kill()
        self.process.communicate()
