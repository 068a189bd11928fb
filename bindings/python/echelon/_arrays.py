# bindings/python/echelon/_arrays.py -- matrices, options and host vectors as the extension takes them.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ._error import Error

LETTERS = "fdFD"


def settings(options: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Options as pairs of a path and a text: {"cpu": {"threads": 2}} is cpu.threads = 2."""
    pairs: list[tuple[str, str]] = []
    for name, value in options.items():
        if isinstance(value, dict):
            pairs += settings(value, f"{prefix}{name}.")
        else:
            text = str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)
            pairs.append((prefix + name, text))
    return pairs


def compressed(a: Any) -> Any:
    """A CSR or CSC matrix of one of the four scalars, with arrays of NumPy."""
    if hasattr(a, "get") and hasattr(a, "indptr"):  # CuPy: the setup reads the host
        a = a.get()
    if not sparse.issparse(a) or a.format not in ("csr", "csc"):
        a = sparse.csr_array(a)
    if a.ndim != 2:
        raise Error(f"a matrix has two axes, not {a.ndim}")
    if a.dtype.char not in LETTERS:
        a = a.astype(np.promote_types(a.dtype, np.float32))
    if a.dtype.char not in LETTERS:
        raise Error(f"values are float32, float64, complex64 or complex128, not {a.dtype}")
    return a


def parts(a: Any) -> tuple[Any, ...]:
    """The tuple that the extension reads."""
    contiguous = np.ascontiguousarray
    return (a.shape[0], a.shape[1], a.format == "csc", contiguous(a.indptr),
            contiguous(a.indices), contiguous(a.data))


def values_of(a: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Values for an update: an array, or a matrix of the same pattern."""
    if hasattr(a, "indptr"):
        a = a.data
    if hasattr(a, "get") and not isinstance(a, np.ndarray):
        a = a.get()
    return np.ascontiguousarray(a, dtype=dtype)


def library_of(a: Any) -> str:
    """"numpy", "torch", "cupy", "jax", ...: where the type of `a` comes from."""
    return type(a).__module__.partition(".")[0]


def host_vectors(b: Any, out: Any, dtype: np.dtype[Any], n: int) -> tuple[Any, Any]:
    """b and the array to solve into, both of this dtype and on the host."""
    b = np.asarray(b)
    if b.ndim not in (1, 2) or b.shape[0] != n:
        raise Error(f"b has shape {b.shape}; it needs {n} rows in one or two axes")
    return with_result(b, out, dtype)


def with_result(b: Any, out: Any, dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """b, an array of NumPy, in this dtype, and the array to solve into."""
    if b.dtype != dtype:
        if not np.can_cast(b.dtype, dtype, "same_kind"):
            raise Error(f"b is {b.dtype}, but the matrix is {dtype}; "
                        f"convert the matrix to {b.dtype}")
        b = b.astype(dtype)
    if out is None:
        return b, np.empty_like(b, subok=False)
    x = np.asarray(out) if library_of(out) == "torch" else out  # shares its memory
    if not isinstance(x, np.ndarray) or x.dtype != dtype or x.shape != b.shape:
        raise Error(f"out must be an array of {dtype} with shape {b.shape}")
    if not x.flags.writeable:
        raise Error("out is read-only")
    return b, x


def as_given(x: np.ndarray[Any, Any], b: Any) -> Any:
    """A host result as an array of the library that b is of."""
    if library_of(b) == "torch":
        import torch
        return torch.from_numpy(x)
    return x
