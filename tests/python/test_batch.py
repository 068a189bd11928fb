# tests/python/test_batch.py -- BatchSolver from Python: every system against SciPy, failures by number.
# SPDX-License-Identifier: BSD-3-Clause
import threading

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import echelon

PATTERN = sp.tril(echelon.generate("laplace2d:6"), format="csr")
N, NNZ, COUNT = PATTERN.shape[0], PATTERN.nnz, 11


def values_of(count=COUNT, dtype=np.float64, seed=1):
    """Random triangles with a diagonal that is not small."""
    rng = np.random.default_rng(seed)
    values = rng.random((count, NNZ)) - 0.5
    if np.issubdtype(dtype, np.complexfloating):
        values = values + 1j * rng.random((count, NNZ))
    values[:, PATTERN.indptr[1:] - 1] += 3
    return values.astype(dtype)


def system(values, k, pattern=PATTERN):
    return type(pattern)((values[k], pattern.indices, pattern.indptr), pattern.shape)


def right(sides=None, dtype=np.float64, seed=2, count=COUNT):
    rng = np.random.default_rng(seed)
    shape = (count, N) if sides is None else (count, N, sides)
    b = rng.random(shape)
    return (b + 1j * rng.random(shape) if np.issubdtype(dtype, np.complexfloating) else b).astype(dtype)


def expected(values, b, op="n", unit=False):
    """Each system by SciPy."""
    x = np.empty_like(b)
    for k in range(len(values)):
        m = system(values, k)
        if unit:
            m = sp.csr_array(sp.tril(m, k=-1) + sp.eye_array(N, dtype=values.dtype))
        m = {"n": m, "t": m.T, "h": m.conj().T}[op].tocsr()
        x[k] = sla.spsolve_triangular(m, b[k], lower=op == "n")
    return x


def check(x, want):
    tolerance = 2e-4 if want.dtype.char in "fF" else 1e-11
    assert x.dtype == want.dtype and x.shape == want.shape
    np.testing.assert_allclose(x, want, rtol=tolerance, atol=tolerance * np.abs(want).max())


@pytest.mark.parametrize("form", ["interleaved", "separate"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
def test_every_system_is_scipys(dtype, form):
    values = values_of(dtype=dtype)
    many = echelon.BatchSolver(PATTERN, values, form=form, cpu={"threads": 2})
    assert many.dtype == dtype and many.shape == (COUNT, N, N) and many.report.form == form
    for op in "nth":
        for sides in (None, 1, 3):
            b = right(sides, dtype)
            check(many.solve(b, op=op), expected(values, b, op))
    b = right(None, dtype)
    check(many.solve(b, alpha=0.5), expected(values, b) / dtype(2))
    assert many.failed.size == 0
    many.check()


@pytest.mark.parametrize("sides", [None, 1, 3])
def test_any_memory_order_is_taken(sides):
    values, plain = values_of(), right(sides)
    many, want = echelon.BatchSolver(PATTERN, values), expected(values_of(), plain)

    def strided(shape):
        return np.full([2 * s for s in shape], np.nan)[tuple(slice(None, None, 2) for _ in shape)]

    def reordered(axes):
        return np.empty([plain.shape[a] for a in axes]).transpose(np.argsort(axes))
    orders = [(0, 1), (1, 0)] if sides is None else [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0)]
    places = [strided(plain.shape), *map(reordered, orders)]
    for b in places:
        b[...] = plain
        kept = b.copy()
        check(many.solve(b), want)
        np.testing.assert_array_equal(b, kept)
        for place in places:
            out = place.copy(order="K") if place is b else place
            out[...] = -1
            if place is not b:
                b[...] = plain
            assert many.solve(b, out) is out
            check(out, want)
    for b in places:  # in place
        b[...] = plain
        assert many.solve(b, out=b) is b
        check(b, want)


def test_vectors_that_need_no_copy_are_solved_where_they_lie():
    many = echelon.BatchSolver(PATTERN, values_of())
    for b in (right(), right(3).swapaxes(1, 2).copy().swapaxes(1, 2), np.asfortranarray(right())):
        assert many._core.solve(b, np.empty_like(b), 1, "n", 0)
    b = right(3)
    assert not many._core.solve(b, np.empty_like(b), 1, "n", 0)  # and Python copies


def test_patterns_by_columns_upper_transposed_and_unit():
    values, b = values_of(), right()
    order = sp.csr_array((np.arange(NNZ), PATTERN.indices, PATTERN.indptr), PATTERN.shape).tocsc()
    columns = sp.csc_array(PATTERN)
    check(echelon.BatchSolver(columns, values[:, order.data]).solve(b), expected(values, b))
    upper = sp.csc_array((np.ones(NNZ), PATTERN.indices, PATTERN.indptr), PATTERN.shape)
    check(echelon.BatchSolver(upper, values, lower=False).solve(b), expected(values, b, "t"))
    check(echelon.BatchSolver(PATTERN, values, op="t").solve(b), expected(values, b, "t"))
    unit = echelon.BatchSolver(PATTERN, values, unit_diagonal=True)
    check(unit.solve(b), expected(values, b, unit=True))
    whole = echelon.generate("laplace2d:6").tocsr()
    with pytest.raises(echelon.Error) as caught:
        echelon.BatchSolver(whole, np.ones((2, whole.nnz)))
    assert caught.value.code == "not_triangular"
    lower = echelon.BatchSolver(whole, np.tile(whole.data, (COUNT, 1)), outside="ignore")
    check(lower.solve(b), expected(np.tile(PATTERN.data, (COUNT, 1)), b))


def test_values_in_any_memory_order_and_of_any_number_type():
    values, b = values_of(), right()
    want = expected(values, b)
    gaps = np.full((COUNT, NNZ + 5), np.nan)
    gaps[:, :NNZ] = values
    for v in (gaps[:, :NNZ], np.asfortranarray(values), values[::-1].copy()[::-1], values.tolist()):
        many = echelon.BatchSolver(PATTERN, v)
        check(many.solve(b), want)
        many.update(2 * values)
        check(many.solve(b), want / 2)
        many.update(v)
        check(many.solve(b), want)
    same = echelon.BatchSolver(PATTERN, np.broadcast_to(values[0], (COUNT, NNZ)))
    check(same.solve(b), expected(np.tile(values[0], (COUNT, 1)), b))
    whole = echelon.BatchSolver(PATTERN, np.ones((2, NNZ), np.int64))
    assert whole.dtype == np.float64
    whole.update(np.full((2, NNZ), 2, np.int32))
    check(whole.solve(b[:2]), expected(np.full((2, NNZ), 2.0), b[:2]))
    assert echelon.BatchSolver(PATTERN, values.astype(np.float16)).dtype == np.float32


@pytest.mark.parametrize("form", ["interleaved", "separate"])
def test_singular_systems_are_named_and_stop_no_other(form):
    values, b = values_of(), right(2)
    broken = values.copy()
    broken[4, PATTERN.indptr[8] - 1] = 0
    broken[7, 3] = np.inf
    many = echelon.BatchSolver(PATTERN, broken, form=form)
    assert many.failed.tolist() == [4, 7] and many.report.refused == 2
    b[9, 5, 1] = np.nan
    x = many.solve(b)
    assert many.failed.tolist() == [4, 7, 9] and np.isnan(x[[4, 7]]).all()
    fine = [0, 1, 2, 3, 5, 6, 8, 10]
    check(x[fine], expected(values[fine], b[fine]))
    with pytest.raises(echelon.Error, match="system 4 has a zero on its diagonal; 2 other") as caught:
        many.check()
    assert caught.value.code == "zero_diagonal"
    b = right(2)
    many.update(values)
    check(many.solve(b), expected(values, b))
    assert many.failed.tolist() == [] and many.report.refused == 0
    many.check()


def test_empty_batches_and_systems():
    empty = echelon.BatchSolver(PATTERN, np.empty((0, NNZ)))
    assert empty.solve(np.empty((0, N, 2))).shape == (0, N, 2) and empty.failed.size == 0
    none = echelon.BatchSolver(sp.csr_array((0, 0)), np.empty((3, 0)))
    assert none.solve(np.empty((3, 0))).shape == (3, 0)
    many = echelon.BatchSolver(PATTERN, values_of())
    assert many.solve(np.empty((COUNT, N, 0))).shape == (COUNT, N, 0)
    one = echelon.BatchSolver(PATTERN, values_of(1))
    check(one.solve(right(3, count=1)), expected(values_of(1), right(3, count=1)))


def test_what_is_wrong_is_said():
    values, b = values_of(), right()
    make = echelon.BatchSolver
    for pattern in (PATTERN.toarray(), PATTERN.tocoo(), None):
        with pytest.raises(echelon.Error, match="CSR or CSC"):
            make(pattern, values)
    for wrong in (values[0], values[:, :-1], values[:, :, None]):
        with pytest.raises(echelon.Error, match=f"one row of {NNZ} entries"):
            make(PATTERN, wrong)
    with pytest.raises(echelon.Error, match="float32, float64"):
        make(PATTERN, values.astype(object))
    with pytest.raises(echelon.Error, match="form is"):
        make(PATTERN, values, form="mixed")
    with pytest.raises(echelon.Error, match="width"):
        make(PATTERN, values, width=-1)
    with pytest.raises(echelon.Error, match="thread"):
        make(PATTERN, values, cpu={"treads": 1})
    many = make(PATTERN, values)
    for shape in ((N,), (COUNT, N - 1), (COUNT + 1, N), (2 * COUNT, N), (N, COUNT), (COUNT, N, 1, 1)):
        with pytest.raises(echelon.Error, match="b has shape"):
            many.solve(np.ones(shape))
    with pytest.raises(echelon.Error, match="b is complex128"):
        many.solve(b.astype(complex))
    for out in (b[:, :-1].copy(), b.astype(np.float32), b.tolist()):
        with pytest.raises(echelon.Error, match="out must be"):
            many.solve(b, out)
    for wrong, text in ((values[:-1], "10 systems for a batch of 11"), (values[:, :-1], "entries"),
                        (values.astype(complex), "values are complex128")):
        with pytest.raises(echelon.Error, match=text):
            many.update(wrong)
    with pytest.raises(echelon.Error, match="op is"):
        many.solve(b, op="x")
    check(many.solve(b), expected(values, b))  # and none of it left a trace


def test_reports_print_and_show_as_a_table():
    many = echelon.BatchSolver(PATTERN, values_of(), cpu={"threads": 2})
    report = many.report
    assert isinstance(report, echelon.BatchReport)
    assert (report.n, report.nnz, report.count, report.threads) == (N, NNZ, COUNT, 2)
    assert report.form == "interleaved" and report.reason in str(report)
    assert report.bytes >= 8 * NNZ * COUNT and report.to_dict()["count"] == COUNT
    assert f"<th>count</th><td>{COUNT}</td>" in report._repr_html_()
    assert repr(many).startswith(f"<BatchSolver: {COUNT} systems of {N} unknowns")


def test_threads_share_a_batch_and_updates_wait():
    values, b, bad = values_of(), right(), []
    many, want = echelon.BatchSolver(PATTERN, values, cpu={"threads": 2}), expected(values_of(), b)

    def work():
        for _ in range(100):
            x = many.solve(b)
            if not (np.allclose(x, want) or np.allclose(2 * x, want)):
                bad.append(x)
    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]
    for k in range(40):
        many.update(values * (1.0 + k % 2))
    [t.join() for t in threads]
    assert not bad and many.failed.size == 0
