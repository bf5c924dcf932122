"""Decide how long pages may be cached, show the headers, and record which pages were sent."""

import sqlite3
import sys

from werkzeug.datastructures import ResponseCacheControl

PAGES = [
    {"path": "/account", "age": 0, "shared": False},
    {"path": "/news", "age": 60, "shared": True},
    {"path": "/basket", "age": 5, "shared": False},
]

SCHEMA = "CREATE TABLE sent (path TEXT PRIMARY KEY, age INTEGER NOT NULL)"
INSERT = "INSERT INTO sent (path, age) VALUES (?, ?)"


class Policy:
    """How one page may be cached."""

    def __init__(self, age):
        self.cache = ResponseCacheControl([("max-age", str(age))])

    def share(self):
        self.cache.public = True
        self.cache.no_cache = None

    def withhold(self):
        self.cache.no_cache = True
        self.cache.no_store = True

    def header(self):
        return self.cache.to_header()


class Journal:
    """The pages that were sent, one row each."""

    def __init__(self, connection):
        self.connection = connection
        connection.execute(SCHEMA)

    def record(self, path, age):
        self.connection.execute(INSERT, (path, age))

    def rows(self):
        return self.connection.execute("SELECT path, age FROM sent ORDER BY path").fetchall()


def publish(journal, page):
    policy = Policy(page["age"])
    if page["shared"]:
        policy.share()
    else:
        policy.withhold()
    print(page["path"], policy.header())
    journal.record(page["path"], page["age"])


def main():
    connection = sqlite3.connect(":memory:")
    journal = Journal(connection)
    for page in PAGES:
        publish(journal, page)
    connection.commit()
    for path, age in journal.rows():
        print(path, age)
    connection.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
