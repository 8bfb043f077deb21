"""runtime_min: resolves intents against an artifact, with the standard library alone."""
