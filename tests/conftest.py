"""How Hypothesis runs: the same examples every time, and no limit on time, for machines differ.

`pytest --hypothesis-profile explore` draws new examples.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("steady")
