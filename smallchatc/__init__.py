"""smallchatc: compiles tools for LLM agents into one artifact."""

__version__ = "0.1.0"
