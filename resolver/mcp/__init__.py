"""The MCP server: the answers of the command line as tools for agents."""
