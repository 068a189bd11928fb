# tests/python/test_types.py -- mypy finds the package typed, and a wrong use wrong.
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import subprocess
import sys

import pytest

import echelon

pytest.importorskip("mypy", reason="mypy is not installed")
PACKAGE = pathlib.Path(echelon.__file__).parent
GOOD = """
import numpy as np
import echelon
solver = echelon.Solver(np.eye(3), lower=True, method="serial")
solver.update(np.eye(3).ravel())
report: echelon.SolverReport = solver.report
rows: int = report.n
many = echelon.BatchSolver(echelon.generate("chain:3"), np.ones((2, 7)), outside="ignore")
sizes: echelon.BatchReport = many.report
systems: int = sizes.count + int(many.failed.sum())
info = echelon.cache_info()
total: int = info.hits + info.currbytes
lu: echelon.SuperLU = echelon.splu(np.eye(3), permc_spec="NATURAL")
names: list[str] = echelon.packages()
try:
    echelon.cholesky(np.eye(3))
except echelon.Error as error:
    place: int | None = error.row
"""
BAD = """
import echelon
echelon.cache_resize("8")
echelon.cache_info().hit
error: str = echelon.Error("text").row
"""


def check(path, folder):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder),
                           "--follow-imports", "silent", str(path)], env=environment,
                          capture_output=True, text=True, check=False)


def test_a_program_is_checked_against_the_package(tmp_path):
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    good = check(tmp_path / "good.py", tmp_path / "cache")
    assert good.returncode == 0, good.stdout
    bad = check(tmp_path / "bad.py", tmp_path / "cache")
    assert bad.returncode == 1
    for line, kind in ((3, "arg-type"), (4, "attr-defined"), (5, "assignment")):
        assert f"bad.py:{line}: error" in bad.stdout and f"[{kind}]" in bad.stdout, bad.stdout
