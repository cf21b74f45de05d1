"""The package's model of `cremer` with parts, by the parts that are given."""

from __future__ import annotations

import pytest

from summeval.metrics.discourse.trained import model_of_parts


@pytest.mark.parametrize(
    "parts", ["support,tesla-e,readability", ["readability", "support", "tesla-e"]]
)
def test_parts_in_another_order_are_told_their_order(parts: str | list[str]) -> None:
    with pytest.raises(ValueError, match=r'order parts="tesla-e,support,readability"$') as caught:
        model_of_parts(parts)
    assert "\n" not in str(caught.value)
    assert model_of_parts("tesla-e,support") is None
