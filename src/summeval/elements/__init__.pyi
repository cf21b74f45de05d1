# The names of the package: `_lazy.attach` reads them here when one is first used.

from summeval.elements.elements import Element as Element
from summeval.elements.extraction import extract as extract
from summeval.elements.extraction import extract_from_dependencies as extract_from_dependencies
from summeval.elements.extraction import extract_from_trees as extract_from_trees
