# The names of the package: `_lazy.attach` reads the imports here when a name is first used, and the
# pages of the reference show what `__all__` has.

from summeval.annotate.discourse.document import LEVEL_1 as LEVEL_1
from summeval.annotate.discourse.document import TYPES as TYPES
from summeval.annotate.discourse.document import DiscourseDocument as DiscourseDocument
from summeval.annotate.discourse.document import Relation as Relation
from summeval.annotate.discourse.document import from_json as from_json
from summeval.annotate.discourse.document import to_json as to_json
from summeval.annotate.discourse.parser import Model as Model
from summeval.annotate.discourse.parser import load as load
from summeval.annotate.discourse.parser import parse as parse
from summeval.annotate.discourse.treebanks import read_conll as read_conll
from summeval.annotate.discourse.treebanks import read_pipe as read_pipe
from summeval.annotate.discourse.treebanks import write_parses as write_parses
from summeval.annotate.discourse.treebanks import write_pipe as write_pipe
from summeval.annotate.discourse.treebanks import write_relations as write_relations

__all__ = [
    "LEVEL_1",
    "TYPES",
    "DiscourseDocument",
    "Model",
    "Relation",
    "from_json",
    "load",
    "parse",
    "read_conll",
    "read_pipe",
    "to_json",
    "write_parses",
    "write_pipe",
    "write_relations",
]
