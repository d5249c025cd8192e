"""The pipeline: from the files under a root to a published generation of the index."""

from graph.index.build import IndexOptions, build_index
from graph.index.progress import IndexReport, Progress

__all__ = ["IndexOptions", "IndexReport", "Progress", "build_index"]
