# tests/python/test_triangular.py -- spsolve_triangular against SciPy's: results, types, errors, cache.
# SPDX-License-Identifier: BSD-3-Clause
import os
import threading

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from scipy.linalg import LinAlgError

import echelon


def triangle(n, dtype=float, lower=True, fmt="csr", seed=1):
    rng = np.random.default_rng(seed)
    a = sp.random_array((n, n), density=min(1, 5 / n), rng=rng).astype(dtype)
    if np.dtype(dtype).kind == "c":
        a = a * (1 + 0.5j)
    a = (sp.tril if lower else sp.triu)(a, k=-1 if lower else 1) + 3 * sp.eye_array(n)
    return a.astype(dtype).asformat(fmt)


@pytest.fixture(autouse=True)
def empty_cache():
    echelon.cache_clear()
    echelon.cache_resize(8, 1 << 30)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("fmt", ["csr", "csc"])
@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128, np.int64])
@pytest.mark.parametrize("b_dtype", [np.float32, np.float64, np.int32, np.complex128])
def test_results_and_dtypes_are_scipys(lower, fmt, unit, dtype, b_dtype):
    a = triangle(60, dtype, lower, fmt)
    for shape in ((60,), (60, 1), (60, 7)):
        b = np.arange(np.prod(shape)).reshape(shape).astype(b_dtype)
        kept = b.copy()
        want = sla.spsolve_triangular(a, b, lower, unit_diagonal=unit)
        for _ in range(11):  # setup, sweeps, the plan, solves with the plan
            x = echelon.spsolve_triangular(a, b, lower, unit_diagonal=unit)
            assert x.dtype == want.dtype and x.shape == want.shape
            # SciPy divides by the diagonal in the precision of A.
            tolerance = 1e-4 if a.dtype.char in "fF" or x.dtype.char in "fF" else 1e-12
            np.testing.assert_allclose(x, want, rtol=tolerance, atol=tolerance * abs(want).max())
        np.testing.assert_array_equal(b, kept)


def test_layouts_of_b():
    a = triangle(40)
    wide = np.random.default_rng(2).random((40, 12))
    for b in (wide, np.asfortranarray(wide), wide[:, ::2], wide[:, 2:5], wide[::-1], wide[:, 3],
              wide[::-1, 0], wide[:, :0]):
        want = sla.spsolve_triangular(a, b) if b.size else np.empty_like(b)
        np.testing.assert_allclose(echelon.spsolve_triangular(a, b), want, rtol=1e-12)


def test_a_zero_on_the_diagonal_is_singular_unless_it_is_taken_as_one():
    for fmt in ("csr", "csc"):
        empty = sp.csr_array((5, 5)).asformat(fmt)
        for lower in (True, False):
            with pytest.raises(LinAlgError, match="singular"):
                echelon.spsolve_triangular(empty, np.arange(5), lower)
        a = sp.csr_array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0]]).asformat(fmt)
        x = echelon.spsolve_triangular(a, np.array([1.0, 2, 3]), unit_diagonal=True)
        np.testing.assert_allclose(x, [1, 1, 1])


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="square"):
        echelon.spsolve_triangular(sp.csr_array((3, 4)), np.ones(4))
    with pytest.raises(ValueError, match="size of the dimensions"):
        echelon.spsolve_triangular(sp.eye_array(3, format="csr"), np.ones(2))
    with pytest.raises(ValueError, match="1 or 2 dims"):
        echelon.spsolve_triangular(sp.eye_array(3, format="csr"), np.ones((3, 1, 1)))


def test_other_formats_warn_as_scipys():
    a = np.array([[1.0, 0], [1, 2]])
    for given in (a, sp.coo_array(a), sp.lil_array(a)):
        with pytest.warns(sp.SparseEfficiencyWarning, match="CSC or CSR"):
            x = echelon.spsolve_triangular(given, [2.0, 2.0])
        np.testing.assert_allclose(a @ x, [2, 2])


def test_entries_outside_are_refused_unless_they_are_zero():
    with pytest.raises(LinAlgError, match="not triangular"):
        echelon.spsolve_triangular(sp.csr_array([[1.0, 2], [0, 1]]), np.ones(2))
    a = sp.csr_array(([1.0, 0.0, 2.0], [0, 1, 1], [0, 2, 3]), shape=(2, 2))
    np.testing.assert_allclose(echelon.spsolve_triangular(a, np.array([1.0, 4])), [1, 2])


def test_duplicates_are_added_and_nan_is_scipys():
    a = sp.csr_array(([1.0, 1.0, 1.0, 4.0], [0, 0, 0, 1], [0, 2, 4]), shape=(2, 2))
    np.testing.assert_allclose(echelon.spsolve_triangular(a, np.array([2.0, 5.0])), [1, 1])
    a = sp.csr_array([[1.0, 0], [np.nan, 1]])
    assert np.isnan(echelon.spsolve_triangular(a, np.ones(2))[1])


def test_the_cache_counts_takes_new_values_and_sees_new_patterns():
    a, b = triangle(50), np.ones(50)
    for k in range(4):
        a.data *= 1.5
        np.testing.assert_allclose(echelon.spsolve_triangular(a, b), sla.spsolve_triangular(a, b))
    assert echelon.cache_info()[:4] == (3, 1, 8, 1)
    row = int(np.flatnonzero(np.diff(a.indptr) > 1)[-1])
    a.indices[a.indptr[row]] = next(c for c in range(row) if c not in a.indices[a.indptr[row]:a.indptr[row + 1]])
    fresh = sp.csr_array((a.data, a.indices, a.indptr), shape=a.shape)  # changed in place
    np.testing.assert_allclose(echelon.spsolve_triangular(a, b),
                               np.linalg.solve(fresh.toarray(), b))
    assert echelon.cache_info().misses == 2
    echelon.cache_resize(1)
    assert echelon.cache_info().currsize == 1
    echelon.cache_resize(0)
    echelon.spsolve_triangular(a, b)
    assert echelon.cache_info().currsize == 0


def test_the_cache_is_bounded_in_bytes_but_keeps_the_last_pattern():
    triangles = [triangle(400, seed=k) for k in range(3)]
    for a in triangles:
        echelon.spsolve_triangular(a, np.ones(400))
    info = echelon.cache_info()
    assert info.currsize == 3 and info.currbytes > sum(a.nnz * 8 for a in triangles)
    echelon.cache_resize(8, info.currbytes - 1)
    assert echelon.cache_info().currsize == 2
    echelon.cache_resize(8, 0)
    assert echelon.cache_info().currsize == 1
    echelon.spsolve_triangular(triangles[2], np.ones(400))
    assert echelon.cache_info().hits == 1
    with pytest.raises(ValueError):
        echelon.cache_resize(-1)


def test_threads_with_one_pattern_and_other_values():
    base, wrong = triangle(300), []

    def work(k):
        a = base * (k + 1.0)
        want = sla.spsolve_triangular(a, np.ones(300))
        for _ in range(50):
            if not np.allclose(echelon.spsolve_triangular(a, np.ones(300)), want):
                wrong.append(k)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_a_child_of_fork_solves():
    a, b = triangle(4000), np.ones(4000)
    want = sla.spsolve_triangular(a, b)
    solver = echelon.Solver(a, cpu={"threads": 2})
    for _ in range(12):
        echelon.spsolve_triangular(a, b)
        solver.solve(b)
    child = os.fork()
    if child == 0:
        good = all(np.allclose(f(), want) for f in
                   (lambda: echelon.spsolve_triangular(a, b), lambda: solver.solve(b)))
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_patch_puts_scipys_back():
    before = sla.spsolve_triangular
    with echelon.patch():
        assert sla.spsolve_triangular is echelon.spsolve_triangular
        assert type(sla.splu(sp.eye_array(3, format="csc"))) is echelon.SuperLU
    assert sla.spsolve_triangular is before
