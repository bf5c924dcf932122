"""Random programs for a differential test: what executions show, the analysis must flag.

`generator` puts a program together from the templates of the `*_grammar` modules, `execution`
runs it, `shrink` makes a finding small.
"""
