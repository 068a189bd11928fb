# tests/python/test_device.py -- solves of CuPy's, PyTorch's and JAX's arrays on a GPU.
# SPDX-License-Identifier: BSD-3-Clause
import time

import numpy as np
import pytest
import scipy.sparse as sp

import echelon

if not echelon._core.has_cuda():
    pytest.skip("this build has no CUDA", allow_module_level=True)
if echelon._core.count_devices() == 0:
    pytest.skip("there is no CUDA device", allow_module_level=True)

A = echelon.generate("laplace2d:100")
LOWER = sp.tril(A, format="csr")
N = LOWER.shape[0]
B = np.random.default_rng(1).random((N, 4))


def libraries():
    found = []
    for name in ("cupy", "torch"):
        try:
            __import__(name)
            found.append(name)
        except ImportError:
            pass
    return found


def put(name, a):
    if name == "cupy":
        import cupy
        return cupy.asarray(a)
    import torch
    return torch.from_numpy(np.ascontiguousarray(a)).cuda()


def take(a):
    return a.get() if hasattr(a, "get") else a.cpu().numpy()


LIBRARIES = libraries() or [pytest.param("none", marks=pytest.mark.skip(
    reason="neither CuPy nor PyTorch is installed"))]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_results_stay_on_the_device(library, dtype):
    m = LOWER.astype(dtype)
    solver = echelon.Solver(m, backend="cuda")
    tolerance = 1e-3 if dtype == np.float32 else 1e-9
    for right in (B[:, 0], B, B[:, :1]):
        b = put(library, right.astype(dtype))
        x = solver.solve(b)
        assert type(x) is type(b) and x.shape == b.shape
        np.testing.assert_allclose(m @ take(x), right, rtol=tolerance, atol=tolerance)
        solver.solve(b, b, op="t", alpha=2.0)  # in place
        np.testing.assert_allclose(m.T @ take(b), 2 * right, rtol=tolerance, atol=tolerance)
    solver.check()


@pytest.mark.parametrize("library", LIBRARIES)
def test_columns_and_slices_are_solved_in_place(library):
    solver = echelon.Solver(LOWER, backend="cuda")
    whole = put(library, B)
    for b in (whole[:, 1:3], put(library, B.T).T):
        np.testing.assert_allclose(LOWER @ take(solver.solve(b)), take(b), atol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_current_stream_orders_the_solve(library):
    solver = echelon.Solver(LOWER, backend="cuda")
    b = put(library, B[:, 0])
    solver.solve(b)
    if library == "cupy":
        import cupy
        scope, stream = cupy.cuda.Stream(non_blocking=True), None
        with scope:
            for _ in range(50):
                b = b * 1.0 + 1.0  # work before the solve, in this stream
            x = solver.solve(b)
            y = x + 0.0  # and after it
        scope.synchronize()
    else:
        import torch
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(50):
                b = b * 1.0 + 1.0
            x = solver.solve(b)
            y = x + 0.0
        stream.synchronize()
    np.testing.assert_allclose(LOWER @ take(y), B[:, 0] + 50, rtol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_stream_that_is_given_waits_for_the_array(library):
    solver = echelon.Solver(LOWER, backend="cuda")
    b = put(library, B[:, 0])
    if library == "cupy":
        import cupy
        stream = cupy.cuda.Stream(non_blocking=True)
    else:
        import torch
        stream = torch.cuda.Stream()
    for _ in range(50):
        b = b * 1.0 + 1.0  # in the default stream
    x = solver.solve(b, stream=stream)
    stream.synchronize()
    np.testing.assert_allclose(LOWER @ take(x), B[:, 0] + 50, rtol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_factorizations_and_sweeps(library):
    b = put(library, B[:, 0])
    direct = echelon.DirectSolver(A, backend="cuda")
    np.testing.assert_allclose(A @ take(direct.solve(b)), B[:, 0], atol=1e-8)
    smoother = echelon.GaussSeidel(A, backend="cuda")
    x = smoother.solve(b, sweeps=3)
    want = echelon.GaussSeidel(A).solve(B[:, 0], sweeps=3)
    np.testing.assert_allclose(take(x), want, rtol=1e-9)
    smoother.check()


@pytest.mark.parametrize("library", LIBRARIES)
def test_mistakes_are_named(library):
    solver = echelon.Solver(LOWER, backend="cuda")
    with pytest.raises(echelon.Error, match="must be float64"):
        solver.solve(put(library, B[:, 0].astype(np.float32)))
    with pytest.raises(echelon.Error):
        solver.solve(put(library, B[:5, 0]))
    with pytest.raises(echelon.Error, match="backend='cuda'"):
        echelon.Solver(LOWER).solve(put(library, B[:, 0]))
    np.testing.assert_allclose(LOWER @ solver.solve(B[:, 0]), B[:, 0], atol=1e-9)  # host arrays


@pytest.mark.parametrize("library", LIBRARIES)
def test_batches_stay_on_the_device(library):
    sizes = (1.0, 2.0, 4.0)
    values = np.array([size * LOWER.data for size in sizes])
    rights = np.stack([B[:, :2], B[:, 1:3], B[:, 2:]])  # (systems, n, k)
    for given in (values, put(library, values)):
        many = echelon.BatchSolver(LOWER, given, backend="cuda")
        b = put(library, rights[:, :, 0])
        x = many.solve(b)
        assert type(x) is type(b)
        several = put(library, rights.swapaxes(1, 2)).swapaxes(1, 2)
        many.solve(several, several, op="t")
        for k, size in enumerate(sizes):
            m = size * LOWER
            np.testing.assert_allclose(m @ take(x)[k], rights[k, :, 0], atol=1e-9)
            np.testing.assert_allclose(m.T @ take(several)[k], rights[k], atol=1e-9)
        assert many.failed.size == 0
        broken = given + 0.0
        broken[1, 0] = 0.0  # the first entry is a diagonal one
        many.update(broken)
        x = take(many.solve(b))
        assert many.failed.tolist() == [1] and np.isnan(x[1]).all() and np.isfinite(x[[0, 2]]).all()
        for wrong, text in ((put(library, rights), "contiguous"), (put(library, rights[0]), "b has shape"),
                            (put(library, rights[:, :, 0].astype(np.float32)), "must be float64")):
            with pytest.raises(echelon.Error, match=text):
                many.solve(wrong)
        with pytest.raises(echelon.Error, match="out must have"):
            many.solve(b, several)
    with pytest.raises(echelon.Error, match="backend='cuda'"):
        echelon.BatchSolver(LOWER, put(library, values))
    with pytest.raises(echelon.Error, match="backend='cuda'"):
        echelon.BatchSolver(LOWER, values).solve(b)


def test_matrices_of_cupy():
    cupy = pytest.importorskip("cupy")
    cupyx = pytest.importorskip("cupyx.scipy.sparse")
    solver = echelon.Solver(cupyx.csr_matrix(sp.csr_matrix(LOWER)), backend="cuda")
    np.testing.assert_allclose(LOWER @ solver.solve(cupy.asarray(B[:, 0])).get(), B[:, 0],
                               atol=1e-9)


def test_arrays_of_jax():
    jax = pytest.importorskip("jax")
    pytest.importorskip("cupy")
    b = jax.device_put(B[:, 0].astype(np.float32), jax.devices("gpu")[0])
    x = echelon.Solver(LOWER.astype(np.float32), backend="cuda").solve(b)
    assert isinstance(x, jax.Array)
    np.testing.assert_allclose(LOWER @ np.asarray(x), B[:, 0], rtol=1e-3, atol=1e-3)


class Bare:
    """Memory of the device with the CUDA array interface alone: no library is needed."""

    def __init__(self, pointer, shape):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "<f8", "strides": None,
                                         "data": (pointer, False), "version": 3}


def test_memory_of_no_library():
    import ctypes
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        pytest.skip("libcuda.so.1 is not found")
    solver = echelon.Solver(LOWER, backend="cuda")
    solver.solve(B[:, 0])  # makes the primary context
    device, context = ctypes.c_int(), ctypes.c_void_p()
    assert cuda.cuInit(0) == 0 and cuda.cuDeviceGet(ctypes.byref(device), 0) == 0
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device) == 0
    assert cuda.cuCtxSetCurrent(context) == 0
    size, memory = ctypes.c_size_t(8 * N), []
    for _ in range(2):
        p = ctypes.c_uint64()
        assert cuda.cuMemAlloc_v2(ctypes.byref(p), size) == 0
        memory.append(p)
    right, x = np.ascontiguousarray(B[:, 0]), np.empty(N)
    host = ctypes.c_void_p
    assert cuda.cuMemcpyHtoD_v2(memory[0], host(right.ctypes.data), size) == 0
    b, out = (Bare(p.value, (N,)) for p in memory)
    try:
        __import__("cupy")
        wrapped = False
    except ImportError:
        wrapped = True
    if wrapped:
        assert solver.solve(b, out) is out
        assert cuda.cuCtxSynchronize() == 0
        assert cuda.cuMemcpyDtoH_v2(host(x.ctypes.data), memory[1], size) == 0
        np.testing.assert_allclose(LOWER @ x, right, atol=1e-9)
    seconds = []
    for _ in range(2000):
        began = time.perf_counter()
        solver._core.solve_device(*(_describe(a) for a in (b, out)), 1.0, "full", "n", 0)
        seconds.append(time.perf_counter() - began)
    assert cuda.cuCtxSynchronize() == 0
    print(f"a call with a device array returns after {1e6 * np.median(seconds):.1f} us")
    for p in memory:
        cuda.cuMemFree_v2(p)


def _describe(a):
    from echelon import _device
    return _device.describe(a)[0]
