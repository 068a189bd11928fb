# bindings/python/echelon/_smoother.py -- Gauss-Seidel and SOR sweeps.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import numpy as np

from . import _arrays, _core, _device
from ._error import Error
from ._plots import Pictures
from ._report import Report


class GaussSeidel(Pictures):
    """Sweeps for A x = b.

    Parameters
    ----------
    A : sparse matrix or array, shape (n, n)
    direction : {"symmetric", "forward", "backward"}
    form : {"automatic", "row", "column"}
    omega : float
        1 is Gauss-Seidel; between 0 and 2.
    **options
        As for `Solver`.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, echelon
    >>> smoother = echelon.GaussSeidel(sp.csr_array([[4.0, 1.0], [1.0, 3.0]]))
    >>> x = smoother.solve(np.array([5.0, 4.0]), sweeps=30)
    >>> np.allclose(x, 1)
    True
    """

    def __init__(self, A: Any, *, direction: str = "symmetric", form: str = "automatic",
                 omega: float = 1.0, **options: Any) -> None:
        A = _arrays.compressed(A)
        self.shape, self.dtype = A.shape, A.dtype
        make = getattr(_core, f"GaussSeidel_{A.dtype.char}").make
        self._core = make(_arrays.parts(A), direction, form, float(omega),
                          _arrays.settings(options))

    def update(self, A: Any) -> None:
        """New values: a matrix of the same pattern, or an array of its stored values.

        With ``backend="cuda"`` sweeps in streams must have finished.
        """
        self._core.update(_arrays.values_of(A, self.dtype))

    def solve(self, b: Any, x: Any = None, *, sweeps: int = 1, threads: int = 0,
              stream: Any = None) -> Any:
        """Sweep; `x` is the first guess and the result.  Without it the guess is zero.

        Arrays and `stream` are as for `Solver.solve`; `b` and `x` must not overlap.
        """
        guess = "zero" if x is None else "given"
        if _device.is_on_device(b):
            return _device.solve(
                lambda here, there, s: self._core.solve_device(here, there, sweeps, guess, s),
                b, x, self.dtype.char, stream)
        given = b
        b, out = _arrays.host_vectors(b, x, self.dtype, self.shape[0])
        if not self._core.solve(b, out, sweeps, guess, threads):
            right, copy = np.array(b, order="C"), np.array(out, order="C")
            self._core.solve(right, copy, sweeps, guess, threads)
            out[...] = copy
        return _arrays.as_given(out, given) if x is None else x

    def check(self) -> None:
        """Report errors of sweeps on a device; synchronize their streams before."""
        self._core.check()

    @property
    def report(self) -> Any:
        """Form and reason, bytes, seconds; see `Report`."""
        return Report.of(self._core)

    def _triangles(self) -> tuple[str | None, ...]:
        return {"forward": ("lower",), "backward": ("upper",)}.get(self.report.direction,
                                                                   ("lower", "upper"))

    def as_preconditioner(self, sweeps: int = 1) -> Any:
        """Sweeps from zero as a `scipy.sparse.linalg.LinearOperator`."""
        from scipy.sparse.linalg import LinearOperator

        def apply(b: Any) -> Any:
            return self.solve(b, sweeps=sweeps)
        return LinearOperator(self.shape, dtype=self.dtype, matvec=apply, matmat=apply)

    def __repr__(self) -> str:
        report = self.report
        return (f"<GaussSeidel: {report.n} unknowns, {report.nnz} entries, {report.direction}, "
                f"method {report.method}>")


_KEPT = 4
_kept: OrderedDict[Any, tuple[GaussSeidel, Any]] = OrderedDict()
_lock = threading.Lock()


def gauss_seidel(A: Any, x: Any, b: Any, iterations: int = 1, sweep: str = "forward") -> None:
    """Relax in place, as pyamg's function of this name.

    The analyses of the last four patterns are kept, as `spsolve_triangular` keeps its plans;
    `cache_clear` forgets them too.

    Parameters
    ----------
    A : sparse matrix or array, shape (n, n)
        Of the dtype of x.
    x : ndarray, shape (n,) or (n, 1)
        The guess; receives the result.
    b : ndarray
    iterations : int
    sweep : {"forward", "backward", "symmetric"}

    Examples
    --------
    >>> import numpy as np, echelon
    >>> A, b, x = echelon.generate("laplace2d:8"), np.ones(64), np.zeros(64)
    >>> echelon.gauss_seidel(A, x, b, iterations=200)
    >>> np.allclose(A @ x, b)
    True
    """
    A = _arrays.compressed(A)
    x = np.asarray(x) if _arrays.library_of(x) == "torch" else x
    if not isinstance(x, np.ndarray):
        raise Error("x must be an array: it receives the result")
    b = np.asarray(b).reshape(x.shape)
    of = _core.fingerprint
    key = (A.format, A.shape, A.dtype.char, sweep, of(np.ascontiguousarray(A.indptr)),
           of(np.ascontiguousarray(A.indices)))
    values = of(np.ascontiguousarray(A.data))
    with _lock:
        smoother, has = _kept.pop(key, (None, None))  # another thread makes its own meanwhile
    if smoother is None:
        smoother = GaussSeidel(A, direction=sweep)
    elif has != values:
        smoother.update(A)
    smoother.solve(b, x, sweeps=iterations)
    with _lock:
        _kept[key] = smoother, values
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)


def forget() -> None:
    """Drops the kept analyses; in the child of fork() too, where the lock may be held for good."""
    global _lock
    _lock = threading.Lock()
    _kept.clear()
