# tests/python/test_arrays.py -- arrays of other libraries: what is read of them, and where we solve.
# SPDX-License-Identifier: BSD-3-Clause
"""There need not be a GPU: stand-ins offer the protocols of arrays on a device, and what the package
reads of them is checked.  tests/python/test_device.py solves on a real one."""
import numpy as np
import pytest
import scipy.sparse as sp

import echelon
from echelon import _arrays, _device

LOWER = sp.tril(echelon.generate("laplace2d:6"), format="csr")


class OnDevice:
    """What the CUDA array interface asks for, version 3."""

    def __init__(self, shape, typestr="<f8", strides=None, pointer=4096, read_only=False,
                 stream=None):
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (pointer, read_only), "version": 3,
            "strides": strides, "stream": stream}


class Exporter(OnDevice):
    """The same with DLPack; notes the stream that a consumer asks for."""

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        self.asked = stream


@pytest.mark.parametrize("shape, strides, found", [
    ((36,), None, (4096, 36, 1, 36, False)),
    ((36, 1), None, (4096, 36, 1, 36, False)),
    ((36, 4), None, (4096, 36, 4, 4, True)),
    ((36, 4), (64, 8), (4096, 36, 4, 8, True)),  # four columns of eight
    ((36, 4), (8, 36 * 8), (4096, 36, 4, 36, False)),
    ((36, 4), (8, 400), (4096, 36, 4, 50, False)),
    ((1, 4), None, (4096, 1, 4, 4, True)),
])
def test_vectors_on_a_device_are_read_in_place(shape, strides, found):
    assert _device.describe(OnDevice(shape, strides=strides)) == (found, "d")


@pytest.mark.parametrize("shape, strides, text", [
    ((36,), (16,), "contiguous"), ((36, 4), (128, 16), "contiguous along one axis"),
    ((2, 2, 2), None, "one or two axes"), ((36,), (-8,), "contiguous"), ((36,), (9,), "multiples"),
])
def test_other_layouts_on_a_device_are_refused(shape, strides, text):
    with pytest.raises(echelon.Error, match=text):
        _device.describe(OnDevice(shape, strides=strides))


@pytest.mark.parametrize("typestr, letter", [("<f4", "f"), ("<c8", "F"), ("<c16", "D")])
def test_types_on_a_device(typestr, letter):
    assert _device.describe(OnDevice((5,), typestr))[1] == letter


def test_a_read_only_result_is_refused():
    with pytest.raises(echelon.Error, match="read-only"):
        _device.describe(OnDevice((5,), read_only=True), write=True)


def test_the_stream_is_the_producers_or_the_callers():
    assert _device.current_stream(OnDevice((5,))) == 0
    assert _device.current_stream(OnDevice((5,), stream=77)) == 77
    array = Exporter((5,))
    for stream, handle, asked in ((0, 0, 1), (2, 2, 2), (1234, 1234, 1234)):
        assert _device.order_stream(stream, array) == handle
        assert array.asked == asked

    class Stream:
        ptr = 99
    assert _device.order_stream(Stream(), array) == 99 and array.asked == 99


def test_what_is_on_a_device():
    assert _device.is_on_device(OnDevice((5,))) and _device.is_on_device(Exporter((5,)))
    assert not _device.is_on_device(np.ones(5)) and not _device.is_on_device([1.0])


def test_descriptions_reach_the_solver():
    calls = []
    b, x = OnDevice((36,), stream=5), OnDevice((36,), pointer=8192)
    assert _device.solve(lambda *a: calls.append(a), b, x, "d", None) is x
    assert calls == [((4096, 36, 1, 36, False), (8192, 36, 1, 36, False), 5)]
    with pytest.raises(echelon.Error, match="must be float32"):
        _device.solve(lambda *a: calls.append(a), b, x, "f", None)


def test_a_solver_on_the_cpu_refuses_memory_of_a_device():
    b, x = OnDevice((36,)), OnDevice((36,), pointer=8192)
    for s in (echelon.Solver(LOWER), echelon.ic0(LOWER + sp.tril(LOWER, k=-1).T),
              echelon.GaussSeidel(LOWER)):
        with pytest.raises(echelon.Error, match="backend='cuda'"):
            s.solve(b, x)


def test_without_cupy_and_torch_a_result_is_needed():
    if not isinstance(_device.take_over(OnDevice((36,))), OnDevice):
        pytest.skip("CuPy or PyTorch is installed")
    with pytest.raises(echelon.Error, match="pass out="):
        echelon.Solver(LOWER).solve(OnDevice((36,)))


def test_cuda_is_missing_by_name_where_the_build_has_none():
    if echelon._core.has_cuda():
        pytest.skip("this build has CUDA")
    with pytest.raises(echelon.Error) as caught:
        echelon.Solver(LOWER, backend="cuda")
    assert caught.value.code == "backend_missing"


class Tensor:
    """An array on the host with DLPack and __array__, as a tensor of PyTorch on the CPU."""

    def __init__(self, a):
        self.a = a

    def __array__(self, dtype=None, copy=None):
        return self.a

    def __dlpack__(self, **how):
        return self.a.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()


def test_host_arrays_of_other_libraries_are_not_copied():
    b = np.ones(36)
    found, x = _arrays.host_vectors(Tensor(b), None, b.dtype, 36)
    assert np.shares_memory(found, b)
    np.testing.assert_allclose(LOWER @ echelon.Solver(LOWER).solve(Tensor(b)), b)
    Tensor.__module__ = "torch.fake"  # what shares its memory may also receive the result
    try:
        out = Tensor(np.empty(36))
        assert echelon.Solver(LOWER).solve(b, out) is out
    finally:
        Tensor.__module__ = __name__
    np.testing.assert_allclose(LOWER @ out.a, b)


class CupyMatrix:
    """cupyx.scipy.sparse: the arrays are on a device, get() copies to the host."""

    indptr = indices = data = None

    def __init__(self, a):
        self.a = a

    def get(self):
        return self.a


def test_matrices_of_cupy_are_copied_for_the_setup():
    solver = echelon.Solver(CupyMatrix(LOWER))
    np.testing.assert_allclose(LOWER @ solver.solve(np.ones(36)), 1)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.csc_matrix,
                                  sp.coo_array, sp.bsr_array, sp.dia_array])
def test_matrices_of_every_kind(index, kind):
    a = kind(LOWER)
    if hasattr(a, "indptr"):
        a.indptr, a.indices = a.indptr.astype(index), a.indices.astype(index)
    b = np.arange(36.0)
    np.testing.assert_allclose(LOWER @ echelon.Solver(a).solve(b), b, atol=1e-12)
    np.testing.assert_allclose(LOWER @ echelon.Solver(LOWER.toarray()).solve(b), b, atol=1e-12)


def test_a_view_with_longer_arrays_than_its_starts_say():
    a = sp.csr_array(LOWER)
    a.indices, a.data = np.append(a.indices, [7, 7]), np.append(a.data, [9.0, 9.0])
    np.testing.assert_allclose(LOWER @ echelon.Solver(a).solve(np.ones(36)), 1)
    np.testing.assert_allclose(LOWER @ echelon.spsolve_triangular(a, np.ones(36)), 1)
