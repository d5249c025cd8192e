"""From bytes to facts: the builder that every language adapter fills, and the worker processes that run the adapters."""
