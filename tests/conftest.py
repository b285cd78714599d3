"""Shared by all tests: a clean environment and the embedded service."""

import os

import pytest

import toolkit as tk


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    for name in [name for name in os.environ if name.startswith("TOOLKIT_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def client():
    """A client on the embedded service."""
    with tk.Client() as client:
        yield client


@pytest.fixture(scope="session")
def vocabulary(client):
    return client.filters()
