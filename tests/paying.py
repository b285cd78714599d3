"""A service in this process that charges for each answer, and counts what it is asked."""

import asyncio
from urllib.parse import parse_qs

import httpx

import toolkit as tk
from toolkit.service.knowledge.vocabulary import filters_document

KEY = "runkey3b90a7d1f4"
BASE = "https://paid.stub.example"


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
