"""A client of the service, written from the interface document alone: what a stranger would write in an afternoon."""

import hashlib
import hmac
from xml.etree.ElementTree import fromstring

import requests

ENOUGH_SECONDS = 30
ROOT_FALLBACK = "use_domain_as_basis_of_categorization_for_insufficient_subdomain_content"


class ServiceError(Exception):
    """An answer with a code other than 200."""

    def __init__(self, code, response):
        super().__init__(f"{code}: {response.text[:200]}")
        self.code = code
        self.headers = response.headers
        self.text = response.text


class IndependentClient:
    """Both families of the interface."""

    def __init__(self, base_url, v1_base_url, api_key=None):
        self.base_url = base_url
        self.v1_base_url = v1_base_url
        self.api_key = api_key
        self.session = requests.Session()
        self.session.trust_env = False

    def close(self):
        self.session.close()

    def segment(self, query, **parameters):
        return self._post_form("/api/audience/segment.php", query=query, **parameters)

    def vocabulary(self):
        response = self.session.get(f"{self.base_url}/api/audience/filters.php", timeout=ENOUGH_SECONDS)
        return _decoded(response)

    def vocabulary_page(self):
        return self.session.get(f"{self.base_url}/audience-segmentation-taxonomy.php", timeout=ENOUGH_SECONDS)

    def categorize_url(self, query, **parameters):
        form = {"query": query, "data_type": "url", **parameters}
        return self._post_form("/api/std/std_web_content_filtering.php", **form)

    def categorize_text(self, query, **parameters):
        form = {"query": query, "data_type": "text", **parameters}
        return self._post_form("/api/std/std_content_filtering.php", **form)

    def categorize_domain(self, domain):
        return _decoded(self._get("/v1/categorize", domain=domain))

    def enrich(self, domain, **parameters):
        return _decoded(self._get("/v1/enrich", domain=domain, **parameters))

    def enrich_xml(self, domain, **parameters):
        response = self._get("/v1/enrich", domain=domain, format="xml", **parameters)
        if response.status_code != requests.codes.ok:
            raise ServiceError(response.status_code, response)
        return read_xml(fromstring(response.content))  # noqa: S314 - as a stranger would

    def submit_batch(self, domains, path="/v1/batch", **payload):
        body = {"domains": domains, **payload}
        response = self.session.post(
            f"{self.v1_base_url}{path}", json=body, headers=self._bearer(), timeout=ENOUGH_SECONDS
        )
        return _decoded(response)

    def batch_results(self, batch_id):
        return _decoded(self._get(f"/v1/batch/{batch_id}/results"))

    def at(self, url):
        return _decoded(self.session.get(url, headers=self._bearer(), timeout=ENOUGH_SECONDS))

    def _post_form(self, path, **form):
        if self.api_key is not None:
            form["api_key"] = self.api_key
        form = {name: value for name, value in form.items() if value is not None}
        return _decoded(self.session.post(f"{self.base_url}{path}", data=form, timeout=ENOUGH_SECONDS))

    def _get(self, path, **query):
        return self.session.get(
            f"{self.v1_base_url}{path}", params=query, headers=self._bearer(), timeout=ENOUGH_SECONDS
        )

    def _bearer(self):
        return {} if self.api_key is None else {"Authorization": f"Bearer {self.api_key}"}


def read_xml(element):
    """Read an element as the JSON value that its `type` attribute says it is."""
    kind = element.get("type", "string")
    if kind == "object":
        return {child.tag: read_xml(child) for child in element}
    if kind == "array":
        return [read_xml(child) for child in element]
    text = element.text or ""
    readers = {"integer": int, "number": float, "boolean": lambda t: t == "true", "null": lambda _: None, "string": str}
    return readers[kind](text)


def is_authentic(secret, headers, body):
    """Check a notification as the interface describes it."""
    signed = f"{headers['X-Webhook-Timestamp']}.".encode() + body
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, headers["X-Webhook-Signature"])


def _decoded(response):
    try:
        body = response.json()
    except ValueError:
        raise ServiceError(response.status_code, response) from None
    code = body.get("status", response.status_code)
    if code != requests.codes.ok or response.status_code != requests.codes.ok:
        raise ServiceError(code, response)
    return body
