"""One thread for linear algebra: the matrices of the model are too small to share among cores.

With more threads the same run would also depend on the number of cores, in the last bits.
"""

from contextlib import AbstractContextManager
from functools import lru_cache

from threadpoolctl import ThreadpoolController


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    """Return the controller of the libraries that are loaded; finding them takes a moment."""
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which linear algebra has one thread."""
    limit: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limit
