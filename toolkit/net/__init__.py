"""How one request travels: to a remote service or to the embedded one, with keys, limits and retries."""
