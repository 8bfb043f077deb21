"""Names and descriptions that work and could be better."""

from .rule import NOTE, WARNING, Rule, takes, tools

_TWO_SERVERS = "-- {} --\n{}-- {} --\n{}"

RULES = (
    Rule(
        slug="annotations-absent",
        severity=NOTE,
        only_lint=True,
        meaning="a tool does not say whether it changes anything; clients must then take it for destructive",
        hint="set readOnlyHint, or destructiveHint, in its annotations",
        bad=tools("get_city: Look up a city by its name."),
        good=takes("type: object\nproperties: {}"),
    ),
    Rule(
        slug="description-duplicate",
        severity=WARNING,
        only_lint=True,
        meaning="different tools have one description",
        hint="say in each what the others do not do",
        bad=tools("get_city: Look up a place.", "get_land: Look up a place."),
        good=tools("get_city: Look up a city by its name.", "get_land: Look up a country by its code."),
    ),
    Rule(
        slug="description-long",
        severity=NOTE,
        only_lint=True,
        limit=1024,
        meaning="a description longer than some clients show to a model",
        hint="say first what it does and when to take it; lintLimits sets the number",
        bad="-- smallchat.yaml --\nlintLimits: {description-long: 20}\n-- cities.yaml --\n"
        + tools("get_city: Look up a city by its name."),
        good=tools("get_city: Look up a city by its name."),
    ),
    Rule(
        slug="description-short",
        severity=NOTE,
        only_lint=True,
        limit=20,
        meaning="a description so short that it says hardly more than the name",
        hint="say in a sentence what it does and when to take it; lintLimits sets the number",
        bad=tools("get_city: Get a city."),
        good=tools("get_city: Look up a city by its name."),
    ),
    Rule(
        slug="name-collision-across-servers",
        severity=NOTE,
        only_lint=True,
        meaning="several providers offer a tool of one name; clients without prefixes mix them up",
        hint="name the tool after what is special about it",
        bad=_TWO_SERVERS.format(
            "slack.yaml", tools("send: Send a message to a channel."), "mail.yaml", tools("send: Send an e-mail.")
        ),
        good=_TWO_SERVERS.format(
            "slack.yaml", tools("post: Send a message to a channel."), "mail.yaml", tools("send: Send an e-mail.")
        ),
    ),
    Rule(
        slug="name-near-collision",
        severity=NOTE,
        only_lint=True,
        meaning="names that differ in case or punctuation only; models and people take one for the other",
        hint="rename one of them",
        bad=tools("list_cities: List all cities.", "listCities: List the cities of one country."),
        good=tools("list_cities: List all cities.", "list_cities_of: List the cities of one country."),
    ),
    Rule(
        slug="name-prefixed-length-64",
        severity=NOTE,
        only_lint=True,
        limit=64,
        meaning="a name that is too long once a client puts mcp__ and the provider before it",
        hint="shorten the name or the provider's id",
        bad="id: the-complete-and-official-registry-of-cities\n" + tools("look_up_a_city: Look up a city by its name."),
        good="id: cities\n" + tools("look_up_a_city: Look up a city by its name."),
    ),
    Rule(
        slug="param-description-missing",
        severity=NOTE,
        only_lint=True,
        meaning="parameters of which nothing is said",
        hint="say in a few words what each one takes",
        bad=takes("type: object\nproperties:\n  name: {type: string}"),
        good=takes("type: object\nproperties:\n  name: {type: string, description: The name of the city.}"),
    ),
    Rule(
        slug="tools-per-server",
        severity=WARNING,
        only_lint=True,
        limit=128,
        meaning="more tools from one provider than OpenAI takes in one request",
        hint="offer tools in groups, or let clients search; lintLimits sets the number",
        bad="-- smallchat.yaml --\nlintLimits: {tools-per-server: 1}\n-- cities.yaml --\n"
        + tools("get_city: Look up a city by its name.", "get_land: Look up a country by its code."),
        good=tools("get_city: Look up a city by its name.", "get_land: Look up a country by its code."),
    ),
)
