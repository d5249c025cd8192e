"""Answers for people, with rich. Loaded only where text is wanted."""
