# bindings/python/echelon/__init__.py -- sparse triangular solves for Python.
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse triangular solves: analyze a pattern once, solve with it often.

>>> import numpy as np, scipy.sparse as sp, echelon
>>> L = sp.csr_array([[2.0, 0.0], [1.0, 4.0]])
>>> echelon.spsolve_triangular(L, np.array([2.0, 9.0]))
array([1., 2.])
"""
import os as _os

from . import _core
from ._batch import BatchReport, BatchSolver
from ._error import Error
from ._direct import DirectSolver, cholesky, from_cholmod, ic0, ilu0, ldl, packages
from ._lu import SuperLU, factorized, from_splu, splu
from ._mpi import MpiReport, MpiSolver
from ._recipe import generate
from ._report import DirectReport, GaussSeidelReport, Report, SolverReport
from ._smoother import GaussSeidel, gauss_seidel
from ._smoother import forget as _forget_smoothers
from ._solver import Solver
from ._triangular import (CacheInfo, cache_clear, cache_info, cache_resize, patch,
                          spsolve_triangular)

_core.set_error_class(Error)
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_core.cache_forget)
    _os.register_at_fork(after_in_child=_forget_smoothers)

__version__ = _core.version
__all__ = ["BatchReport", "BatchSolver", "CacheInfo", "DirectReport", "DirectSolver", "Error",
           "GaussSeidel", "GaussSeidelReport", "MpiReport", "MpiSolver", "Report", "Solver",
           "SolverReport", "SuperLU", "cache_clear", "cache_info", "cache_resize", "cholesky", "factorized", "from_cholmod", "from_splu",
           "gauss_seidel", "generate", "ic0", "ilu0", "ldl", "packages", "patch", "splu",
           "spsolve_triangular"]
