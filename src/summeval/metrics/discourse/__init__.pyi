# The names of the package: `_lazy.attach` reads the imports here when a name is first used, and the
# pages of the reference show what `__all__` has.

from summeval.metrics.discourse.roles import role_matrix as role_matrix
from summeval.metrics.discourse.roles import table_2 as table_2
from summeval.metrics.discourse.roles import transition_features as transition_features

__all__ = ["role_matrix", "table_2", "transition_features"]
