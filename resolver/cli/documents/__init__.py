"""The JSON documents, made of the records of `graph.query`. Those of `at` and `stats` are what other tools rely on.

Every answer carries `generation`, `fresh` and `changed` (the files among its evidence that have changed since). Lines
and columns are 1-based, columns in code points; bytes are 0-based offsets. What is not known is null, never an empty
text.
"""
