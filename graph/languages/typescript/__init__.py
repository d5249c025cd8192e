"""Not yet."""
from graph.languages.base import Language

LANGUAGES: tuple[Language, ...] = ()
