"""Every file under the root, with the decision on it: included, or excluded and why.

`walk` decides by path and status, `inspect` by the content that a worker has read anyway. No language is named here:
what is known of them comes in as a `LanguageTable`.
"""

from graph.inventory.content import ContentDecision, inspect
from graph.inventory.entry import InventoryEntry, InventoryError, Reason
from graph.inventory.languages import LanguageRow, LanguageTable, VendoredDir
from graph.inventory.reading import Unreadable, read_file
from graph.inventory.settings import ConfigError, InventorySettings, Settings, load_settings
from graph.inventory.walk import walk

__all__ = [
    "ConfigError",
    "ContentDecision",
    "InventoryEntry",
    "InventoryError",
    "InventorySettings",
    "LanguageRow",
    "LanguageTable",
    "Reason",
    "Settings",
    "Unreadable",
    "VendoredDir",
    "inspect",
    "load_settings",
    "read_file",
    "walk",
]
