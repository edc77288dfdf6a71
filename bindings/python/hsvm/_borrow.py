"""Arrays that the library uses in place are read-only while it does.

A fit runs without the interpreter lock. Another thread that writes to its arrays gets NumPy's "assignment destination is
read-only" instead of changing the data, or the indices of a sparse matrix, under the solver.
"""

from __future__ import annotations

import mmap
import threading

import numpy as np

_lock = threading.RLock()
_borrowed: dict[int, list] = {}  # id -> [number of borrowers, array]


def _chain(array) -> list[np.ndarray]:
    """The array and those it is a view of, outermost first; nothing where the memory is not NumPy's to protect."""
    chain = []
    while isinstance(array, np.ndarray):
        chain.append(array)
        array = array.base
    owned = array is None or isinstance(array, mmap.mmap)
    return chain if owned else []


class Borrow:
    """Keeps arrays alive and read-only as long as it lives; whoever uses their memory keeps it."""

    def __init__(self, *arrays: np.ndarray):
        self._arrays = arrays
        self._held: list[np.ndarray] = []  # those that are read-only for its sake
        for array in arrays:
            for link in _chain(array):
                self._hold(link)

    def _hold(self, array: np.ndarray) -> None:
        with _lock:
            entry = _borrowed.get(id(array))
            if entry is not None:
                entry[0] += 1
            elif array.flags.writeable:
                array.flags.writeable = False
                _borrowed[id(array)] = [1, array]
            else:
                return
            self._held.append(array)

    def __del__(self) -> None:
        with _lock:
            while self._held:  # a view can be made writeable only after what it is a view of
                array = self._held.pop()
                entry = _borrowed[id(array)]
                entry[0] -= 1
                if entry[0] == 0:
                    del _borrowed[id(array)]
                    array.flags.writeable = True
