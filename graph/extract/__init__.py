"""From bytes to facts: the builder that every language adapter fills, and the workers that run the adapters."""
