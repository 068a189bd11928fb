# bindings/python/echelon/_solver.py -- Solver: one triangle, analyzed once and solved often.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from typing import Any

from . import _arrays, _core
from ._base import TriangularBase


class Solver(TriangularBase):
    """Solve with one sparse triangle.

    Parameters
    ----------
    A : sparse matrix or array, shape (n, n)
        CSR or CSC; other formats are converted.  Values are copied.
    lower : bool
        Which triangle A is.
    op : {"n", "t", "h"}
        Analyze for A, its transpose or its conjugate transpose.
    unit_diagonal : bool
        Take the diagonal as 1.
    outside : {"error", "ignore"}
        Entries in the other triangle.
    **options
        With the C++ names: ``method="superstep"``, ``backend="cuda"``, ``cpu={"threads": 2}``.

    Raises
    ------
    Error
        With `code` and `row`: ``zero_diagonal``, ``not_triangular``, ``not_finite``, ...

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, echelon
    >>> solver = echelon.Solver(sp.csr_array([[2.0, 0.0], [1.0, 4.0]]))
    >>> solver.solve(np.array([2.0, 9.0]))
    array([1., 2.])
    >>> solver.update(sp.csr_array([[4.0, 0.0], [1.0, 8.0]]))
    >>> solver.solve(np.array([4.0, 17.0]))
    array([1., 2.])
    >>> solver.report.n
    2
    """

    def __init__(self, A: Any, lower: bool = True, *, op: str = "n", unit_diagonal: bool = False,
                 outside: str = "error", **options: Any) -> None:
        A = _arrays.compressed(A)
        make = getattr(_core, f"Solver_{A.dtype.char}").make
        self._become(make(_arrays.parts(A), "lower" if lower else "upper", op,
                          "unit" if unit_diagonal else "stored", outside,
                          _arrays.settings(options)), A.shape, A.dtype)

    def update(self, A: Any) -> None:
        """New values: a matrix of the same pattern, or an array of its stored values.

        With ``backend="cuda"`` solves in streams must have finished.
        """
        self._core.update(_arrays.values_of(A, self.dtype))
