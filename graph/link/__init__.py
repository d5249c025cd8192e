"""From facts to syntactic resolutions: what every name means, by scopes, imports, packages and declared types."""
