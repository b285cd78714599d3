import pytest
from stubs import Stub


@pytest.fixture(scope="session")
def shared_stub():
    """For property tests, which run many examples a test."""
    return Stub()
