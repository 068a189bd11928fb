# bindings/python/echelon/_base.py -- what solvers with solve(b, out) have in common.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from typing import Any

import numpy as np

from . import _arrays, _device
from ._plots import Pictures
from ._report import Report

_ndarray, _empty, _empty_like = np.ndarray, np.empty, np.empty_like


class TriangularBase(Pictures):
    """solve, report and preconditioner of Solver and DirectSolver; `_core` does the work."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]
    _core: Any

    def __init__(self) -> None:
        raise TypeError("this class is a base")

    def _become(self, core: Any, shape: Any, dtype: Any) -> None:
        self._core, self.shape, self.dtype = core, tuple(shape), np.dtype(dtype)
        self._solve = core.solve

    def solve(self, b: Any, out: Any = None, *, part: str = "full", op: str = "n",
              alpha: complex = 1, threads: int = 0, stream: Any = None) -> Any:
        """Solve ``op(M) x = alpha b``.

        Parameters
        ----------
        b : array_like, shape (n,) or (n, k)
            On the host: NumPy, or what NumPy takes.  With ``backend="cuda"`` also on the device:
            anything with ``__cuda_array_interface__`` or ``__dlpack__`` (CuPy, PyTorch, JAX).
        out : array, optional
            Receives x; may be `b`.
        part : {"full", "lower", "upper", "triangles"}
            Which system of a factorization.
        op : {"n", "t", "h"}
            M, its transpose or its conjugate transpose.
        alpha : scalar
        threads : int
            At most this many; 0: as analyzed.
        stream : optional
            A CUDA stream: an object of CuPy, PyTorch or Numba, or its handle.  By default the
            current stream of the library that `b` is of.

        Returns
        -------
        x : array of the kind of `b`
            On a device the solve is in the stream and may not be complete yet; `check` reports
            errors.
        """
        if type(b) is _ndarray and b.dtype is self.dtype and out is None:
            x = _empty(b.shape, b.dtype) if b.ndim == 1 else _empty_like(b)
            if self._solve(b, x, alpha, part, op, threads):
                return x
        elif _device.is_on_device(b):
            return _device.solve(
                lambda here, there, s: self._core.solve_device(here, there, alpha, part, op, s),
                b, out, self.dtype.char, stream)
        given = b
        b, x = _arrays.host_vectors(b, out, self.dtype, self.shape[0])
        if not self._solve(b, x, alpha, part, op, threads):
            copy = np.array(b, order="C")
            self._solve(copy, copy, alpha, part, op, threads)
            x[...] = copy
        return _arrays.as_given(x, given) if out is None else out

    def check(self) -> None:
        """Report errors of solves on a device; synchronize their streams before."""
        self._core.check()

    @property
    def report(self) -> Any:
        """Method and reason, bytes, seconds; see `Report`."""
        return Report.of(self._core)

    def as_preconditioner(self) -> Any:
        """This solve as a `scipy.sparse.linalg.LinearOperator`.

        Examples
        --------
        >>> import numpy as np, scipy.sparse.linalg as sla, echelon
        >>> A = echelon.generate("laplace2d:20")
        >>> M = echelon.ic0(A).as_preconditioner()
        >>> x, info = sla.cg(A, np.ones(400), M=M)
        >>> info
        0
        """
        from scipy.sparse.linalg import LinearOperator
        return LinearOperator(self.shape, dtype=self.dtype, matvec=self.solve, matmat=self.solve,
                              rmatvec=lambda b: self.solve(b, op="h"),
                              rmatmat=lambda b: self.solve(b, op="h"))

    def __repr__(self) -> str:
        report = self.report
        return (f"<{type(self).__name__}: {report.n} unknowns, {report.nnz} entries, "
                f"method {report.method}, backend {report.backend}>")
