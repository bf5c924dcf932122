"""Follow the contents of a documentation site and hand its last page to a checker process."""

import json
import sys

from boltons.urlutils import URL

import checker

SITE = "http://docs.example.org/manual/index?version=4"

CONTENTS = json.loads(
    """
    {"title": "Manual", "chapters": [
        {"title": "Guide", "link": "guide/", "pages": 3},
        {"title": "Install", "link": "install", "pages": 9}
    ]}
    """
)


class Crawl:
    """A walk through linked pages, each link relative to the page before it."""

    def __init__(self, start):
        self.position = URL(start)
        self.titles = []
        self.pages = 0

    def follow(self, chapter):
        self.position = self.position.navigate(chapter["link"])
        self.titles.append(chapter["title"])
        self.pages += chapter["pages"]

    def walk(self, contents):
        for chapter in contents["chapters"]:
            self.follow(chapter)
        return self.position


def report(crawl, status):
    trail = " > ".join(crawl.titles)
    return f"{trail}: {crawl.pages} pages, {status}"


def main():
    crawl = Crawl(SITE)
    page = crawl.walk(CONTENTS)
    address = page.to_text()
    status = checker.check(address)
    print(report(crawl, status))
    return 0


if __name__ == "__main__":
    sys.exit(main())
