"""A few blocks of each fuzz target; `make fuzz N=1000000` runs many, under the sanitizers."""

import warnings

import pytest
from run import TARGETS, run_block

BLOCKS = 3


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("name", [name for name in TARGETS if not name.startswith("reader:")])
def test_no_input_finds_a_fault(name: str, block: int) -> None:
    with warnings.catch_warnings(action="ignore"):
        assert run_block(name, 1, block) > 0
