"""HealGuard's Python side: the marks that developers put on their code.

`protected` marks an operation that healed state must not reach; `endorses` marks a check that makes
healed state acceptable. Both only mark: the function itself is returned, unwrapped, so a call costs
exactly what it cost before. The marks are read from source by the analyzer and from the attribute
`__healguard__` at run time.

Importing this package imports nothing else from the standard library.
"""

from healguard.marks import Endorsement, Protection, endorses, protected

__all__ = ["Endorsement", "Protection", "endorses", "protected"]
__version__ = "0.1.0"
