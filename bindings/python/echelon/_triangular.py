# bindings/python/echelon/_triangular.py -- spsolve_triangular as SciPy's, with plans kept by pattern.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse.linalg as _linalg
from scipy import sparse
from scipy.linalg import LinAlgError

from . import _arrays, _core, _smoother
from ._error import Error


class CacheInfo(NamedTuple):
    """As `functools.lru_cache` gives it, and the bytes."""

    hits: int
    misses: int
    maxsize: int
    currsize: int
    maxbytes: int
    currbytes: int


_scipy = _linalg.spsolve_triangular
_patch_lock = threading.Lock()


def spsolve_triangular(A: Any, b: Any, lower: bool = True, overwrite_A: bool = False,
                       overwrite_b: bool = False, unit_diagonal: bool = False) -> Any:
    """Solve ``A x = b`` with a triangular A; arguments, results and errors are SciPy's.

    A solver is kept for each of the last patterns, found again by a fingerprint of the arrays; new
    values are taken up.  The first calls sweep with one thread; after eight there is a plan for all
    threads.  See `cache_info` and `cache_resize`.

    Parameters
    ----------
    A : (n, n) sparse array or matrix
        CSR or CSC; other formats are converted with a `SparseEfficiencyWarning`.
    b : (n,) or (n, k) array_like
    lower : bool
        Whether A is lower or upper triangular.
    overwrite_A : bool
        Not used: A is never changed.
    overwrite_b : bool
        Allow the result to be written to `b`.
    unit_diagonal : bool
        Take the diagonal as 1.

    Returns
    -------
    x : (n,) or (n, k) ndarray

    Raises
    ------
    LinAlgError
        If A is singular or not triangular.
    ValueError
        If the shapes do not fit.

    Notes
    -----
    A matrix with NaN or infinity, or of a type other than float32, float64, complex64 and
    complex128 after promotion, is given to SciPy.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, echelon
    >>> A = sp.csc_array([[3.0, 0, 0], [1, -1, 0], [2, 0, 1]])
    >>> B = np.array([[2.0, 0], [-1, 0], [2, 0]])
    >>> np.allclose(A @ echelon.spsolve_triangular(A, B), B)
    True
    """
    given = A
    if hasattr(A, "to_scipy_sparse"):
        A = A.to_scipy_sparse().tocsc()
    if not (sparse.issparse(A) and A.format in ("csr", "csc")):
        warnings.warn("CSC or CSR matrix format is required. Converting to CSC matrix.",
                      sparse.SparseEfficiencyWarning, stacklevel=2)
        A = sparse.csc_array(A)
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"A must be a square matrix but its shape is {A.shape}.")
    b = np.asanyarray(b)
    if b.ndim not in (1, 2):
        raise ValueError(f"b must have 1 or 2 dims but its shape is {b.shape}.")
    if A.shape[0] != b.shape[0]:
        raise ValueError("The size of the dimensions of A must be equal to the size of the first "
                         f"dimension of b but the shape of A is {A.shape} and the shape of b is "
                         f"{b.shape}.")
    dtype = np.promote_types(np.promote_types(A.dtype, np.float32), b.dtype)
    if dtype.char not in _arrays.LETTERS:
        return _scipy(given, b, lower, overwrite_A, overwrite_b, unit_diagonal)
    if A.dtype != dtype:
        A = A.astype(dtype)
    b = np.asarray(b)
    if b.dtype != dtype:
        b = b.astype(dtype)
        x = b
    else:
        x = b if overwrite_b and b.flags.writeable else np.empty_like(b)
    try:
        return _solve(A, b, x, bool(lower), bool(unit_diagonal))
    except Error as error:
        if error.code == "zero_diagonal":
            raise LinAlgError("A is singular: zero entry on diagonal.") from error
        if error.code == "not_finite":
            return _scipy(given, b, lower, overwrite_A, overwrite_b, unit_diagonal)
        if error.code != "not_triangular":
            raise
        inside = (sparse.tril if lower else sparse.triu)(A, format=A.format)
        if (A - inside).count_nonzero():
            raise LinAlgError(f"A is not triangular: {error}") from error
    return _solve(inside, b, x, bool(lower), bool(unit_diagonal))  # without its stored zeros


def _solve(A: Any, b: Any, x: Any, lower: bool, unit: bool) -> Any:
    run = getattr(_core, f"solve_cached_{A.dtype.char}")
    if run(_arrays.parts(A), lower, unit, b, x):
        return x
    copy = np.array(b, order="C")
    run(_arrays.parts(A), lower, unit, copy, copy)
    x[...] = copy
    return x


def cache_info() -> CacheInfo:
    """Hits, misses, the largest and the current number of patterns kept, and of bytes.

    Examples
    --------
    >>> import echelon
    >>> echelon.cache_clear()
    >>> echelon.cache_info().hits
    0
    """
    return CacheInfo(*_core.cache_info())


def cache_clear() -> None:
    """Forget all patterns and counts."""
    _core.cache_clear()
    _smoother.forget()


def cache_resize(patterns: int, maxbytes: int | None = None) -> None:
    """Keep at most so many patterns, those used last, of so many bytes together.

    Parameters
    ----------
    patterns : int
        0 keeps none: each call analyzes anew.  8 at the start.
    maxbytes : int, optional
        The pattern used last is kept whatever its size.  1 GiB at the start.
    """
    maxbytes = cache_info().maxbytes if maxbytes is None else maxbytes
    if patterns < 0 or maxbytes < 0:
        raise ValueError("the number of patterns and of bytes cannot be negative")
    _core.cache_resize(patterns, maxbytes)


@contextlib.contextmanager
def patch() -> Iterator[None]:
    """Within the block, `scipy.sparse.linalg.spsolve_triangular`, `factorized` and `splu` are
    Echelon's.

    Names that were imported before (``from scipy.sparse.linalg import ...``) stay SciPy's.

    Examples
    --------
    >>> import echelon, scipy.sparse.linalg
    >>> with echelon.patch():
    ...     scipy.sparse.linalg.splu is echelon.splu
    True
    """
    from ._lu import factorized, splu
    ours = {"spsolve_triangular": spsolve_triangular, "factorized": factorized, "splu": splu}
    with _patch_lock:
        before = {name: getattr(_linalg, name) for name in ours}
        for name, function in ours.items():
            setattr(_linalg, name, function)
    try:
        yield
    finally:
        with _patch_lock:
            for name, function in before.items():
                setattr(_linalg, name, function)
