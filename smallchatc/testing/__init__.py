"""Testing: labelled intents are resolved, and what comes out becomes figures, gates and reasons to read."""
