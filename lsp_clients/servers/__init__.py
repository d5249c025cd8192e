"""One module per language server."""
