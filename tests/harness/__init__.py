"""Resolution cases: reading them, asking the command line, judging its answers."""
