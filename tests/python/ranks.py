# tests/python/ranks.py -- what every rank of test_mpi.py runs, under python -m mpi4py.
# SPDX-License-Identifier: BSD-3-Clause
import gc

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from mpi4py import MPI

import echelon

COMM = MPI.COMM_WORLD
ROOT = COMM.rank == 0
A = echelon.generate("laplace2d:25")
A = (A + sp.diags_array(np.linspace(0, 1, A.shape[0]))).tocsr()
N = A.shape[0]
B = np.random.default_rng(5).random((N, 3))


def solves(m, x, b):
    """Componentwise backward error of m x = b, within 200 eps."""
    error = np.abs(b - m @ x) / (abs(m) @ np.abs(x) + np.abs(b))
    assert error.max() < 200 * np.finfo(x.dtype).eps, error.max()


def mine(value):
    return value if ROOT else None


def refused(call, text, code="bad_argument"):
    """The same error on all ranks."""
    try:
        call()
    except echelon.Error as error:
        assert text in str(error) and error.code == code, (error.code, str(error))
        return
    raise AssertionError(f"no error on rank {COMM.rank}: expected '{text}'")


def vectors_on_rank_0(package):
    solver = echelon.MpiSolver(mine(A), package=package)
    assert solver.shape == (N, N) and solver.dtype == np.float64
    assert solver.rows == ((0, N) if ROOT else (0, 0)) or solver.rows[0] == solver.rows[1]
    for b in (B[:, 0], B, np.asfortranarray(B), B[:, ::2], B[::-1]):
        x = solver.solve(mine(b))
        assert (x is None) == (not ROOT)
        if ROOT:
            assert x.shape == b.shape
            solves(A, x, b)
    out = np.empty(N)
    x = solver.solve(mine(B[:, 1]), mine(out), op="t", alpha=2.0)
    if ROOT:
        assert x is out
        solves(A.T, x, 2 * B[:, 1])
    solver.update(mine(2 * A))
    x = solver.solve(mine(B[:, 0]))
    if ROOT:
        solves(2 * A, x, B[:, 0])
    solver.close()
    refused(lambda: solver.solve(mine(B)), "closed")


def vectors_in_ranges():
    lu = sla.splu(A.tocsc())
    with echelon.MpiSolver(mine(lu), ranks={"vectors": "ranges"}, engine="counter") as solver:
        begin, end = solver.rows
        assert COMM.allreduce(end - begin) == N and begin == N * COMM.rank // COMM.size
        x = np.concatenate(COMM.allgather(solver.solve(B[begin:end])))
        solves(A, x, B)
        assert solver.report.ranks == COMM.size and solver.report.engine == "counter"
        again = solver.collect_report()
        assert again.solves > 0 and again.n == N
        assert not ROOT or again.nnz == lu.L.nnz + lu.U.nnz
        if ROOT:
            assert "counter" in str(again) and "<table" in again._repr_html_()
        refused(lambda: solver.solve(B[begin:end] if COMM.rank < COMM.size - 1 else B[:1]),
                f"rank {COMM.size - 1} has")
        if COMM.size > 1:
            k = 2 if ROOT else 3
            refused(lambda: solver.solve(B[begin:end, :k]), "2 to 3")
        x = solver.solve(B[begin:end, 0])  # works after refusals
        solves(A, np.concatenate(COMM.allgather(x)), B[:, 0])


def other_scalars():
    for dtype in (np.float32, np.complex64, np.complex128):
        m = A.astype(dtype)
        if np.dtype(dtype).kind == "c":
            m = (m + 1j * sp.eye_array(N, dtype=dtype, format="csr")).astype(dtype)
        x = echelon.MpiSolver(mine(m), package="scipy").solve(mine(B))
        if ROOT:
            assert x.dtype == dtype
            solves(m, x, B.astype(dtype))


def a_part_of_the_communicator():
    half = COMM.Split(COMM.rank % 2)
    x = echelon.MpiSolver(A if half.rank == 0 else None, half).solve(B if half.rank == 0 else None)
    if half.rank == 0:
        solves(A, x, B)
    gc.collect()
    half.Free()


def errors():
    refused(lambda: echelon.MpiSolver(None), "rank 0 gives the matrix")
    refused(lambda: echelon.MpiSolver(mine(A), ranks={"vectorz": "root"}), "ranks.vectors")
    refused(lambda: echelon.MpiSolver(mine(A), package="nothing"), "nothing")
    refused(lambda: echelon.MpiSolver(mine(A), comm=3), "mpi4py communicator")
    indefinite = sp.diags_array(np.where(np.arange(9) == 4, -1.0, 1.0)).tocsr()
    refused(lambda: echelon.MpiSolver(mine(indefinite), package="cholmod"), "column 4",
            "not_positive_definite")
    if COMM.size > 1:
        refused(lambda: echelon.MpiSolver(A), "only rank 0")
    solver = echelon.MpiSolver(mine(A))
    refused(lambda: solver.solve(mine(B[1:])), "shape")
    refused(lambda: solver.solve(mine(B + 1j)), "complex128")
    refused(lambda: solver.update(mine(A[:4, :4])), "shape")
    try:
        echelon.Solver(sp.csr_array((2, 2)))
    except echelon.Error as error:  # of the other extension
        assert error.code == "zero_diagonal"


for package in sorted({"superlu", "cholmod"} & set(echelon._core.factor_packages())) + ["scipy"]:
    vectors_on_rank_0(package)
vectors_in_ranges()
other_scalars()
a_part_of_the_communicator()
errors()
kept = echelon.MpiSolver(mine(A))  # lives until the interpreter ends
COMM.Barrier()
if ROOT:
    print(f"{COMM.size} ranks passed")
