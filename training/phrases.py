"""Requests and operations that differ by one thing: text to learn that the verb counts.

A sum of word vectors lets the rarer noun win over the verb, and no corpus of summaries says that
"get rid of the invoice" asks for `delete_invoice` and not for `list_invoices`. So a grid is written
out: operations (what a tool is called and says of itself, how people ask for it) times things. In a
batch of the grid the wrong answers share either the verb or the noun. All of it was written by hand
from general English; none comes from a labelled request.
"""

import random
import re
from collections.abc import Iterator
from typing import NamedTuple


class Operation(NamedTuple):
    """A kind of action: verbs of tool names, a description, ways to ask; {x} is the thing."""

    verbs: tuple[str, ...]
    summary: str
    requests: tuple[str, ...]


# Verbs of tool names; what the tool says of itself. Indented: ways to ask for it.
_GRID = """
get read fetch; Get a single {x} by its id
    show me the {x} | what does the {x} look like | pull up that {x} | open the {x} |
    give me details of the {x} | fetch the {x} | view {x}
list; List all {xs}
    what {xs} are there | show me all the {xs} | which {xs} do we have | list my {xs} |
    give me an overview of the {xs} | see every {x}
search find query; Search for {xs} that match a query
    find a {x} about this | look for {xs} mentioning it | search the {xs} |
    where is the {x} that talks about | hunt down a {x} | any {xs} matching
create add new; Create a new {x}
    make a new {x} | add a {x} | set up a {x} | start a fresh {x} | i need a new {x} | put together a {x} |
    open a {x} for this | register a {x}
update edit modify; Update an existing {x}
    change the {x} | edit the {x} | modify that {x} | fix the title of the {x} | set a field of the {x} |
    adjust the {x} | the {x} needs a correction
delete remove; Delete a {x} permanently
    get rid of the {x} | remove that {x} | erase the {x} | throw away the {x} | drop the {x} |
    clean up the old {x} | delete the {x}
count; Count the number of {xs}
    how many {xs} are there | number of {xs} | total {xs} | tally the {xs}
send; Send a {x} to a recipient
    send the {x} over to them | shoot them a {x} | deliver the {x} | forward a {x} to the team
copy duplicate clone; Make a copy of a {x}
    duplicate the {x} | clone that {x} | make a second one like this {x} | replicate the {x}
move; Move a {x} to another place
    put the {x} somewhere else | relocate the {x} | shift the {x} over there |
    transfer the {x} to the other folder
rename; Rename a {x}
    give the {x} a different name | call the {x} something else | change the name of the {x}
merge combine; Merge two {xs} into one
    combine the {xs} | join both {xs} | fold this {x} into that one | merge the {x}
compare diff; Compare two {xs} and show the differences
    what changed between the {xs} | differences between two {xs} | how does this {x} differ from that one
upload import; Upload a {x}
    import the {x} | load this {x} into it | bring in a {x} | upload my {x}
download export; Download a {x} to a file
    save the {x} to disk | export the {x} | get a copy of the {x} as a file | pull the {x} down
start run execute; Run a {x}
    kick off the {x} | launch the {x} | fire up the {x} | trigger the {x} now | execute the {x}
stop cancel abort; Stop a running {x}
    halt the {x} | kill the {x} | cancel the {x} | abort that {x} | make the {x} stop
restart retry; Restart a {x}
    try the {x} again | bounce the {x} | rerun the {x} | reboot the {x}
enable activate; Enable a {x}
    turn on the {x} | switch the {x} on | activate the {x}
disable deactivate; Disable a {x}
    turn off the {x} | switch the {x} off | deactivate the {x} | pause the {x}
assign; Assign a {x} to a user
    hand the {x} to someone | make her responsible for the {x} | give the {x} to my colleague
close resolve; Close a {x}
    mark the {x} as done | we are finished with the {x} | resolve the {x} | complete the {x}
schedule; Schedule a {x} for a given time
    plan the {x} for tomorrow | book a {x} next week | put a {x} on the agenda | arrange a {x} for monday
validate check verify; Validate a {x}
    is the {x} correct | make sure the {x} is valid | check the {x} for errors | verify the {x}
comment reply; Add a comment to a {x}
    reply on the {x} | leave a note on the {x} | respond to the {x} | write a remark under the {x}
history log; Get the history of a {x}
    who changed the {x} | past versions of the {x} | what happened to the {x} over time | log of the {x}
status; Get the current status of a {x}
    how is the {x} doing | is the {x} finished yet | state of the {x} | progress of the {x} |
    is the {x} healthy
share invite; Share a {x} with other people
    give them access to the {x} | invite people to the {x} | let others see the {x}
subscribe watch; Subscribe to changes of a {x}
    notify me when the {x} changes | follow the {x} | keep an eye on the {x} | alert me about the {x}
summarize; Summarize a {x}
    what is the {x} about in short | tldr of the {x} | key points of the {x} | boil the {x} down
convert transform; Convert a {x} to another format
    turn the {x} into something else | change the format of the {x} | transform the {x}
analyze; Analyze a {x} and report insights
    what can we learn from the {x} | examine the {x} | dig into the {x} | investigate the {x}
deploy publish release; Publish a {x}
    ship the {x} | roll out the {x} | release the {x} | put the {x} live
archive; Archive a {x}
    put the {x} away | archive the {x} | file away the {x}
restore recover undo; Restore a deleted {x}
    bring the {x} back | recover the {x} | undo the removal of the {x}
recommend suggest; Recommend a {x}
    which {x} should i take | suggest a {x} | what is a good {x} | ideas for a {x}
buy order; Order a {x}
    i want to buy a {x} | purchase the {x} | get me a {x} delivered
explain describe; Explain a {x}
    what does this {x} mean | help me understand the {x} | describe the {x}
"""


def _operations(grid: str) -> tuple[Operation, ...]:
    """A head line and the indented lines under it make one operation."""
    found = []
    for entry in re.split(r"\n(?! )", grid.strip()):
        head, _, body = entry.partition("\n")
        verbs, _, summary = head.partition("; ")
        requests = (" ".join(request.split()) for request in body.split("|"))
        found.append(Operation(tuple(verbs.split()), summary, tuple(requests)))
    return tuple(found)


OPERATIONS = _operations(_GRID)

THINGS = tuple(
    "file|folder|document|page|issue|pull request|branch|commit|repository|release|tag|comment|label"
    "|milestone|user|team|group|role|permission|project|task|ticket|board|sprint|message|channel"
    "|thread|email|draft|attachment|contact|calendar event|meeting|reminder|alarm|note|list|record"
    "|row|table|column|database|index|collection|query|view|report|dashboard|chart|alert|metric|log"
    "|trace|incident|service|server|container|image|pod|deployment|cluster|node|namespace|secret"
    "|variable|setting|function|workflow|pipeline|job|build|test|run|schedule|webhook|key|token"
    "|certificate|domain|dns record|network|firewall rule|bucket|object|volume|snapshot|backup|queue"
    "|topic|event|stream|model|dataset|experiment|prompt|agent|tool|memory|customer|account|order"
    "|invoice|payment|refund|subscription|product|price|coupon|cart|shipment|booking|flight|hotel"
    "|ticket for a show|restaurant|recipe|song|playlist|album|movie|video|photo|screenshot|map|route"
    "|place|weather forecast|stock|currency|transaction|balance|card|bill|budget|form|survey"
    "|template|design|component|layer|spreadsheet|cell|slide|pdf|article|post|tweet|story|campaign"
    "|lead|deal|company|device|light|sensor|thermostat|script|package|dependency|bug|error|session"
    "|browser tab|cookie|link|bookmark|word|sentence|translation|language|book|course|lesson|exam"
    "|student|patient|appointment|prescription|recording|transcript|call|voicemail|number|formula"
    .split("|")
)  # fmt: skip


def plural(thing: str) -> str:
    """Good enough for a word list: country -> countries, box -> boxes, cat -> cats."""
    if thing.endswith("y") and thing[-2] not in "aeiou":
        return thing[:-1] + "ies"
    return thing + ("es" if thing.endswith(("s", "x", "ch", "sh")) else "s")


class Case(NamedTuple):
    """One cell of the grid: a tool's text and a request that wants it."""

    operation: int
    thing: int
    tool: str
    request: str


def cases(*, seed: int) -> Iterator[Case]:
    """Every operation with every thing once, worded at random but the same for a seed."""
    choose = random.Random(seed).choice
    for number, operation in enumerate(OPERATIONS):
        for index, thing in enumerate(THINGS):
            many = plural(thing)
            verb = choose(operation.verbs)
            name = f"{verb} {choose((thing, many) if verb == 'list' else (thing,))}"
            summary = operation.summary.format(x=thing, xs=many)
            yield Case(
                number,
                index,
                choose((f"{name}: {summary}", name, summary)),
                choose(operation.requests).format(x=thing, xs=many),
            )
