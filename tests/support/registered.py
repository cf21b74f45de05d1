"""The registered metrics and their classes."""

from summeval.metrics import registry
from summeval.metrics.run.base import KernelMetric

NAMES = registry.list_metrics()
FAMILIES = registry.families()
# The first name of each class that one kernel computes: a new one needs no entry in the lists of
# calls to interrupt, targets of the fuzzer and benchmarks.
OF_ONE_KERNEL = [kind.names[0] for kind in FAMILIES if issubclass(kind, KernelMetric)]
