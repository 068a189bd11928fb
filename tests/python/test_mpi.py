# tests/python/test_mpi.py -- MpiSolver on 1, 2 and 4 ranks, and its errors without them.
# SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import echelon

HERE = pathlib.Path(__file__).parent
RUN = HERE.parent / "distributed" / "run"
MPIEXEC = shutil.which("mpiexec")
MISSING = [what for what, there in (
    ("mpi4py", importlib.util.find_spec("mpi4py")),
    ("mpiexec", MPIEXEC),
    ("echelon._mpi_core", importlib.util.find_spec("echelon._mpi_core"))) if not there]


@pytest.mark.skipif(bool(MISSING), reason=f"there is no {', '.join(MISSING)}")
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_ranks_solve_together(ranks):
    done = subprocess.run([RUN, MPIEXEC, str(ranks), sys.executable, "-m", "mpi4py",
                           HERE / "ranks.py"], capture_output=True, text=True, timeout=240,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{ranks} ranks passed" in done.stdout


@pytest.mark.parametrize("module, text", [("mpi4py", "pip install mpi4py"),
                                          ("echelon._mpi_core", "ECHELON_WITH_MPI=ON")])
def test_what_is_missing_is_named(monkeypatch, module, text):
    if module == "mpi4py" and "echelon._mpi_core" in MISSING:
        pytest.skip("there is no echelon._mpi_core")
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delattr(echelon, module.rpartition(".")[2], raising=False)
    with pytest.raises(echelon.Error, match=text) as caught:
        echelon.MpiSolver(None)
    assert caught.value.code == "backend_missing"
