"""Services behind a client without a network: the real one, watched, and one that answers as it is told to."""

import json

import httpx

import toolkit as tk


class Wire(httpx.AsyncBaseTransport):
    """The real service behind a transport that keeps what goes over the wire."""

    key = "wirekey5d1f0c7ea94b"

    def __init__(self):
        from toolkit.service.app import create_app
        from toolkit.service.settings import Settings

        self._app = create_app(Settings(keys=(self.key,)))
        self._inner = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        self.requests = []
        self.responses = []

    async def handle_async_request(self, request):
        response = await self._inner.handle_async_request(request)
        await response.aread()
        self.requests.append(request)
        self.responses.append(response)
        return httpx.Response(response.status_code, headers=response.headers, content=response.content)

    async def aclose(self):
        await self._app.state.service.close()


#: The least of which nothing need be said.
VOCABULARY = {"vocab_version": "1.1", "interests": ["INT.PETS.DOGS"], "income_level": ["low", "high"]}


class Stub:
    """A service that answers as it is told to: `replies` in turn, the last of them for ever.

    A reply is an exception to raise, or status, body and headers.
    """

    base = "https://api.stub.example"
    v1_base = "https://v1.stub.example"
    key = "stubkey8c2e41d09f63"
    v1_key = "stubkeyv1b7a350e2cd"

    def __init__(self):
        self.replies = []
        self.requests = []
        #: What is answered to who asks for the vocabulary; these are no requests of those that are counted.
        self.vocabulary = None

    def reply(self, status=200, body=b"", headers=None, **json_headers):
        if not isinstance(body, bytes):
            body, headers = json.dumps(body).encode(), {"content-type": "application/json", **(headers or {})}
        self.replies.append((status, body, {**(headers or {}), **json_headers}))
        return self

    def fail(self, error):
        self.replies.append(error)
        return self

    def again(self):
        self.replies, self.requests = [], []
        return self

    def answer(self, request):
        if self.vocabulary is not None and request.url.path.endswith("filters.php"):
            return httpx.Response(200, json=self.vocabulary)
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if isinstance(reply, BaseException):
            raise reply
        status, body, headers = reply
        headers = {"content-length": str(len(body)), **headers}
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(body))

    def client(self, kind=tk.Client, **settings):
        given = {
            "api_key": self.key,
            "base_url": self.base,
            "v1_api_key": self.v1_key,
            "v1_base_url": self.v1_base,
            "retries": tk.Retries(first_wait=0.0, longest_wait=0.0),
            "transport": httpx.MockTransport(self.answer),
        }
        return kind(**{**given, **settings})
