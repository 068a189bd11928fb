# bindings/python/echelon/_batch.py -- BatchSolver: many triangles of one pattern, solved side by side.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _arrays, _core, _device
from ._error import Error
from ._report import _rows, _to_dict


@dataclass(frozen=True)
class BatchReport:
    """The report of a `BatchSolver`, with the C++ names."""

    n: int
    nnz: int
    count: int
    form: str
    reason: str
    width: int
    backend: str
    vector_unit: str
    threads: int
    plan_bytes: int
    analysis_s: float
    setup_s: float
    bytes: int
    workspace_bytes: int
    device_bytes: int
    refused: int
    _text: str = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """All fields."""
        return _to_dict(self)

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return "<table>" + _rows(self.to_dict()) + "</table>"


class BatchSolver:
    """Solve with many sparse triangles of one pattern, each with values of its own.

    Parameters
    ----------
    A : sparse matrix or array, shape (n, n)
        CSR or CSC; its pattern is that of all systems, and its values are not read.
    values : array_like, shape (count, A.nnz)
        Row k has the values of system k, in the order of ``A.data``.  With ``backend="cuda"`` also
        on the device (CuPy, PyTorch, JAX).  Copied.
    lower : bool
        Which triangle the systems are.
    op : {"n", "t", "h"}
        Analyze for the triangles, their transposes or their conjugate transposes.
    unit_diagonal : bool
        Take the diagonals as 1.
    outside : {"error", "ignore"}
        Entries in the other triangle.
    form : {"automatic", "interleaved", "separate"}
        Systems side by side, or one after the other, as `Solver` does.
    width : int
        On a device: systems side by side; 0: chosen.
    **options
        As for `Solver`.

    Attributes
    ----------
    shape : tuple
        ``(count, n, n)``

    Raises
    ------
    Error
        For a wrong pattern.  A system with a zero on its diagonal or a value that is not finite
        raises nothing: it is in `failed`, its answers are NaN, and all others are solved.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, echelon
    >>> L = sp.csr_array([[2.0, 0.0], [1.0, 4.0]])
    >>> many = echelon.BatchSolver(L, [[2.0, 1.0, 4.0], [1.0, 3.0, 1.0]])
    >>> many.solve(np.array([[2.0, 9.0], [1.0, 5.0]]))
    array([[1., 2.],
           [1., 2.]])
    >>> many.update([[0.0, 1.0, 4.0], [2.0, 1.0, 4.0]])
    >>> many.solve(np.array([[2.0, 9.0], [2.0, 9.0]]))
    array([[nan, nan],
           [ 1.,  2.]])
    >>> many.failed
    array([0], dtype=int32)
    """

    def __init__(self, A: Any, values: Any, lower: bool = True, *, op: str = "n",
                 unit_diagonal: bool = False, outside: str = "error", form: str = "automatic",
                 width: int = 0, **options: Any) -> None:
        if getattr(A, "format", None) not in ("csr", "csc"):
            raise Error("the pattern of a batch is a CSR or CSC matrix: values are in its order")
        if hasattr(A, "get"):  # CuPy: the analysis reads the host
            A = A.get()
        self._nnz = int(A.indptr[-1])
        values, letter, where = _values(values, None, self._nnz)
        self.dtype = np.dtype(letter)
        self.shape = (where[1], *A.shape)
        pattern = (A.shape[0], A.shape[1], A.format == "csc", np.ascontiguousarray(A.indptr),
                   np.ascontiguousarray(A.indices), np.zeros(self._nnz, self.dtype))
        make = getattr(_core, f"BatchSolver_{self.dtype.char}").make
        reading = ("lower" if lower else "upper", op, "unit" if unit_diagonal else "stored", outside)
        self._core = make(pattern, where, reading, form, int(width), _arrays.settings(options))

    def update(self, values: Any) -> None:
        """New values of all systems, of the same pattern and as many.

        With ``backend="cuda"`` solves in streams must have finished.
        """
        values, _, where = _values(values, self.dtype, self._nnz)
        self._core.update(where)

    def solve(self, b: Any, out: Any = None, *, op: str = "n", alpha: complex = 1,
              threads: int = 0, stream: Any = None) -> Any:
        """Solve ``op(M_k) x_k = alpha b_k`` for every system k.

        Parameters
        ----------
        b : array_like, shape (count, n) or (count, n, k)
            One or k right-hand sides of each system.  On the host any memory order; those of
            arrays that are C-contiguous, of ``(count, k, n)`` with its last axes swapped for the
            second shape, are not copied.  With ``backend="cuda"`` also on the device, in such an
            order.
        out : array, optional
            Receives x; may be `b`.
        op : {"n", "t", "h"}
            The triangles, their transposes or their conjugate transposes.
        alpha : scalar
        threads : int
            At most this many; 0: as analyzed.
        stream : optional
            As for `Solver.solve`.

        Returns
        -------
        x : array of the kind and shape of `b`
            Answers of systems in `failed` are not finite.
        """
        if _device.is_on_device(b):
            return self._solve_device(b, out, op, alpha, stream)
        given = b
        b = np.asarray(b)
        self._check_shape(b.shape)
        b, x = _arrays.with_result(b, out, self.dtype)
        if not self._core.solve(b, x, alpha, op, threads):
            copy = _side_by_side(b)
            self._core.solve(copy, copy, alpha, op, threads)
            x[...] = copy
        return _arrays.as_given(x, given) if out is None else out

    def _solve_device(self, b: Any, out: Any, op: str, alpha: complex, stream: Any) -> Any:
        def run(here: Any, there: Any, s: int) -> None:
            self._check_shape(here[1])
            if there[1] != here[1]:
                raise Error(f"out must have the shape of b, {tuple(here[1])}")
            if not self._core.solve_device(here, there, alpha, op, s):
                raise Error("arrays on a device must be contiguous: (count, n), or (count, k, n) "
                            "with the last axes swapped, b and out in the same order")
        return _device.solve(run, b, out, self.dtype.char, stream, _device.as_it_lies)

    def _check_shape(self, shape: Any) -> None:
        count, n, _ = self.shape
        if len(shape) not in (2, 3) or tuple(shape[:2]) != (count, n):
            raise Error(f"b has shape {tuple(shape)}; it needs ({count}, {n}) or ({count}, {n}, k)")

    @property
    def failed(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The systems whose values were refused, and those without a finite answer in the last
        solve (of several threads: in the one that ended last), in rising order.

        After a solve on a device synchronize its stream first.  Solves in several streams at the
        same time need a batch each to tell their failures apart.
        """
        return np.array(self._core.failed(), np.int32)

    def check(self) -> None:
        """Raise `Error` for the first system in `failed`."""
        self._core.check()

    @property
    def report(self) -> BatchReport:
        """Form and reason, bytes, seconds."""
        return BatchReport(_text=self._core.text().rstrip("\n"), **self._core.report())

    def __repr__(self) -> str:
        report = self.report
        return (f"<BatchSolver: {report.count} systems of {report.n} unknowns, {report.nnz} entries "
                f"each, form {report.form}, backend {report.backend}>")


def _side_by_side(b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy in which the vectors of one system follow those of another."""
    if b.ndim == 2:
        return np.array(b, order="C")
    return np.array(b.swapaxes(1, 2), order="C").swapaxes(1, 2)


def _values(values: Any, dtype: np.dtype[Any] | None,
            nnz: int) -> tuple[Any, str, tuple[int, int, int, bool]]:
    """The array, which must live while the extension reads it, NumPy's letter of its type, and
    (pointer, systems, stride, on a device).  Without a dtype it is the nearest of the four scalars."""
    on_device = _device.is_on_device(values)
    if on_device:
        values = _device.take_over(values)
        (pointer, shape, steps), letter = _device.describe(values, lay=_device.as_it_lies)
    else:
        values = _host_values(values, dtype)
        shape, letter = values.shape, values.dtype.char
    if dtype is not None and letter != dtype.char:
        raise Error(f"values are {letter!r}, but the batch is {dtype}")
    if letter not in _arrays.LETTERS:
        raise Error(f"values are float32, float64, complex64 or complex128, not {letter!r}")
    if len(shape) != 2 or shape[1] != nnz:
        raise Error(f"values have shape {tuple(shape)}; they need one row of {nnz} entries "
                    "for each system")
    if on_device:
        if not _rows_apart(shape, steps):
            raise Error("values on a device must be contiguous along each row")
        _device.wait_for(values)
    else:
        steps = [s // values.itemsize for s in values.strides]
        if not _rows_apart(shape, steps):
            values, steps = np.array(values, order="C"), [nnz, 1]
        pointer = values.ctypes.data
    return values, letter, (pointer, shape[0], max(steps[0], nnz), on_device)


def _host_values(values: Any, dtype: np.dtype[Any] | None) -> np.ndarray[Any, Any]:
    given: np.ndarray[Any, Any] = np.asarray(values)
    if dtype is None:
        dtype = np.promote_types(given.dtype, np.float32)
    elif not np.can_cast(given.dtype, dtype, "same_kind"):
        raise Error(f"values are {given.dtype}, but the batch is {dtype}")
    return given.astype(dtype, copy=False)


def _rows_apart(shape: Any, steps: Any) -> bool:
    """Whether rows are contiguous and do not overlap."""
    return bool((shape[1] <= 1 or steps[1] == 1) and (shape[0] <= 1 or steps[0] >= shape[1]))
