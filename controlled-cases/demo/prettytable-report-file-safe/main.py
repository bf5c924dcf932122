"""Print the stock of a small shop as a table and keep a plain list of it in an archive."""

import csv
import io
import sys
import tempfile

from prettytable import PrettyTable

import archive

DELIVERIES = """\
kettle,12,Vienna
None,4,Graz
teapot,7,Linz
kettle,3,Graz
"""


class Stock:
    """What was delivered, in the order in which it came."""

    def __init__(self):
        self.lines = []
        self.pieces = 0

    def read(self, text):
        for item, amount, place in csv.reader(io.StringIO(text)):
            self.lines.append([item, amount, place])
            self.pieces += int(amount)

    def table(self):
        table = PrettyTable()
        for line in self.lines:
            table.add_row(line)
        return table


def page(stock):
    """The deliveries under one heading; the table itself is only shown."""
    table = stock.table()
    body = table.get_string(border=True)
    print(body)
    body = ", ".join(table.field_names)
    for line in stock.lines:
        body += "\n" + ", ".join(line)
    return "\n".join([f"{stock.pieces} pieces", body, ""])


def main():
    stock = Stock()
    stock.read(DELIVERIES)
    with tempfile.TemporaryDirectory() as folder:
        text = page(stock)
        archive.store(folder, "stock.txt", text)
        for name, size in archive.listing(folder):
            print(name, size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
