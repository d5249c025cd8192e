"""The MCP server under test."""
