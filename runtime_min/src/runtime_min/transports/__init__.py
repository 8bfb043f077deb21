"""Transports: how a tool is reached. Each kind has a module here, imported where it is first needed."""
