# bindings/python/echelon/_lu.py -- SciPy's splu and factorized, with solves by Echelon.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from . import _device
from ._direct import DirectSolver, factor_by_scipy
from ._error import Error


class SuperLU(DirectSolver):
    """What `splu` returns: SciPy's object of this name, with solves by Echelon.

    Attributes
    ----------
    L, U, perm_r, perm_c, shape, nnz
        As SciPy's.
    """

    def __init__(self, lu: Any, **options: Any) -> None:
        self._package, self._factor = "scipy", []
        self._lu = lu
        self._take_lu(lu, options)

    def update(self, A: Any) -> None:
        """Factor A, of the same pattern, by SciPy's splu with its defaults and take its values."""
        lu = A if hasattr(A, "perm_r") else factor_by_scipy(A)
        super().update(lu)
        self._lu = lu

    def solve(self, b: Any, trans: Any = "N", out: Any = None, **how: Any) -> Any:
        """Solve with A (``trans="N"``), its transpose (``"T"``) or conjugate transpose (``"H"``).

        Keywords are those of `DirectSolver.solve`.  Exceptions for `b` and `trans` are SciPy's.
        """
        if trans not in ("N", "T", "H"):
            raise ValueError("trans must be N, T, or H")
        if trans != "N":
            how["op"] = trans.lower()
        try:
            return super().solve(b, out, **how)
        except Error as error:
            refuse_as_scipy(b, self.shape[0], self.dtype, error)

    L = property(lambda self: self._lu.L)
    U = property(lambda self: self._lu.U)
    perm_r = property(lambda self: self._lu.perm_r)
    perm_c = property(lambda self: self._lu.perm_c)
    nnz = property(lambda self: self._lu.nnz)


def refuse_as_scipy(b: Any, n: int, dtype: np.dtype[Any], error: Error) -> NoReturn:
    """Raise what SciPy's solve raises for this b, or else the error."""
    if not _device.is_on_device(b):
        b = np.asarray(b)
        if not np.can_cast(b.dtype, dtype, "same_kind"):
            raise TypeError(f"Cannot cast array data from {b.dtype!r} to {dtype!r} according to "
                            "the rule 'safe'") from error
        if b.ndim not in (1, 2):
            depth = "too deep" if b.ndim > 2 else "of too small depth"
            raise ValueError(f"object {depth} for desired array") from error
        if b.shape[0] != n:
            raise ValueError("b is of incompatible size") from error
    raise error


def splu(A: Any, permc_spec: str | None = None, diag_pivot_thresh: float | None = None,
         relax: int | None = None, panel_size: int | None = None,
         options: dict[str, Any] | None = None, **solver_options: Any) -> SuperLU:
    """Factor A with SciPy's SuperLU, solve with Echelon.

    Parameters
    ----------
    A, permc_spec, diag_pivot_thresh, relax, panel_size, options
        As `scipy.sparse.linalg.splu`'s.
    **solver_options
        As for `Solver`.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, echelon
    >>> lu = echelon.splu(sp.csc_array([[0.0, 2.0], [4.0, 1.0]]))
    >>> lu.solve(np.array([2.0, 5.0]))
    array([1., 1.])
    >>> lu.solve(np.array([4.0, 3.0]), trans="T")
    array([1., 1.])
    """
    lu = factor_by_scipy(A, permc_spec=permc_spec, diag_pivot_thresh=diag_pivot_thresh,
                         relax=relax, panel_size=panel_size, options=options)
    return SuperLU(lu, **solver_options)


def from_splu(lu: Any, **options: Any) -> SuperLU:
    """Take L, U, perm_r and perm_c of a ``SuperLU`` object of SciPy: of splu or spilu.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, scipy.sparse.linalg, echelon
    >>> lu = scipy.sparse.linalg.splu(sp.csc_array([[0.0, 2.0], [4.0, 1.0]]))
    >>> echelon.from_splu(lu).solve(np.array([2.0, 5.0]))
    array([1., 1.])
    """
    return SuperLU(lu, **options)


def factorized(A: Any, **options: Any) -> Callable[..., Any]:
    """A function that solves ``A x = b`` for a fixed A, as SciPy's.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, echelon
    >>> solve = echelon.factorized(sp.csc_array([[2.0, 0.0], [0.0, 4.0]]))
    >>> solve(np.array([2.0, 4.0]))
    array([1., 1.])
    """
    return splu(A, **options).solve
