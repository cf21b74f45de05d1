"""How Hypothesis runs: the same examples every time, and no time limit, for any machine.

`pytest --hypothesis-profile explore` draws new examples.
"""

import os
import signal
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("steady")


@pytest.fixture(autouse=True, scope="session")
def own_cache() -> Iterator[None]:
    """Annotations are kept in a folder of the tests, which they leave with."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUMMEVAL_CACHE", os.path.join(folder, "cache"))
        yield


@pytest.fixture(autouse=True, scope="session")
def interrupts() -> None:
    """Ctrl-C reaches the tests and their children, though a shell has them ignore it behind `&`."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
