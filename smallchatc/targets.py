"""Targets: the model APIs that tools are exported for."""

from __future__ import annotations

TARGETS = ("openai", "openai-responses", "openai-strict", "anthropic", "anthropic-strict", "gemini", "mcp")

LAZY = ("openai-responses", "anthropic", "anthropic-strict")
"""Those that can load tools when they are needed."""
