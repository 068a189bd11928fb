# bindings/python/echelon/_device.py -- arrays on a GPU: their memory, and the stream to solve in.
# SPDX-License-Identifier: BSD-3-Clause
"""CuPy and PyTorch are read by their own attributes, because a solve should cost few microseconds.
Other arrays (JAX, Numba) are taken over by CuPy or PyTorch through ``__dlpack__`` or
``__cuda_array_interface__``, which order the caller's stream after the work that makes them."""
from __future__ import annotations

import functools
import importlib
import math
import sys
from typing import Any

import numpy as np

from ._arrays import library_of
from ._error import Error

CUDA_DEVICES = (2, 13)  # kDLCUDA, kDLCUDAManaged
TORCH_LETTERS = {"float32": "f", "float64": "d", "complex64": "F", "complex128": "D"}


def is_on_device(a: Any) -> bool:
    if isinstance(a, np.ndarray):
        return False
    if library_of(a) == "torch":  # whose __dlpack_device__ takes as long as a small solve
        return bool(getattr(a, "is_cuda", False))
    if hasattr(a, "__dlpack_device__"):
        return a.__dlpack_device__()[0] in CUDA_DEVICES
    return hasattr(a, "__cuda_array_interface__")


def lay_out(pointer: int, shape: Any, steps: Any) -> tuple[int, int, int, int, bool]:
    """(pointer, n, count, leading, row_major); `steps` are strides counted in entries."""
    if len(shape) not in (1, 2):
        raise Error("a right-hand side has one or two axes")
    n, count = shape[0], shape[1] if len(shape) == 2 else 1
    if count == 1:
        if n > 1 and steps[0] != 1:
            raise Error("a vector on a device must be contiguous")
        return pointer, n, 1, n, False
    if steps[1] == 1 and (n <= 1 or steps[0] >= count):
        return pointer, n, count, max(steps[0], count), True
    if (steps[0] == 1 or n <= 1) and steps[1] >= n:
        return pointer, n, count, steps[1], False
    raise Error("an array on a device must be contiguous along one axis")


@functools.cache
def torch_letter(dtype: Any) -> str:
    name = str(dtype).removeprefix("torch.")
    return TORCH_LETTERS.get(name, name)


@functools.cache
def raw_stream() -> Any:
    """PyTorch's function of a device number, without the object that `current_stream` makes."""
    import torch
    try:
        return torch._C._cuda_getCurrentRawStream
    except AttributeError:
        return lambda device: torch.cuda.current_stream(device).cuda_stream


def as_it_lies(pointer: int, shape: Any, steps: Any) -> tuple[int, list[int], list[int]]:
    """(pointer, shape, steps) for the extension; `steps` are strides counted in entries."""
    return pointer, list(shape), list(steps)


def describe(a: Any, write: bool = False, lay: Any = lay_out) -> tuple[Any, str]:
    """Where the vectors lie, as `lay` says it, and NumPy's letter of their type."""
    library = library_of(a)
    if library == "torch":
        if a.requires_grad:
            raise Error("this tensor requires grad: pass tensor.detach()")
        return lay(a.data_ptr(), a.shape, a.stride()), torch_letter(a.dtype)
    if library == "cupy":
        size = a.itemsize
        return lay(a.data.ptr, a.shape, [s // size for s in a.strides]), a.dtype.char
    face = a.__cuda_array_interface__
    pointer, read_only = face["data"]
    if write and read_only:
        raise Error("out is read-only")
    shape, kind = face["shape"], np.dtype(face["typestr"])
    strides = face.get("strides")
    if strides is None:
        strides = [kind.itemsize * math.prod(shape[k + 1:]) for k in range(len(shape))]
    if any(s % kind.itemsize for s in strides):
        raise Error("the strides of an array on a device must be multiples of its entries")
    return lay(pointer, shape, [s // kind.itemsize for s in strides]), kind.char


def take_over(a: Any) -> Any:
    """An array of CuPy or PyTorch on the same memory, in order with the stream of that library."""
    if library_of(a) in ("cupy", "torch"):
        return a
    for name in ("cupy", "torch"):
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        if hasattr(a, "__dlpack__"):
            return library.from_dlpack(a)
        return library.asarray(a) if name == "cupy" else library.as_tensor(a, device="cuda")
    if not hasattr(a, "__cuda_array_interface__"):
        raise Error("this array on a device needs CuPy or PyTorch beside Echelon")
    return a


def empty_like(a: Any) -> Any:
    """Uninitialized memory of the library of `a`."""
    library = library_of(a)
    if library not in ("cupy", "torch"):
        raise Error("pass out=: without CuPy or PyTorch there is no memory for the result")
    return sys.modules[library].empty_like(a)


def give_back(x: Any, b: Any) -> Any:
    """The result for a caller who gave b."""
    if library_of(b).startswith("jax"):
        import jax.dlpack
        return jax.dlpack.from_dlpack(x)
    return x


def current_stream(a: Any) -> int:
    """The stream that work on `a` is in order with: the current one of its library."""
    library = library_of(a)
    if library == "cupy":
        import cupy
        return int(cupy.cuda.get_current_stream().ptr)
    if library == "torch":
        return int(raw_stream()(a.get_device()))
    return int(a.__cuda_array_interface__.get("stream") or 0)


def order_stream(stream: Any, *arrays: Any) -> int:
    """The handle of the caller's stream, which is made to wait for the work that makes the arrays."""
    handle = stream
    for attribute in ("cuda_stream", "ptr", "handle"):  # PyTorch, CuPy, Numba and cuda.core
        handle = getattr(stream, attribute, handle)
    handle = int(handle)
    for a in arrays:
        if hasattr(a, "__dlpack__"):
            a.__dlpack__(stream=handle if handle != 0 else 1)  # 1 is the legacy default stream
    return handle


def wait_for(a: Any) -> None:
    """Until the work that makes `a`, of CuPy or PyTorch, is done."""
    library = library_of(a)
    if library == "cupy":
        import cupy
        cupy.cuda.get_current_stream().synchronize()
    elif library == "torch":
        import torch
        torch.cuda.current_stream(a.device).synchronize()
    elif a.__cuda_array_interface__.get("stream"):
        raise Error("this array is made in a stream, and waiting for it needs CuPy or PyTorch")


def solve(run: Any, b: Any, out: Any, letter: str, stream: Any, lay: Any = lay_out) -> Any:
    """run(b, x, stream) with descriptions of b and of the result."""
    given = b
    b = take_over(b)
    x = empty_like(b) if out is None else out
    here, found = describe(b, lay=lay)
    there, written = describe(x, write=True, lay=lay)
    if found != letter or written != letter:
        raise Error(f"arrays on a device must be {np.dtype(letter)}, as the matrix is; "
                    f"they are {found!r} and {written!r}")
    run(here, there, current_stream(b) if stream is None else order_stream(stream, b, x))
    return give_back(x, given) if out is None else out
