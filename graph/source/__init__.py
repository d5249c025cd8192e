"""Source is bytes: encodings, offsets and line positions of the exact bytes of one file."""

from graph.source.encoding import LineEnding, SourceText, Undecodable, detect
from graph.source.lines import LineIndex, Position
from graph.source.offsets import OffsetError

__all__ = ["LineEnding", "LineIndex", "OffsetError", "Position", "SourceText", "Undecodable", "detect"]
