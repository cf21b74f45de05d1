# The names of the package: `_lazy.attach` reads the imports here when a name is first used, and the
# pages of the reference show what `__all__` has.

from summeval.elements.elements import Element as Element
from summeval.elements.extraction import extract as extract
from summeval.elements.extraction import extract_from_dependencies as extract_from_dependencies
from summeval.elements.extraction import extract_from_trees as extract_from_trees

__all__ = [
    "Element",
    "extract",
    "extract_from_dependencies",
    "extract_from_trees",
]
