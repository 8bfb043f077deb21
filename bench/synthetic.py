"""Synthetic catalogues and requests of any size: word lists and a seed become tools that read like real ones.

For measuring cost, never quality. A larger catalogue begins with the tools of a smaller one, and the requests
do not depend on the size, so that sizes can be compared.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

SEED = 20_250_601
TOOLS_OF_ONE = (5, 8, 12, 15, 20, 30, 30, 60, 120)
"""Tools of a provider, about as in the real catalogues that were looked at: 30 on average, many small, few large."""

_DOMAINS = {
    "billing": "invoice payment refund subscription coupon receipt ledger dispute payout tax balance quote",
    "crm": "lead contact deal account pipeline campaign prospect opportunity segment territory quota referral",
    "code": "repository branch commit tag pull_request review release fork diff merge_conflict gist submodule",
    "ci": "build job workflow artifact runner cache deployment environment secret stage rollback schedule",
    "issues": "issue comment label milestone sprint epic backlog board assignee watcher worklog status",
    "mail": "message draft thread attachment mailbox signature filter spam_report newsletter recipient folder alias",
    "calendar": "event meeting invitation reminder attendee availability room recurrence timezone booking slot agenda",
    "files": "file folder document spreadsheet presentation archive permission share_link version template scan pdf",
    "chat": "channel conversation reaction mention bot emoji notification presence group poll announcement reply",
    "cloud": "instance bucket volume snapshot subnet firewall load_balancer cluster certificate image region quota",
    "database": "table column index query row schema migration view trigger backup replica transaction",
    "monitoring": "alert dashboard metric log trace incident monitor threshold uptime_check outage span annotation",
    "weather": "forecast temperature rainfall wind storm humidity air_quality sunrise pollen snow tide alert",
    "travel": "flight hotel itinerary ticket boarding_pass train rental_car visa luggage seat airport delay",
    "maps": "route place address coordinate distance landmark traffic parking geofence elevation district trail",
    "commerce": "product order cart inventory shipment return supplier warehouse price discount review wishlist",
    "music": "song album playlist artist concert lyric podcast radio genre chart recording speaker",
    "video": "clip caption livestream subtitle thumbnail transcript chapter audience codec montage trailer frame",
    "health": "appointment prescription patient symptom allergy vaccine heart_rate sleep workout meal calorie clinic",
    "home": "light thermostat lock camera sensor blind vacuum doorbell scene garage sprinkler plug",
    "finance": "stock portfolio dividend currency exchange_rate loan mortgage budget transfer bond fund statement",
    "hr": "employee vacation payroll timesheet applicant interview contract onboarding benefit shift overtime badge",
    "learning": "course lesson quiz student grade certificate assignment lecture syllabus teacher homework exam",
    "research": "paper citation author abstract dataset experiment hypothesis journal preprint figure benchmark survey",
    "design": "mockup component palette font icon layer prototype canvas style frame comment export",
    "browser": "page tab cookie screenshot form link element viewport console network_request bookmark selector",
    "security": "vulnerability password token scan policy role audit session permission threat key malware",
    "food": "recipe ingredient restaurant menu reservation delivery grocery wine diet kitchen table tip",
    "law": "contract clause case statute filing patent trademark court hearing deadline witness party",
    "science": "molecule protein gene telescope planet reaction element sample measurement equation particle species",
}
_VERBS = {
    "list": "Lists", "get": "Returns", "create": "Creates", "update": "Updates", "delete": "Deletes",
    "search": "Searches", "send": "Sends", "export": "Exports", "import": "Imports", "archive": "Archives",
    "restore": "Restores", "assign": "Assigns", "approve": "Approves", "cancel": "Cancels", "schedule": "Schedules",
    "copy": "Copies", "move": "Moves", "merge": "Merges", "validate": "Validates", "compare": "Compares",
    "count": "Counts", "share": "Shares", "download": "Downloads", "upload": "Uploads", "rename": "Renames",
    "enable": "Enables", "disable": "Disables", "summarize": "Summarizes", "translate": "Translates",
    "subscribe": "Subscribes to", "track": "Tracks", "estimate": "Estimates", "publish": "Publishes",
    "lock": "Locks", "resolve": "Resolves", "attach": "Attaches", "preview": "Previews", "sync": "Synchronizes",
}  # fmt: skip
_QUALIFIERS = (
    "overdue active recent public private shared pending failed weekly monthly daily archived starred draft internal"
    " external local remote duplicate unread urgent default custom nested expired verified upcoming historical raw"
    " regional temporary recurring anonymous bulk primary linked blocked signed encrypted"
).split()
_ENDINGS = (
    "and returns the result as JSON.",
    "with paging; pass the cursor of the last answer to go on.",
    "that the signed-in user may see.",
    "and notifies everyone who watches it.",
    "by its identifier. Fails when it does not exist.",
    "matching the given filters, newest first.",
    "in the current workspace. Use this before changing anything.",
    "without asking again, so be sure about the identifier.",
    "and waits until the operation has finished.",
    "for the given period.",
)
_ARGUMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "id": ({"type": "string"}, "Identifier of the {noun}"),
    "query": ({"type": "string"}, "Words to search for"),
    "limit": ({"type": "integer"}, "How many to return at most"),
    "cursor": ({"type": "string"}, "Where to go on"),
    "start_date": ({"type": "string", "format": "date"}, "First day, as YYYY-MM-DD"),
    "end_date": ({"type": "string", "format": "date"}, "Last day, as YYYY-MM-DD"),
    "owner": ({"type": "string"}, "User name of the owner of the {noun}"),
    "email": ({"type": "string", "format": "email"}, "E-mail address to notify"),
    "url": ({"type": "string", "format": "uri"}, "Address of the {noun}"),
    "path": ({"type": "string"}, "Path of the file"),
    "name": ({"type": "string"}, "New name of the {noun}"),
    "description": ({"type": "string"}, "What the {noun} is about"),
    "status": ({"type": "string", "enum": ["open", "closed", "all"]}, "Only {noun}s of this status"),
    "sort": ({"type": "string", "enum": ["newest", "oldest", "name"]}, "Order of the result"),
    "latitude": ({"type": "number"}, "Degrees north"),
    "longitude": ({"type": "number"}, "Degrees east"),
    "tags": ({"type": "array", "items": {"type": "string"}}, "Labels to put on the {noun}"),
    "dry_run": ({"type": "boolean"}, "Say what would happen and do nothing"),
    "format": ({"type": "string", "enum": ["json", "csv", "pdf"]}, "Format of the answer"),
    "priority": ({"type": "integer"}, "From 1, the most urgent, to 5"),
}
_VENDORS = (
    "acor belo cirra dova elmi farro gantu heli indra jola kestra lumo mira nordi opti pola quori riva solva teki"
    " umbra velo wexa yari zeno",
    "bright cast desk dock flow forge grid hub kit lane mark nest pad path pulse stack sync ware wire works",
    "app cloud hq io labs one pro team",
)
"""Beginnings, ends and additions of made-up names."""

_PEOPLE = "anna the-team priya my-manager omar the-customer julia finance kenji support lena everyone".split()
_PLACES = "lisbon berlin the-warehouse osaka building-four nairobi the-archive toronto oslo production staging".split()
_TOPICS = (
    "coffee marketing bicycles onboarding launch galaxy insurance winter kitchen robots elections garden"
    " museum football pricing compliance volcano dentist wedding jazz battery migration drought chess harvest"
    " satellite plumbing startup vaccine tourism violin bridge newsletter inflation penguins carpet orchestra"
    " traffic solar pottery hiking mortgage keyboard aquarium passport recycling lighthouse taxi sculpture"
    " mushrooms avalanche ferry telescope barbecue"
).split()
_TIMES = "tomorrow,next week,last month,since 2024-03-01,before Friday,at 14:30,this quarter,on 12/05/2025".split(",")
_VALUES = "https://docs.example.com/start,jo@example.org,PROJ-1482,report.pdf,/var/log/app.log,#3921,250".split(",")
_REQUESTS = (
    "{verb} the {qualifier} {noun} for {person}",
    "can you {verb} all {noun}s {time} please",
    "show me {qualifier} {noun}s about {topic} in {place}",
    "how many {noun}s did {person} {verb} {time}",
    "i need to {verb} a {noun} about {topic} {time}",
    "{verb} {noun} {value} and tell {person}",
    "what is the {qualifier} {noun} of {topic} in {place} right now",
    "please {verb} the {topic} {noun} with {vendor}",
    "is there any {qualifier} {noun} that mentions {topic} or {other}",
    "{verb} {value} to the {qualifier} {noun}",
    "which {noun} is {qualifier} and who made it {time}",
    "{vendor} {noun} {topic} {verb}",
)


def catalogue(tools: int) -> Iterator[str]:
    """The JSON lines of a catalogue: {provider, name, description, inputSchema} in canonical JSON."""
    rng = random.Random(SEED)
    told = 0
    for vendor, domain in _vendors():
        nouns = _DOMAINS[domain].split()
        style = rng.choice(_STYLES)
        seen: set[str] = set()
        wanted = rng.choice(TOOLS_OF_ONE)
        while len(seen) < wanted:
            tool = _tool(rng, vendor, nouns, style)
            if tool["name"] in seen:
                continue
            if told == tools:
                return
            seen.add(tool["name"])
            told += 1
            yield canonical_json(tool)


def requests(count: int, *, seed: int = SEED) -> list[str]:
    """So many different requests of 4 to 12 words."""
    rng = random.Random(seed + 1)
    vendors = [vendor for vendor, _ in _first(_vendors(), 4)]
    found: dict[str, None] = {}
    while len(found) < count:
        domain = rng.choice(list(_DOMAINS.values())).split()
        text = rng.choice(_REQUESTS).format(
            verb=rng.choice(list(_VERBS)),
            noun=rng.choice(domain).replace("_", " "),
            qualifier=rng.choice(_QUALIFIERS),
            person=rng.choice(_PEOPLE).replace("-", " "),
            place=rng.choice(_PLACES).replace("-", " "),
            topic=rng.choice(_TOPICS),
            other=rng.choice(_TOPICS),
            time=rng.choice(_TIMES),
            value=rng.choice(_VALUES),
            vendor=rng.choice(vendors),
        )
        if 4 <= len(text.split()) <= 12:
            found[text] = None
    return list(found)


def long_request(words: int) -> str:
    """A request of so many different words, up to about a thousand."""
    rng = random.Random(SEED + 2)
    nouns = [word for domain in _DOMAINS.values() for noun in domain.split() for word in noun.split("_")]
    vendors = (vendor for vendor, _ in _first(_vendors(), 300))
    pool = list(dict.fromkeys([*_VERBS, *_QUALIFIERS, *_TOPICS, *nouns, *(f"{noun}s" for noun in nouns)]))
    rng.shuffle(pool)
    pool += [vendor.partition("-")[0] for vendor in vendors]
    return " ".join(pool[number % len(pool)] for number in range(words))


def canonical_json(value: Any) -> str:
    """The JSON that an artifact's size is measured against: sorted keys, no spaces, no escapes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _tool(rng: random.Random, vendor: str, nouns: list[str], style: Any) -> dict[str, Any]:
    verb = rng.choice(list(_VERBS))
    noun = rng.choice(nouns)
    qualifier = rng.choice(_QUALIFIERS) if rng.random() < 0.5 else ""
    words = [verb, *([qualifier] if qualifier else []), *noun.split("_")]
    spoken = noun.replace("_", " ")
    said = f"{_VERBS[verb]} {f'the {qualifier}' if qualifier else 'a'} {spoken} {rng.choice(_ENDINGS)}"
    for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
        other = rng.choice(nouns).replace("_", " ")
        said += f" Also works for each {rng.choice(_QUALIFIERS)} {other} {rng.choice(_ENDINGS)}"
    names = rng.sample(list(_ARGUMENTS), rng.choice((0, 1, 2, 3, 3, 4, 5, 8)))
    properties = {
        f"{noun}_id" if name == "id" else name: {**schema, "description": text.format(noun=spoken)}
        for name, (schema, text) in ((name, _ARGUMENTS[name]) for name in names)
    }
    required = [name for name in properties if rng.random() < 0.4]
    return {
        "provider": vendor,
        "name": style(words),
        "description": said,
        "inputSchema": {"type": "object", "properties": properties, **({"required": required} if required else {})},
    }


def _vendors() -> Iterator[tuple[str, str]]:
    """Different vendors, each with what it deals in."""
    rng = random.Random(SEED + 3)
    first, second, third = map(str.split, _VENDORS)
    names = [f"{a}{b}-{c}" for a in first for b in second for c in third]
    rng.shuffle(names)
    return ((name, rng.choice(list(_DOMAINS))) for name in names)


def _first(items: Iterator[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    return [next(items) for _ in range(count)]


def _snake(words: list[str]) -> str:
    return "_".join(words)


def _camel(words: list[str]) -> str:
    return words[0] + "".join(map(str.capitalize, words[1:]))


def _kebab(words: list[str]) -> str:
    return "-".join(words)


_STYLES = (_snake, _snake, _camel, _kebab)
