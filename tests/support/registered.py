"""The metrics that have a name, and their classes."""

from summeval.metrics import registry

NAMES = registry.list_metrics()
FAMILIES = registry.families()
