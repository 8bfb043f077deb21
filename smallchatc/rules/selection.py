"""What only a compiler with vectors can say: requests that a tool's own words would send astray."""

from .rule import NOTE, WARNING, Rule, tools

RULES = (
    Rule(
        slug="ambiguous-pair",
        severity=WARNING,
        only_lint=True,
        meaning="two tools that what they say does not tell apart: asked for one, the other is as likely",
        hint="describe what makes them different, drop one, or prefer one with the hint 'preferred'",
        why="Each is asked for in its own words, of the artifact that would be shipped.",
        bad=tools(
            "notes_search: Search my notes", "notes_smart_search: Search my notes smartly", "add_note: Write a note"
        ),
        good=tools(
            "notes_search: Find notes that contain the given words",
            "ask_notes: Answer a question from what all notes say together",
            "add_note: Write a note",
        ),
    ),
    Rule(
        slug="description-hides",
        severity=NOTE,
        only_lint=True,
        meaning="a tool says nothing that a sibling does not say too: every request for it fits both",
        hint="say what only this tool does",
        bad=tools(
            "export: Export a report as a file",
            "export_mail: Export a report as a file and send the file by mail to all of the readers",
        ),
        good=tools(
            "export: Save a report to disk, without sending it",
            "export_mail: Export a report as a file and send the file by mail to all of the readers",
        ),
    ),
    Rule(
        slug="own-words-miss",
        severity=WARNING,
        only_lint=True,
        meaning="a tool that is not found by its own words: others come first",
        hint="begin the description with what this tool does and the other does not",
        bad=tools(
            "legacy_zeta_handler_internal_v2: Send a message",
            "send_message: Send a message to a channel",
            "list_users: List the people of a workspace",
        ),
        good=tools(
            "log_in: Open a session with name and password",
            "send_message: Send a message to a channel",
            "list_users: List the people of a workspace",
        ),
    ),
)
