# tests/python/test_scipys_tests.py -- SciPy's own tests of the functions that ours replace.
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import re
import subprocess
import sys

import pytest
import scipy.sparse.linalg as sla

# SciPy's file takes the functions from the module they are made in.
SUBSTITUTE = """import echelon
import scipy.sparse.linalg._dsolve as scipys

for name in ("spsolve_triangular", "splu", "factorized"):
    setattr(scipys, name, getattr(echelon, name))

def pytest_sessionfinish():
    assert echelon.cache_info().misses > 0, "SciPy's tests did not call ours"
"""
# Reference counts are of SciPy's own object.
CHOSEN = "Triangular or Factorized or (Splu and not refcount)"


def test_they_pass_with_ours_in_place(tmp_path):
    file = pathlib.Path(sla.__file__).parent / "_dsolve" / "tests" / "test_linsolve.py"
    if not file.exists():
        pytest.skip("SciPy is installed without its tests")
    (tmp_path / "substitute.py").write_text(SUBSTITUTE, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "substitute",
                           "-p", "no:cacheprovider", "-k", CHOSEN, str(file)],
                          env={**os.environ, "PYTHONPATH": path}, cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    passed = re.search(r"(\d+) passed", done.stdout)
    assert done.returncode == 0 and passed and int(passed[1]) >= 20, done.stdout[-3000:] + done.stderr
