"""Adapters: tools of an artifact as other libraries take them, each library imported where it is needed."""
