"""Decides which values of a crash are secrets.

A value is a secret by the name it is held under (`password`, `api_key`), or by its own look (a private
key, an access token, a URL with a password). Words in names are compared whole, so `author` and
`tokenize` are no secrets, and a name that ends in a harmless word (`token_count`) is none either.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise

_SECRET_WORDS = frozenset(
    (
        "auth",
        "authorization",
        "authorisation",
        "authkey",
        "apikey",
        "bearer",
        "cookie",
        "credential",
        "credentials",
        "creds",
        "passcode",
        "passphrase",
        "passwd",
        "password",
        "passwords",
        "privatekey",
        "pwd",
        "secret",
        "secrets",
        "token",
    )
)
_SECRET_PAIRS = frozenset(
    (kind, word)
    for word in ("key", "keys")
    for kind in ("access", "api", "encryption", "master", "private", "secret", "session", "signing")
) | frozenset(
    (kind, "tokens")
    for kind in ("access", "api", "auth", "bearer", "csrf", "refresh", "session", "user")
)
# As the last word these tell that the value describes a secret and is none.
_HARMLESS_ENDINGS = frozenset(
    (
        "class",
        "column",
        "count",
        "enabled",
        "end",
        "field",
        "fields",
        "index",
        "kind",
        "len",
        "length",
        "line",
        "max",
        "min",
        "name",
        "names",
        "offset",
        "pattern",
        "policy",
        "pos",
        "position",
        "prompt",
        "re",
        "regex",
        "required",
        "size",
        "start",
        "timeout",
        "ttl",
        "type",
        "types",
    )
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_SECRET_TEXT = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*"
    r"|\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"
    r"|\beyJ[A-Za-z0-9_-]{5,2000}\.[A-Za-z0-9_-]{5,2000}\.[A-Za-z0-9_-]*"
    r"|\b[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s/@:]{0,256}:[^\s/@]{1,256}@"
    r"|\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs])[_-][A-Za-z0-9_-]{16,}"
    r"|\bsk-[A-Za-z0-9_-]{20,}"
    r"|\b(?:[Bb]earer|[Bb]asic) [A-Za-z0-9._~+/-]{16,}=*"
)
# One of these is in every text that the expression above finds.
_SECRET_MARKS = (
    *("-----BEGIN", "AKIA", "ASIA", "AROA", "AIDA", "eyJ", "://"),
    *("gh", "glpat", "xox", "sk-", "earer ", "asic "),
)

REPLACEMENT = "[redacted]"
_REMEMBERED_AT_MOST = 256
_SHORTEST_IN_MESSAGES = 4
_SHORTEST_ELSEWHERE = 8


class Redactor:
    """Judges names and texts, and remembers the secrets met so that messages can be cleansed of them."""

    def __init__(self, enabled: bool = True) -> None:
        self.enabled = enabled
        self._judged: dict[str, bool] = {}
        self._remembered: dict[str, None] = {}
        self._distinctive: list[str] = []
        self._escaped: list[str] = []

    def is_secret_name(self, name: str) -> bool:
        """Tell whether a variable, attribute or key of this name holds a secret."""
        if not self.enabled:
            return False
        judged = self._judged.get(name)
        if judged is None:
            judged = self._judged[name] = _names_a_secret(name)
        return judged

    def is_secret_text(self, text: str) -> bool:
        """Tell whether a text looks like a secret, or holds a distinctive one met before."""
        if not self.enabled or len(text) < _SHORTEST_ELSEWHERE:
            return False
        if any(mark in text for mark in _SECRET_MARKS) and _SECRET_TEXT.search(text):
            return True
        return self.mentions_secret(text)

    def mentions_secret(self, text: str) -> bool:
        """Tell whether a text contains a secret met before that is no ordinary word or number."""
        return any(secret in text for secret in self._distinctive)

    def is_leaked_in(self, record: str) -> bool:
        """Tell whether the JSON text of a record contains a secret met before."""
        return any(secret in record for secret in self._escaped)

    def remember(self, text: str) -> None:
        """Keep a redacted text, so that it is found where it was copied to."""
        if len(text) < _SHORTEST_IN_MESSAGES or len(self._remembered) >= _REMEMBERED_AT_MOST:
            return
        if text not in self._remembered:
            self._remembered[text] = None
            if _is_distinctive(text):
                self._distinctive.append(text)
                self._escaped.append(json.dumps(text)[1:-1])

    def cleanse(self, message: str) -> str:
        """Return a message with the secrets in it replaced."""
        if not self.enabled:
            return message
        for secret in sorted(self._remembered, key=len, reverse=True):
            message = message.replace(secret, REPLACEMENT)
        return _SECRET_TEXT.sub(REPLACEMENT, message)

    def cleanse_command(self, arguments: list[str]) -> list[str]:
        """Return command-line arguments with the values of secret options replaced."""
        cleansed = []
        secret_follows = False
        for argument in arguments:
            option, equals, _ = argument.partition("=")
            is_secret = argument.startswith("-") and self.is_secret_name(option)
            if secret_follows:
                cleansed.append(REPLACEMENT)
            elif is_secret and equals:
                cleansed.append(f"{option}={REPLACEMENT}")
            else:
                cleansed.append(self.cleanse(argument))
            secret_follows = is_secret and not equals and not secret_follows
        return cleansed


def _names_a_secret(name: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words or words[-1] in _HARMLESS_ENDINGS:
        return False
    if any(word in _SECRET_WORDS for word in words):
        return True
    return any(pair in _SECRET_PAIRS for pair in pairwise(words))


def _is_distinctive(text: str) -> bool:
    """Tell whether a text is so unlike a word that finding it elsewhere means that it was copied."""
    if len(text) < _SHORTEST_ELSEWHERE:
        return False
    has_letter = any(char.isalpha() for char in text)
    return has_letter and not text.replace("_", "").replace(" ", "").isalpha()
