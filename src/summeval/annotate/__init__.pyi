# The names of the package: `_lazy.attach` reads the imports here when a name is first used, and the
# pages of the reference show what `__all__` has.

from summeval.annotate.batch import annotate as annotate
from summeval.annotate.cache import Cache as Cache
from summeval.annotate.cache import cache_folder as cache_folder
from summeval.annotate.conllu import read_conllu as read_conllu
from summeval.annotate.conllu import write_conllu as write_conllu
from summeval.annotate.discourse.document import DiscourseDocument as DiscourseDocument
from summeval.annotate.document import Document as Document
from summeval.annotate.document import Entity as Entity
from summeval.annotate.document import Sentence as Sentence
from summeval.annotate.document import Token as Token
from summeval.annotate.files import FileProvider as FileProvider
from summeval.annotate.files import Tree as Tree
from summeval.annotate.files import from_json as from_json
from summeval.annotate.files import parse_tree as parse_tree
from summeval.annotate.files import read_documents as read_documents
from summeval.annotate.files import read_trees as read_trees
from summeval.annotate.files import to_json as to_json
from summeval.annotate.providers import Provider as Provider
from summeval.annotate.providers import provider as provider
from summeval.annotate.providers import providers as providers

__all__ = [
    "Cache",
    "DiscourseDocument",
    "Document",
    "Entity",
    "FileProvider",
    "Provider",
    "Sentence",
    "Token",
    "Tree",
    "annotate",
    "cache_folder",
    "from_json",
    "parse_tree",
    "provider",
    "providers",
    "read_conllu",
    "read_documents",
    "read_trees",
    "to_json",
    "write_conllu",
]
