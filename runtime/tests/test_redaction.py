import pytest

from healguard.redact import REPLACEMENT, Redactor


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "PASSWORD",
        "dbPassword",
        "user_passwd",
        "secret",
        "client_secret_2",
        "api_key",
        "apiKey",
        "APIKEY",
        "X-Api-Key",
        "access_token",
        "token",
        "authToken",
        "auth",
        "Authorization",
        "credentials",
        "private_key",
        "AWS_SECRET_ACCESS_KEY",
        "session_tokens",
    ],
)
def test_a_name_of_a_secret_is_known_by_its_words(name):
    assert Redactor().is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "author",
        "authority",
        "tokenize",
        "tokenizer",
        "tokens",
        "token_count",
        "token_type",
        "tokens_seen",
        "password_field",
        "secretary",
        "monkey",
        "key",
        "primary_key",
        "keys",
        "compass",
        "",
        "_",
        "日本",
    ],
)
def test_a_harmless_name_is_no_secret(name):
    assert not Redactor().is_secret_name(name)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
        "key AKIAIOSFODNN7EXAMPLE here",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "postgres://shop:s3cret@db.example/shop",
        "ghp_0123456789abcdefghijABCDEFGHIJ",
        "Bearer abcdefghijklmnop1234",
    ],
)
def test_a_text_that_looks_like_a_secret_is_known(text):
    redactor = Redactor()
    assert redactor.is_secret_text(text)
    assert REPLACEMENT in redactor.cleanse(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/a:b@c",
        "begin private key",
        "a" * 4096,
        "a.a-a+" * 600 + "://",
        "eyJ" * 900,
    ],
)
def test_an_ordinary_text_is_no_secret(text):
    assert not Redactor().is_secret_text(text)


def test_secrets_are_redacted_wherever_their_name_holds_them(crash):
    snapshot = crash(
        """
        import dataclasses, functools
        from collections import namedtuple
        Login = namedtuple("Login", "user password")
        API_KEY = "global-secret-1"
        class User:
            token = "class-secret-2"
            def __init__(self): self.password = "attribute-secret-3"
        class Slotted:
            __slots__ = ("secret",)
        def connect(user, password="default-secret-4", *, auth=b"keyword-secret-5"): pass
        def fail(password):
            user, slotted = User(), Slotted()
            slotted.secret = "slot-secret-6"
            settings = {"api_key": "entry-secret-7", "retries": 3, b"passwd": "bytes-secret-8"}
            login = Login("eve", "tuple-secret-9")
            call = functools.partial(connect, password="partial-secret-10")
            f = connect
            pin = 31337
            auth = 424242
            def inner(): return password
            1 / 0
        fail("argument-secret-11")
        """,
        objects=1_000,
    )
    for number in range(1, 12):
        assert f"secret-{number}" not in snapshot.text
    assert "424242" not in snapshot.text
    assert snapshot.local("pin") == 31337
    assert snapshot.local("auth") == {"redacted": "int"}
    assert snapshot.local("password") == {"redacted": "str"}
    assert snapshot.local_object("settings")["entries"] == [
        ["api_key", {"redacted": "str"}],
        ["retries", 3],
        [{"bytes": b"passwd".hex()}, {"redacted": "str"}],
    ]
    assert snapshot.local_object("login")["items"] == ["eve", {"redacted": "str"}]
    assert snapshot.local_object("f")["keyword_defaults"] == {"auth": {"redacted": "bytes"}}


def test_containers_under_a_secret_name_are_redacted_inside(crash):
    snapshot = crash(
        """
        def fail():
            credentials = {"user": "name-1", "nested": ["deep-2", ("deeper-3", 7)], "none": None}
            secrets = {"set-4"}
            1 / 0
        fail()
        """
    )
    for value in ("name-1", "deep-2", "deeper-3", "set-4"):
        assert value not in snapshot.text
    entries = dict(
        map(tuple, [[*e[:1], str(e[1])] for e in snapshot.local_object("credentials")["entries"]])
    )
    assert list(entries) == ["user", "nested", "none"]
    assert entries["none"] == "None"


def test_a_container_is_redacted_even_when_another_name_led_to_it_first(crash):
    snapshot = crash(
        """
        class Holder: pass
        def fail():
            a_list = ["shared-secret"]
            holder = Holder()
            holder.deeper = Holder()
            holder.deeper.password = a_list
            1 / 0
        fail()
        """
    )
    assert "shared-secret" not in snapshot.text
    assert snapshot.local_object("a_list")["items"] == [{"redacted": "str"}]


def test_objects_functions_and_flags_under_a_secret_name_are_kept(crash):
    snapshot = crash(
        """
        class Token:
            def __init__(self): self.kind = "NUMBER"
        def fail():
            token = Token()
            secret = len
            password = None
            auth = True
            1 / 0
        fail()
        """
    )
    assert snapshot.local_object("token")["attributes"] == {"kind": "NUMBER"}
    assert snapshot.local_object("secret")["name"] == "builtins.len"
    assert (snapshot.local("password"), snapshot.local("auth")) == (None, True)


def test_a_secret_is_found_where_it_was_copied_to(crash):
    snapshot = crash(
        """
        class Client:
            def __init__(self, key): self.header = "Key " + key
        copies = ["first"]
        def fail():
            client = Client("s3cr3t-value")
            line = "s3cr3t-value"
            copies.append(line)
            api_key = "s3cr3t-value"
            raise ValueError("refused: s3cr3t-value", line)
        fail()
        """
    )
    assert "s3cr3t-value" not in snapshot.text
    assert snapshot.local("line") == {"redacted": "str"}
    assert snapshot.global_object("copies")["items"] == ["first", {"redacted": "str"}]
    assert REPLACEMENT in snapshot.exception["message"]


def test_a_secret_that_is_met_late_is_removed_from_what_was_written_before(workshop, crash):
    workshop.write("late.py", "")
    snapshot = crash(
        """
        import late
        class Box:
            def __init__(self, value): self.value = value
        STATE = ["x", "l4te-s3cret"]
        def fail():
            line = "l4te-s3cret"
            box = Box("with l4te-s3cret inside")
            found = Box(Box(Box(Box(late))))
            raise ValueError(line)
        class Late: pass
        late.holder = Late()
        late.holder.deeper = Late()
        late.holder.deeper.password = "l4te-s3cret"
        fail()
        """,
        objects=2_000,
    )
    assert {"redacted": "str"} in snapshot.object(
        snapshot.global_object("holder", "late")["attributes"]["deeper"]
    )["attributes"].values()
    assert "l4te-s3cret" not in snapshot.text


def test_an_ordinary_word_under_a_secret_name_does_not_redact_that_word_elsewhere(crash):
    snapshot = crash(
        """
        def fail():
            token = "identifier"
            kinds = ["identifier", "number"]
            1 / 0
        fail()
        """
    )
    assert snapshot.local("token") == {"redacted": "str"}
    assert snapshot.local_object("kinds")["items"] == ["identifier", "number"]


def test_secrets_on_the_command_line_are_replaced(workshop):
    workshop.write("main.py", "import sys\nargv = None\nsys.argv = None\n1 / 0\n")
    run = workshop.run("main.py", "--password", "hunter-22", "--token=abc-123", "--user", "eve")
    snapshot = workshop.snapshot(run)
    assert snapshot.document["command"] == [
        "main.py",
        "--password",
        REPLACEMENT,
        f"--token={REPLACEMENT}",
        "--user",
        "eve",
    ]


def test_the_environment_is_read_with_its_names(crash):
    snapshot = crash(
        "import os\ndef fail():\n    env = os.environ\n    1 / 0\nfail()\n",
        environment={"SHOP_SECRET": "env-secret-1", "SHOP_COLOUR": "plain-2"},
        objects=500,
    )
    assert b"env-secret-1".hex() not in snapshot.text
    assert b"plain-2".hex() in snapshot.text


def test_redaction_can_be_switched_off(crash):
    snapshot = crash(
        "def fail():\n    password = 'shown-1'\n    1 / 0\nfail()\n", options=["--no-redact"]
    )
    assert snapshot.local("password") == "shown-1"
