# tests/python/test_solvers.py -- Solver, DirectSolver, GaussSeidel from Python, and their errors.
# SPDX-License-Identifier: BSD-3-Clause
import doctest
import importlib
import pickle
import threading

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import echelon

LAPLACE = echelon.generate("laplace2d:30")
N = LAPLACE.shape[0]
LOWER = sp.tril(LAPLACE, format="csr")
B = np.random.default_rng(3).random((N, 3))


@pytest.mark.parametrize("module", ["", "._base", "._batch", "._direct", "._error", "._lu", "._recipe", "._report",
                                    "._smoother", "._solver", "._triangular"])
def test_examples_of_docstrings(module):
    result = doctest.testmod(importlib.import_module("echelon" + module))
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.parametrize("method", ["serial", "level_row", "superstep", "tree"])
def test_solver_solves_with_every_op(method):
    solver = echelon.Solver(LOWER, method=method, cpu={"threads": 2})
    assert solver.report.method == method
    for op, m in (("n", LOWER), ("t", LOWER.T)):
        np.testing.assert_allclose(m @ solver.solve(B, op=op, alpha=2.0), 2 * B, atol=1e-10)
    out = np.empty(N)
    assert solver.solve(B[:, 1], out) is out
    np.testing.assert_allclose(LOWER @ out, B[:, 1])
    solver.update(LOWER * 2.0)
    np.testing.assert_allclose(LOWER @ solver.solve(B[:, 0]), B[:, 0] / 2)


def test_options_have_the_names_of_cpp():
    assert echelon.Solver(LOWER, **{"cpu.threads": 1}).report.threads == 1
    with pytest.raises(echelon.Error, match="thread") as caught:
        echelon.Solver(LOWER, cpu={"treads": 1})
    assert caught.value.code == "bad_argument"
    with pytest.raises(echelon.Error, match="op is"):
        echelon.Solver(LOWER).solve(B, op="x")


def test_a_choice_is_timed_unless_told_not_to():
    a = echelon.generate("laplace2d:120")
    assert "timed at setup" in echelon.DirectSolver(a, "ilu0").report.reason
    quiet = echelon.DirectSolver(a, "ilu0", measure=False, supernode={"level_work": 1000.0}).report
    assert "timed" not in quiet.reason and quiet.upper_method
    assert quiet.lower.cut == 0
    with pytest.raises(echelon.Error, match="supernode.level_work must be"):
        echelon.DirectSolver(a, "ilu0", supernode={"level_work": -1.0})


def test_errors_have_code_and_row():
    broken = LOWER.copy()
    broken.data[broken.indptr[8] - 1] = 0
    with pytest.raises(echelon.Error) as caught:
        echelon.Solver(broken)
    assert (caught.value.code, caught.value.row) == ("zero_diagonal", 7)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.code, copy.row) == ("zero_diagonal", 7)
    solver = echelon.Solver(LOWER)
    for b in (np.ones(3), np.ones((N, 1, 1)), np.ones(N, complex)):
        with pytest.raises(echelon.Error):
            solver.solve(b)
    for out in (np.empty(3), np.empty(N, np.float32), [0.0] * N):
        with pytest.raises(echelon.Error, match="out"):
            solver.solve(np.ones(N), out)
    with pytest.raises(echelon.Error):
        solver.update(np.ones(3))
    with pytest.raises(echelon.Error, match="values"):
        solver.solve(np.ones(N))
    solver.update(LOWER)
    np.testing.assert_allclose(LOWER @ solver.solve(np.ones(N)), 1)


def test_reports_print_and_show_as_a_table():
    report = echelon.Solver(LOWER).report
    assert report.n == N and report.nnz == LOWER.nnz and report.to_dict()["n"] == N
    assert report.reason in str(report)
    assert isinstance(report, echelon.SolverReport) and f"n={N}" in repr(report)
    with pytest.raises(AttributeError):
        report.n = 1
    direct, sweeps = echelon.ic0(LAPLACE).report, echelon.GaussSeidel(LAPLACE).report
    assert direct.kind == "IC(0)" and direct.package == "ic0"
    assert [t.n for t in sweeps.triangles] == [N, N] and sweeps.direction == "symmetric"
    tree = echelon.Solver(LOWER, method="tree").report
    assert tree.supernodes.count > 0
    assert "<th>supernodes.count</th>" in tree._repr_html_()
    for r in (report, direct, sweeps, tree):
        assert r._repr_html_().count("<tr>") == r._repr_html_().count("</tr>") > 8
    assert f"<th>n</th><td>{N}</td>" in report._repr_html_()


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_direct_solver_with_unsymmetric_pivots(dtype):
    rng = np.random.default_rng(5)
    a = (sp.random_array((80, 80), density=0.1, rng=rng) + sp.csr_array(np.eye(80)[::-1])).astype(dtype)
    if dtype == np.complex128:
        a = a * (2 - 1j)
    a = sp.csc_array(a)
    b = rng.random(80).astype(dtype)
    lu = sla.splu(a)
    for s in (echelon.DirectSolver(a), echelon.from_splu(lu), echelon.splu(a)):
        np.testing.assert_allclose(a @ s.solve(b), b, atol=1e-9)
        np.testing.assert_allclose(a.T @ s.solve(b, op="t"), b, atol=1e-9)
        np.testing.assert_allclose(a.conj().T @ s.solve(b, op="h"), b, atol=1e-9)
    np.testing.assert_allclose(a @ echelon.factorized(a)(b), b, atol=1e-9)
    s.update(2 * a)
    np.testing.assert_allclose(a @ s.solve(b), b / 2, atol=1e-9)


def test_preconditioners_help_conjugate_gradients():
    b, counts = np.ones(N), {}
    makers = {"none": None, "ic0": echelon.ic0(LAPLACE).as_preconditioner(),
              "ilu0": echelon.ilu0(LAPLACE).as_preconditioner(),
              "sweeps": echelon.GaussSeidel(LAPLACE).as_preconditioner()}
    for name, m in makers.items():
        counts[name] = 0

        def count(_):
            counts[name] += 1
        x, info = sla.cg(LAPLACE, b, M=m, rtol=1e-8, callback=count)
        assert info == 0
        np.testing.assert_allclose(LAPLACE @ x, b, atol=1e-5)
    assert all(counts[k] < 0.7 * counts["none"] for k in ("ic0", "ilu0", "sweeps")), counts


def test_splu_is_a_drop_in_for_scipys():
    rng = np.random.default_rng(6)
    a = sp.csc_array(sp.random_array((60, 60), density=0.1, rng=rng) + 3 * sp.eye_array(60))
    for dtype, how in ((float, {}), (complex, {"permc_spec": "NATURAL"}), (np.float32, {})):
        m = (a * (1 + 1j) if dtype is complex else a).astype(dtype)
        theirs, ours = sla.splu(m, **how), echelon.splu(m, **how, method="serial")
        b = rng.random((60, 2)).astype(dtype)
        for trans in "NTH":
            np.testing.assert_allclose(ours.solve(b, trans), theirs.solve(b, trans), rtol=2e-3,
                                       atol=1e-4)
        assert ours.shape == theirs.shape and ours.nnz == theirs.nnz
        np.testing.assert_array_equal(ours.perm_c, theirs.perm_c)
        np.testing.assert_array_equal(ours.perm_r, theirs.perm_r)
        np.testing.assert_allclose((ours.L @ ours.U).toarray(), (theirs.L @ theirs.U).toarray())
    for wrong in (b[:-1], b[:, :, None], np.array(1, np.float32)):
        for lu in (theirs, ours):
            with pytest.raises(ValueError):
                lu.solve(wrong)
    for lu in (theirs, ours):
        with pytest.raises(TypeError, match="Cannot cast"):
            lu.solve(b.astype(np.complex128))
        with pytest.raises(ValueError, match="trans must be"):
            lu.solve(b, "X")
    with pytest.raises(RuntimeError, match="singular"):
        echelon.splu(sp.csc_array((3, 3)))


def test_spilu_is_taken_too():
    ilu = sla.spilu(sp.csc_array(LAPLACE), drop_tol=1e-2)
    np.testing.assert_allclose(echelon.from_splu(ilu).solve(B), ilu.solve(B), rtol=1e-9)


def test_parts_of_a_factorization_are_solved_alone():
    s = echelon.ilu0(LAPLACE)
    step = s.solve(s.solve(B, part="lower"), part="upper")
    np.testing.assert_allclose(step, s.solve(B, part="triangles"))
    np.testing.assert_allclose(step, s.solve(B))  # natural order, no scaling


def test_updates_factor_anew():
    for s in (echelon.ilu0(LAPLACE), echelon.DirectSolver(LAPLACE), echelon.ic0(LAPLACE)):
        x = s.solve(B)
        s.update(2 * LAPLACE)
        np.testing.assert_allclose(s.solve(B), x / 2)


class Factor:
    """What scikit-sparse documents of its Factor: A[p][:, p] = L D L^H."""

    def __init__(self, a, order):
        self.order = order
        dense = np.linalg.cholesky(a.toarray()[np.ix_(order, order)])
        self.root = np.diag(dense)
        self.unit = sp.csc_array(dense / self.root)

    def L_D(self):
        return self.unit, sp.dia_array(np.diag(np.abs(self.root) ** 2))

    def P(self):
        return self.order


@pytest.mark.parametrize("dtype", [float, complex])
def test_a_factor_with_the_interface_of_scikit_sparse(dtype):
    a = echelon.generate("laplace2d:7").astype(dtype)
    if dtype is complex:
        a = a + 0.3j * (sp.tril(a, k=-1) - sp.triu(a, k=1))
    order = np.random.default_rng(8).permutation(49)
    s, b = echelon.from_cholmod(Factor(a, order)), np.arange(49.0).astype(dtype)
    np.testing.assert_allclose(a @ s.solve(b), b, atol=1e-10)
    np.testing.assert_allclose(a.conj().T @ s.solve(b, op="h"), b, atol=1e-10)
    s.update(Factor(3 * a, order))
    np.testing.assert_allclose(a @ s.solve(b), b / 3, atol=1e-10)


def test_a_factor_of_scikit_sparse():
    cholmod = pytest.importorskip("sksparse.cholmod", reason="scikit-sparse is not installed")
    for mode in ("simplicial", "supernodal"):
        factor = cholmod.cholesky(sp.csc_matrix(LAPLACE), mode=mode)
        s = echelon.from_cholmod(factor)
        np.testing.assert_allclose(LAPLACE @ s.solve(B), B, atol=1e-9)


def test_pyamgs_relaxation_gives_the_same_iterates():
    x, b = np.random.default_rng(7).random(N), np.ones(N)
    for sweep in ("forward", "backward", "symmetric"):
        ours, want = x.copy(), x.copy()
        a = LAPLACE.toarray()
        for _ in range(2):
            for i in [*range(N)] * (sweep != "backward") + [*range(N)][::-1] * (sweep != "forward"):
                want[i] += (b[i] - a[i] @ want) / a[i, i]
        echelon.gauss_seidel(LAPLACE, ours, b, iterations=2, sweep=sweep)
        np.testing.assert_allclose(ours, want, rtol=1e-12)
    column = x.reshape(-1, 1).copy()  # pyamg's other shape; the analysis is kept, the values are new
    echelon.gauss_seidel(2 * LAPLACE, column, 2 * b, iterations=2, sweep="symmetric")
    np.testing.assert_allclose(column[:, 0], want, rtol=1e-12)
    with pytest.raises(echelon.Error, match="direction is"):
        echelon.gauss_seidel(LAPLACE, x, b, sweep="sideways")
    with pytest.raises(echelon.Error, match="x must be an array"):
        echelon.gauss_seidel(LAPLACE, list(x), b)


def test_pyamgs_own_function_agrees():
    relaxation = pytest.importorskip("pyamg.relaxation.relaxation", reason="pyamg is not installed")
    ours, b = np.random.default_rng(7).random(N), np.ones(N)
    theirs = ours.copy()
    relaxation.gauss_seidel(sp.csr_matrix(LAPLACE), theirs, b, iterations=3, sweep="symmetric")
    echelon.gauss_seidel(LAPLACE, ours, b, iterations=3, sweep="symmetric")
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_gauss_seidel_is_the_sweep_by_hand():
    a, b = LAPLACE, np.ones(N)
    x = np.random.default_rng(7).random(N)
    want = sla.spsolve_triangular(LOWER, b - sp.triu(a, k=1) @ x)
    echelon.gauss_seidel(a, x, b, iterations=1, sweep="forward")
    np.testing.assert_allclose(x, want)


@pytest.mark.skipif("cholmod" not in echelon._core.factor_packages(), reason="built without CHOLMOD")
def test_cholmod_where_the_build_has_it():
    for s in (echelon.cholesky(LAPLACE), echelon.ldl(LAPLACE)):
        np.testing.assert_allclose(LAPLACE @ s.solve(B), B, atol=1e-9)


def test_threads_share_a_solver_and_updates_wait():
    solver, bad = echelon.Solver(LOWER, cpu={"threads": 2}), []

    def work(k):
        b = B[:, k % 3].copy()
        for _ in range(100):
            r = LOWER @ solver.solve(b)
            if not (np.allclose(r, b) or np.allclose(2 * r, b)):
                bad.append(k)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    for k in range(40):
        solver.update(LOWER * (1.0 + k % 2))
    [t.join() for t in threads]
    assert not bad
