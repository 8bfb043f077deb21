"""What looks like a credential in a text: where it stands and what it is. Nothing here changes a value.

A vendor's prefix, a PEM block, a token with a signature or a password in a URL is one wherever it stands; a value that
is merely random is one only where its name says so (`api_key`, `Authorization: Bearer`). Placeholders are none. Every
pattern is of bounded length, so that no text makes a search slow.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_VENDORS: dict[str, str] = {
    "AWS access key": r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])",
    "GitHub token": r"gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{40,255}",
    "GitLab token": r"gl(?:pat|ptt|dt|rt|rtr|cbt|imt|agent|oas|soat|ft|ffct)-[A-Za-z0-9_.-]{20,300}",
    "Anthropic key": r"sk-ant-[A-Za-z0-9_-]{16,255}",
    "API key": r"sk-(?:(?:proj|svcacct|admin|or-v1|lf|live|test|prod)-[A-Za-z0-9_-]{16,255}|[A-Za-z0-9]{20,255})",
    "Slack token": r"xox[abeoprs](?:\.[a-z0-9]{1,9})?-[A-Za-z0-9-]{10,255}|xapp-\d-[A-Za-z0-9-]{16,255}",
    "webhook URL": r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/-]{20,255}"
    r"|https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d{15,22}/[A-Za-z0-9_-]{30,100}"
    r"|https://[a-z0-9-]{1,63}\.webhook\.office\.com/[A-Za-z0-9_@/-]{40,400}",
    "Google key": r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,40}",
    "Google token": r"ya29\.[A-Za-z0-9_-]{20,500}|1//0[A-Za-z0-9_-]{40,200}",
    "Stripe key": r"[rs]k_(?:live|test)_[A-Za-z0-9]{10,250}|whsec_[A-Za-z0-9+/=]{20,100}",
    "Twilio key": r"SK[0-9a-f]{32}(?![0-9a-f])",
    "SendGrid key": r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}",
    "mail service key": r"key-[0-9a-f]{32}(?![0-9a-f])|[0-9a-f]{32}-us\d{1,2}(?!\d)",
    "registry token": r"npm_[A-Za-z0-9]{30,50}|pypi-AgE[A-Za-z0-9_-]{40,300}|rubygems_[a-f0-9]{48}"
    r"|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,64}",
    "model provider's key": r"hf_[A-Za-z0-9]{30,64}|r8_[A-Za-z0-9]{30,64}|gsk_[A-Za-z0-9]{30,100}"
    r"|xai-[A-Za-z0-9]{40,120}|pplx-[A-Za-z0-9]{30,80}|csk-[a-z0-9]{30,80}",
    "service key": r"tvly-(?:[a-z]{3,4}-)?[A-Za-z0-9]{20,64}|fc-[a-f0-9]{32}(?![a-f0-9])|ntn_[A-Za-z0-9]{30,64}"
    r"|secret_[A-Za-z0-9]{40,50}(?![A-Za-z0-9])|lin_(?:api|oauth)_[A-Za-z0-9]{30,64}|figd_[A-Za-z0-9_-]{30,64}"
    r"|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|AT[AC]TT3[A-Za-z0-9_=-]{50,300}|dapi[a-f0-9]{32}|do[opr]_v1_[a-f0-9]{64}"
    r"|dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{30,80}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"
    r"|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,64}|hv[sbr]\.[A-Za-z0-9_-]{24,300}"
    r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,80}|gl(?:c|sa)_[A-Za-z0-9_+/=]{32,200}"
    r"|sntr(?:ys|yu)_[A-Za-z0-9_+/=.-]{40,300}|NRAK-[A-Z0-9]{27}|pscale_(?:tkn|pw|oauth)_[\w.-]{30,80}"
    r"|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|pul-[a-f0-9]{40}|sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,64}"
    r"|ctx7sk-[a-f0-9-]{36}|(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|ops_eyJ[A-Za-z0-9_=-]{40,2000}|AGE-SECRET-KEY-1[A-Z0-9]{50,60}|BSA[A-Za-z0-9_-]{27,28}(?![A-Za-z0-9_-])",
    "bot token": r"\d{8,10}:AA[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9_-])"
    r"|[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}",
    "signed token": r"eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{0,8000}\.[A-Za-z0-9_-]{10,4000}",
}
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_$-])(?:" + "|".join(f"(?P<k{n}>{pattern})" for n, pattern in enumerate(_VENDORS.values())) + ")"
)
_KINDS = {f"k{n}": kind for n, kind in enumerate(_VENDORS)}
_PEM = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{1,40}-----")
_AUTHORITY = re.compile(r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://", re.IGNORECASE)
_RUN = re.compile(r"[^\s\"'<>`]{1,400}")
_SCHEME = re.compile(r"\b(?:Bearer|Basic|Token|ApiKey)[ \t]{1,4}(?P<value>[A-Za-z0-9+/=._~-]{12,4000})", re.IGNORECASE)
_FIELD = re.compile(r"(?<![A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]{1,63})[\"']?[ \t]{0,3}[=:][ \t]{0,3}[\"']?")
_FIELD_VALUE = re.compile(r"[^\s\"'`&,;<>{}()\[\]]+")
_REFERENCE = re.compile(
    r"\$\{[^}]{1,200}\}|\$[A-Z_][A-Z0-9_]*|\{\{?[^}]{1,200}\}\}?|<[^>]{1,200}>|%[A-Z_]+%|\[[^\]]{1,80}\]"
)
_MADE_UP = re.compile(r"your|example|placeholder|redacted|(.)\1{5}|\.\.\.|…|\*{3}|[x_•]{4}|<|\{", re.IGNORECASE)
_LIKE_A_PLACEHOLDER = re.compile(
    r"change.?me|dummy|fake|sample|insert|replace|todo|12345|abcdef|undefined", re.IGNORECASE
)
_STAND_INS = frozenset(
    "a access admin an api auth base bearer client default demo foo bar guest here id key login my name none null "
    "of or own pass passwd password path personal postgres private pw pwd root s secret some string test the this "
    "token url user username value".split()
)
_WORDY = re.compile(r"[A-Za-z]+(?:[_./:-][A-Za-z]+)*(?:[_./:-]?\d{1,4})?")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SECRET_NAMES = frozenset(
    "apikey apitoken accesskey accesstoken authkey authorization authtoken bearer clientsecret cookie credential "
    "credentials idtoken jwt passphrase passwd password privatekey pwd refreshtoken secret secretkey secretaccesskey "
    "sessiontoken signingkey signingsecret token webhooksecret authentication xapikey proxyauthorization "
    "connectionstring dsn".split()
)
_SECRET_ENDS = tuple(
    "password passwd passphrase secret token apikey accesskey accountkey authkey encryptionkey masterkey privatekey "
    "secretkey servicekey signingkey subscriptionkey".split()
)
_NOT_SECRET_TOKENS = (
    "page",
    "next",
    "continuation",
    "cursor",
    "sync",
    "max",
    "min",
    "limit",
    "nextpage",
    "start",
    "end",
)


@dataclass(frozen=True, slots=True)
class Credential:
    """One of them: from where to where, and what kind of thing."""

    start: int
    end: int
    kind: str


def credentials_in(text: str) -> tuple[Credential, ...]:
    """Everything in a text that is one for itself, in order, none inside another."""
    if len(text) < 12:
        return ()
    found = sorted((*_tokens(text), *_pems(text), *_of_urls(text), *_of_fields(text)), key=lambda c: (c.start, -c.end))
    kept: list[Credential] = []
    for each in found:
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
        elif each.end > kept[-1].end:
            kept[-1] = Credential(kept[-1].start, each.end, kept[-1].kind)
    return tuple(kept)


def redacted(text: str) -> str:
    """A text for a message or a log."""
    for each in reversed(credentials_in(text)):
        text = f"{text[: each.start]}***{text[each.end :]}"
    return text


def is_secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret: `apiKey` and `db_password`, not `page_token`, `author` or `key`."""
    joined = "".join(_WORDS.findall(name[:200])).lower()
    if joined in _SECRET_NAMES:
        return True
    stem = next((joined.removesuffix(end) for end in _SECRET_ENDS if joined.endswith(end)), None)
    return stem is not None and not stem.endswith(_NOT_SECRET_TOKENS)


def is_secret_value(value: str) -> bool:
    """Whether the value of a field with a secret's name is a secret and no placeholder, word or reference."""
    if not 6 <= len(value) <= 10_000 or any(character.isspace() for character in value.strip()):
        return False
    if is_placeholder(value) or _LIKE_A_PLACEHOLDER.search(value):
        return False
    kinds = (
        any(c.isdigit() for c in value)
        + any(c.islower() for c in value)
        + any(c.isupper() for c in value)
        + any(not c.isalnum() and c not in "_-./:" for c in value)
    )
    return kinds >= 2 and not _is_plain(value) and _entropy(value) >= 2.2


def is_placeholder(value: str) -> bool:
    """`YOUR_API_KEY`, `<token>`, `${TOKEN}`, `sk-...`, `xxxxxxxx`, `my-secret-password`."""
    if _MADE_UP.search(value) or _REFERENCE.fullmatch(value):
        return True
    words = re.findall(r"[a-z]+", value.lower())
    return bool(words) and all(word in _STAND_INS for word in words) and not re.search(r"\d{4}", value)


def looks_random(value: str) -> bool:
    """A long run of mixed characters that nobody would write by hand."""
    if not 20 <= len(value) <= 4000 or not re.fullmatch(r"[A-Za-z0-9+/=_.~-]+", value):
        return False
    mixed = any(map(str.isdigit, value)) and any(map(str.isupper, value)) and any(map(str.islower, value))
    return mixed and _entropy(value) >= 3.5 and not is_placeholder(value) and not _is_plain(value)


def _tokens(text: str) -> Iterator[Credential]:
    for match in _TOKEN.finditer(text):
        body = match.group()
        if not _MADE_UP.search(body) and _entropy(body) >= 1.5:
            yield Credential(match.start(), match.end(), _KINDS[match.lastgroup or ""])


def _pems(text: str) -> Iterator[Credential]:
    at = 0
    while (match := _PEM.search(text, at)) is not None:
        end = _PEM_END.search(text, match.end())
        at = end.end() if end else len(text)
        body = re.sub(r"\\[nr]|\s", "", text[match.end() : end.start() if end else at])
        if len(body) >= 40 and not _MADE_UP.search(body[:200]):
            yield Credential(match.start(), at, "private key")


def _of_urls(text: str) -> Iterator[Credential]:
    """The part of a URL before its host, where it holds a password or what must be one."""
    at = 0
    while (match := _AUTHORITY.search(text, at)) is not None:
        run = _RUN.match(text, match.end())
        if run is None or "@" not in run.group():
            at = run.end() if run is not None else match.end()
            continue
        at = match.end()
        length = _userinfo_length(run.group(), is_web=match.group()[:4].lower() == "http")
        user, colon, password = run.group()[:length].partition(":")
        made_up = not password or is_placeholder(password) or password == user
        if (colon and not made_up) or looks_random(user) or (not colon and re.fullmatch(r"[0-9a-f]{32,64}", user)):
            yield Credential(match.end(), match.end() + length, "URL credentials")


def _userinfo_length(rest: str, *, is_web: bool) -> int:
    """How much of what follows `://` stands before the host; a password may hold slashes and at-signs."""
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" in authority:
        # Behind the host of a database no at-sign is usual; behind that of a web page it is.
        end = len(authority) if is_web or ":" not in authority else (rest + "?").index("?")
        return max(authority.rindex("@"), rest[:end].rindex("@"))
    of_port = re.fullmatch(r"[^:]*(?::\d{0,5})?", authority)
    return 0 if of_port else rest.index("@")


def _of_fields(text: str) -> Iterator[Credential]:
    """`api_key=...`, `"token": "..."`, `Authorization: Bearer ...`, `Password=...;` with a value that is no word."""
    at = 0
    while "=" in text or ":" in text:
        match = _FIELD.search(text, at)
        if match is None:
            break
        at = match.end()
        value = _FIELD_VALUE.match(text, at) if is_secret_name(match[1]) else None
        if value is not None:
            at = value.end()
            plain = value.group().rstrip(".")
            if len(plain) >= 8 and is_secret_value(plain) and not _WORDY.fullmatch(plain[:300]):
                yield Credential(value.start(), value.end(), "secret value")
    for match in _SCHEME.finditer(text):
        plain = match["value"]
        if is_secret_value(plain) and any(map(str.isdigit, plain)) and _entropy(plain) >= 3:
            yield Credential(match.start("value"), match.end("value"), "authorization")


def _is_plain(value: str) -> bool:
    """Dates, paths, file names, addresses, identifiers of words: what has several kinds of characters and no secret."""
    return bool(
        re.fullmatch(r"[\d:.,TZ+/-]+", value)
        or re.fullmatch(r"(?:https?|file|bolt|redis)://[^\s@]*", value)
        or re.fullmatch(r"[~.]?/[\w./-]*|[A-Za-z]:\\.*", value)
        or re.fullmatch(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}", value)
        or re.fullmatch(r"[A-Za-z]+(?:[_./:-][A-Za-z]+)*", value[:300])
        or re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?", value[:300])
    )


def _entropy(value: str) -> float:
    """Bits a character, by Shannon."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())
