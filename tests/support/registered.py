"""The registered metrics and their classes."""

from summeval.metrics import registry

NAMES = registry.list_metrics()
FAMILIES = registry.families()
