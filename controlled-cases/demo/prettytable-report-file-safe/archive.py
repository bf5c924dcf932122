"""Keeps pages as files of one folder."""

import os


def store(folder, name, text):
    """Write a page; one of the same name is replaced."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as page:
        page.write(text)
    return path


def listing(folder):
    """Names and sizes of the pages, sorted by name."""
    found = []
    for name in sorted(os.listdir(folder)):
        found.append((name, os.path.getsize(os.path.join(folder, name))))
    return found
