# bindings/python/echelon/_direct.py -- DirectSolver: A x = b with a factorization.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu as _splu  # before patch() puts ours in its place

from . import _arrays, _core
from ._base import TriangularBase
from ._error import Error


class DirectSolver(TriangularBase):
    """Factor a matrix once, solve often.

    Parameters
    ----------
    A : sparse matrix or array, shape (n, n)
    package : {"scipy", "automatic", "superlu", "umfpack", "klu", "cholmod", "superlu_ilu", "ilu0", "ic0"}
        What factors A.  ``"scipy"`` is SciPy's SuperLU and always there; the others, except ILU(0)
        and IC(0), depend on the build and, for CHOLMOD, UMFPACK and KLU, on what is installed.
        ``"automatic"`` chooses by the matrix: LL', LDL' or LU.
    factor : dict, optional
        Options of the factorization with the C++ names: ``{"order": "natural"}``.
    **options
        As for `Solver`.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, echelon
    >>> s = echelon.DirectSolver(sp.csc_array([[4.0, 1.0], [1.0, 3.0]]))
    >>> np.round(s.solve(np.array([5.0, 4.0])), 12)
    array([1., 1.])
    """

    def __init__(self, A: Any, package: str = "scipy", *, factor: dict[str, Any] | None = None,
                 **options: Any) -> None:
        self._package, self._factor = package, _arrays.settings(factor or {})
        if package not in ("scipy", "superlu_ilu", "ilu0", "ic0"):
            where = {"solve_on": options.get("backend", "cpu")}
            self._factor = _arrays.settings({**where, **(factor or {})})
        if package == "scipy":
            if self._factor:
                raise Error("SciPy's factorization has options of its own: pass them to splu")
            self._take_lu(factor_by_scipy(A), options)
            return
        A = _arrays.compressed(A)
        kind = getattr(_core, f"DirectSolver_{A.dtype.char}")
        self._become(kind.factor(_arrays.parts(A), package, self._factor,
                                 _arrays.settings(options)), A.shape, A.dtype)

    def _take_lu(self, lu: Any, options: dict[str, Any]) -> None:
        triangles = lu_parts(lu)
        dtype = triangles[0][5].dtype
        kind = getattr(_core, f"DirectSolver_{dtype.char}")
        self._become(kind.take_lu(*triangles, _arrays.settings(options)), lu.shape, dtype)

    def update(self, A: Any) -> None:
        """Factor A, of the same pattern, and take its values.

        What another library has factored is taken as it is: a ``SuperLU`` of SciPy, a ``Factor`` of
        scikit-sparse.
        """
        if self._package == "cholmod given":
            self._core.update_symmetric(*cholmod_parts(A))
        elif self._package == "scipy":
            lu = A if hasattr(A, "perm_r") else factor_by_scipy(A)
            self._core.update_lu(*lu_parts(lu))
        else:
            A = _arrays.compressed(A).astype(self.dtype, copy=False)
            self._core.update_factor(_arrays.parts(A), self._package, self._factor)


def factor_by_scipy(A: Any, **how: Any) -> Any:
    """SciPy's splu, which reads columns."""
    if not sparse.issparse(A) or A.format != "csc":
        A = sparse.csc_array(_arrays.compressed(A))
    return _splu(A, **how)


def lu_parts(lu: Any) -> tuple[Any, ...]:
    """L and U as they are, and the orders: row i of L U is row row_order[i] of A."""
    row_order = np.argsort(lu.perm_r).astype(np.int32)
    col_order = np.argsort(lu.perm_c).astype(np.int32)
    return _arrays.parts(lu.L), _arrays.parts(lu.U), row_order, col_order


def cholmod_parts(factor: Any) -> tuple[Any, ...]:
    """L, D (empty: all 1) and the order of a factor of scikit-sparse: (L D L^H)(i, j) is
    A(order[i], order[j])."""
    L, D = factor.L_D()
    d = np.ascontiguousarray(D.diagonal())
    L = _arrays.compressed(L)
    return _arrays.parts(L), d.astype(L.dtype), np.asarray(factor.P()).astype(np.int32)


def cholesky(A: Any, *, factor: dict[str, Any] | None = None, **options: Any) -> DirectSolver:
    """L L' of a Hermitian positive definite matrix by CHOLMOD, which must be installed.

    Examples
    --------
    >>> import numpy as np, echelon
    >>> A = echelon.generate("laplace2d:20")
    >>> s = echelon.cholesky(A) if "cholmod" in echelon.packages() else echelon.ic0(A)
    >>> s.report.n
    400
    """
    return DirectSolver(A, "cholmod", factor=factor, **options)


def ldl(A: Any, *, factor: dict[str, Any] | None = None, **options: Any) -> DirectSolver:
    """L D L' of a Hermitian matrix by CHOLMOD, which must be installed.  No pivoting: an indefinite
    matrix is fine as long as no pivot is zero."""
    return DirectSolver(A, "cholmod", factor={**(factor or {}), "simplicial": True}, **options)


def ilu0(A: Any, **options: Any) -> DirectSolver:
    """ILU(0) in the order of A; ``ilu0(A).as_preconditioner()`` is a LinearOperator."""
    return DirectSolver(A, "ilu0", factor={"order": "natural"}, **options)


def ic0(A: Any, **options: Any) -> DirectSolver:
    """IC(0) in the order of A, of which the lower triangle is read."""
    return DirectSolver(A, "ic0", factor={"order": "natural"}, **options)


def packages() -> list[str]:
    """What `DirectSolver` can factor with here, besides ``"scipy"``."""
    return list(_core.factor_packages())


def from_cholmod(factor: Any, **options: Any) -> DirectSolver:
    """Take L, D and the permutation of a ``Factor`` of scikit-sparse, as ``sksparse.cholmod.cholesky``
    makes it.

    Parameters
    ----------
    factor : sksparse.cholmod.Factor
        Anything with ``L_D()``, a unit lower triangle and a diagonal, and ``P()``.
    **options
        As for `Solver`.
    """
    L, d, order = cholmod_parts(factor)
    solver = DirectSolver.__new__(DirectSolver)
    solver._package, solver._factor = "cholmod given", []
    kind = getattr(_core, f"DirectSolver_{d.dtype.char}")
    solver._become(kind.take_symmetric(L, d, order, _arrays.settings(options)), (len(d), len(d)),
                   d.dtype)
    return solver
