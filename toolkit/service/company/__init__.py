"""Facts about the company behind a site."""
