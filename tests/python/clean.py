# tests/python/clean.py -- what works with NumPy and SciPy alone: the examples, a few solves, licences.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: clean.py    in an environment with the wheel, NumPy and SciPy; exits 1 if something fails."""
import doctest
import importlib
import importlib.metadata
import sys

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

import echelon

for module in ("", "._base", "._batch", "._direct", "._error", "._lu", "._recipe", "._report",
               "._smoother", "._solver", "._triangular"):
    result = doctest.testmod(importlib.import_module("echelon" + module))
    if result.attempted == 0 or result.failed:
        sys.exit(f"examples of echelon{module}: {result}")

a = echelon.generate("laplace2d:40")
lower, b = sp.tril(a, format="csr"), np.ones(1600)
for _ in range(12):
    np.testing.assert_allclose(echelon.spsolve_triangular(lower, b), sla.spsolve_triangular(lower, b))
for package in ["scipy", *echelon.packages()]:
    x = echelon.DirectSolver(a, package).solve(b)
    print(f"{package}: residual {np.linalg.norm(a @ x - b):.1e}")
    if package in ("scipy", "superlu", "cholmod", "umfpack", "klu"):
        np.testing.assert_allclose(a @ x, b, atol=1e-9)
try:
    files = importlib.metadata.files("echelon") or []
except importlib.metadata.PackageNotFoundError:
    files = []  # installed by CMake, not from a wheel
texts = {f.name: f.locate().read_text("utf-8") for f in files if "bundled" in f.parts}
listed = dict(line.split(": package ") for line in texts.get("libraries.txt", "").splitlines())
bundled = {f.name for f in files if f.parts[0].endswith(".libs")}
if set(listed) != bundled:
    sys.exit(f"the wheel has {sorted(bundled)} but lists licences of {sorted(listed)}")
for library, place in listed.items():
    if "Copyright" not in texts[place.split(", ")[1]]:
        sys.exit(f"there is no licence of {library}")
print(f"echelon {echelon.__version__} in {echelon.__file__}: works")
