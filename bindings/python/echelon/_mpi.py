# bindings/python/echelon/_mpi.py -- MpiSolver: A x = b on the ranks of an mpi4py communicator.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _arrays
from ._direct import factor_by_scipy, lu_parts
from ._error import Error
from ._report import _rows, _to_dict


@dataclass(frozen=True)
class Spread:
    """The least, the mean and the largest value of all ranks."""

    least: float
    mean: float
    most: float


@dataclass(frozen=True)
class MpiReport:
    """The report of an `MpiSolver`, with the C++ names."""

    n: int
    nnz: int
    method: str
    reason: str
    ranks: int
    grid: str
    tree: str
    mapping: str
    package: str
    kind: str
    ordering: str
    supernodes: int
    levels: int
    entries: int
    uninverted_blocks: int
    analysis_s: float
    setup_s: float
    bytes: int
    stored_bytes: Spread
    window_bytes: Spread
    solves: int
    solve_s: Spread
    messages: Spread
    message_bytes: Spread
    engine: str
    compute_s: Spread
    communicate_s: Spread
    _text: str = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """All fields, those of nested reports as dictionaries."""
        return _to_dict(self)

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return "<table>" + _rows(self.to_dict()) + "</table>"


class MpiSolver:
    """Factor on rank 0, solve on all ranks of a communicator.

    Every call is collective: all ranks make it, in the same order.  An error on one rank is raised
    on all.  The extension is built with ``pip install . -C cmake.define.ECHELON_WITH_MPI=ON`` and
    must use the same MPI as mpi4py.

    Parameters
    ----------
    A : sparse matrix or array, or SciPy's SuperLU object
        On rank 0; None on the other ranks.
    comm : mpi4py.MPI.Comm, optional
        By default ``MPI.COMM_WORLD``.
    package : {"scipy", "automatic", "superlu", "umfpack", "klu", "cholmod", "superlu_ilu", "ilu0", "ic0"}
        What factors A on rank 0.
    factor : dict, optional
        Options of the factorization with the C++ names: ``{"order": "natural"}``.
    **options
        With the C++ names of ``MpiOptions``: ``ranks={"vectors": "ranges"}``,
        ``engine="two_sided"``.

    Attributes
    ----------
    rows : tuple
        ``(begin, end)``: the rows of vectors that this rank holds.  All on rank 0, or with
        ``ranks={"vectors": "ranges"}`` an equal share on each rank.
    report : Report
        Gathered when the values were set up, so that one rank alone may print it;
        `collect_report` gathers a new one.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp, echelon
    >>> from mpi4py import MPI                                   # doctest: +SKIP
    >>> root = MPI.COMM_WORLD.rank == 0                          # doctest: +SKIP
    >>> A = echelon.generate("laplace2d:30") if root else None   # doctest: +SKIP
    >>> solver = echelon.MpiSolver(A)                            # doctest: +SKIP
    >>> x = solver.solve(np.ones(900) if root else None)         # doctest: +SKIP
    """

    def __init__(self, A: Any, comm: Any = None, package: str = "scipy", *,
                 factor: dict[str, Any] | None = None, **options: Any) -> None:
        self._extension = _load()
        self._comm = _world(comm)
        self._handle = self._comm.py2f()
        self._package, self._factor = package, _arrays.settings(factor or {})
        kind = self._together(lambda: self._check(A))
        self.shape, self.dtype = self._comm.bcast(kind, root=0)
        self._core: Any = None
        self._together(lambda: self._begin(A, _arrays.settings(options)))
        self._set_up()

    def update(self, A: Any) -> None:
        """New values of the same pattern, given by rank 0; the other ranks pass None."""
        def begin() -> None:
            if self._check(A) not in (None, (self.shape, self.dtype)):
                raise Error(f"update needs a matrix of shape {self.shape} and {self.dtype}")
            self._take(A)
        self._together(begin)
        self._set_up()

    def solve(self, b: Any, out: Any = None, *, part: str = "full", op: str = "n",
              alpha: complex = 1) -> Any:
        """Solve ``op(M) x = alpha b``.

        Parameters
        ----------
        b : array_like, shape (rows,) or (rows, k)
            This rank's rows; None on a rank without rows.
        out : ndarray, optional
            Receives this rank's rows of x; may be `b`.
        part : {"full", "lower", "upper", "triangles"}
            Which system of the factorization.
        op : {"n", "t", "h"}
            M, its transpose or its conjugate transpose.
        alpha : scalar

        Returns
        -------
        x : ndarray
            This rank's rows; None on a rank that passed None.
        """
        failure: Exception | None = None
        right: Any = None
        x: Any = None
        count = -1
        try:
            if b is not None:
                right = self._vectors(b)
                count = 1 if right.ndim == 1 else right.shape[1]
            x = self._answer(right, out)
        except Exception as error:  # all ranks must hear of it
            failure = error
        most, least = self._agree(failure, count)
        if most != least:
            raise Error(f"ranks have different numbers of right-hand sides: {least} to {most}")
        if right is None:
            right, x = (np.empty((0, most), self.dtype) for _ in range(2))
        if not self._core.solve(right, x, alpha, part, op):
            copy = np.array(right, order="C")
            self._core.solve(copy, copy, alpha, part, op)
            x[...] = copy
        return None if b is None else x

    def collect_report(self) -> MpiReport:
        """Gather a report, with the times and messages of the solves since the last one."""
        found, text = self._core.report()
        for name, value in found.items():
            if isinstance(value, dict):
                found[name] = Spread(**value)
        self.report = MpiReport(_text=text.rstrip("\n"), **found)
        return self.report

    def close(self) -> None:
        """Free what MPI holds; all ranks together.  Also done when the solver is deleted."""
        self._core.close()

    def __enter__(self) -> MpiSolver:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def rows(self) -> tuple[int, int]:
        begin, end = self._core.rows()
        return begin, end

    def _check(self, A: Any) -> Any:
        """Shape and dtype on rank 0."""
        if self._comm.rank != 0:
            if A is not None:
                raise Error("only rank 0 gives a matrix; the others pass None")
            return None
        if A is None:
            raise Error("rank 0 gives the matrix, not None")
        if hasattr(A, "perm_r"):
            return tuple(A.shape), A.L.dtype
        A = _arrays.compressed(A)
        return tuple(A.shape), A.dtype

    def _begin(self, A: Any, settings: list[tuple[str, str]]) -> None:
        self._core = getattr(self._extension, f"MpiSolver_{self.dtype.char}")(settings)
        self._take(A)

    def _take(self, A: Any) -> None:
        if self._comm.rank != 0:
            return
        if hasattr(A, "perm_r") or self._package == "scipy":
            if self._factor:
                raise Error("SciPy's factorization takes no options here; give MpiSolver splu(A, ...)")
            self._core.take_lu(*lu_parts(A if hasattr(A, "perm_r") else factor_by_scipy(A)))
        else:
            self._core.factor(_arrays.parts(_arrays.compressed(A)), self._package, self._factor)

    def _set_up(self) -> None:
        self._core.set_up(self._handle)
        self.collect_report()

    def _vectors(self, b: Any) -> Any:
        begin, end = self.rows
        b = np.asarray(b)
        if b.ndim not in (1, 2) or b.shape[0] != end - begin:
            raise Error(f"b has shape {b.shape}; rank {self._comm.rank} has {end - begin} rows")
        if b.dtype != self.dtype and not np.can_cast(b.dtype, self.dtype, "same_kind"):
            raise Error(f"b is {b.dtype}, but the matrix is {self.dtype}")
        return b.astype(self.dtype, copy=False)

    def _answer(self, b: Any, out: Any) -> Any:
        if b is None:
            begin, end = self.rows
            if end > begin:
                raise Error(f"b is None, but rank {self._comm.rank} has {end - begin} rows")
            return None
        if out is None:
            return np.empty_like(b, subok=False)
        if not isinstance(out, np.ndarray) or out.dtype != self.dtype or out.shape != b.shape:
            raise Error(f"out must be a NumPy array of {self.dtype} with shape {b.shape}")
        if not out.flags.writeable:
            raise Error("out is read-only")
        return out

    def _together(self, body: Callable[[], Any]) -> Any:
        """Run body on each rank; if it fails on one, raise that on all."""
        failure: Exception | None = None
        result = None
        try:
            result = body()
        except Exception as error:  # all ranks must hear of it
            failure = error
        self._agree(failure, 0)
        return result

    def _agree(self, failure: Exception | None, count: int) -> tuple[int, int]:
        """The largest and the least count; raises the failure of the lowest rank on all."""
        rank, most, least = self._extension.agree(self._handle, failure is None, count)
        if rank < 0:
            return most, least
        mine = failure if isinstance(failure, Error) else Error(str(failure))
        first = self._comm.bcast(mine, root=rank)
        raise failure or first


def _load() -> Any:
    try:
        from . import _mpi_core
    except ImportError as error:
        raise Error("this package was built without MPI: pip install . "
                    f"-C cmake.define.ECHELON_WITH_MPI=ON ({error})", "backend_missing") from None
    _mpi_core.set_error_class(Error)
    return _mpi_core


def _world(comm: Any) -> Any:
    try:
        from mpi4py import MPI
    except ImportError:
        raise Error("MpiSolver needs mpi4py: pip install mpi4py", "backend_missing") from None
    if comm is None:
        return MPI.COMM_WORLD
    if not isinstance(comm, MPI.Comm):
        raise Error(f"comm is an mpi4py communicator, not {type(comm).__name__}")
    return comm
