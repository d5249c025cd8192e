"""What can go wrong in the resolver, apart from what the graph and the servers raise. Messages say what to do."""


class ResolverError(Exception):
    """Base of the errors of the resolver; the message is one line."""


class ContextError(ResolverError):
    """A compilation context cannot be set up as asked."""
