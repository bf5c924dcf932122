"""The laboratory: labels of controlled cases, established by running them.

A case is run once for each of its healings, the healing woven into the crashed
function, and the sequences of protected operations are compared. Nothing here
analyses a program, and nothing here is shared with the analyzer.
"""
