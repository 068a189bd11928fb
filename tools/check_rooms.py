#!/usr/bin/env python3
# tools/check_rooms.py -- holds the table of rooms and fails when an include breaks it.
# SPDX-License-Identifier: BSD-3-Clause
"""Includes point upstream only, and into another room only through its door.

usage: tools/check_rooms.py [ROOT]      prints file:line and the reason, exits 1
       tools/check_rooms.py --self-test
"""
import pathlib
import re
import sys
import tempfile

# What a room may include, besides itself.  A room is src/<room>/ and its door; a backend's room has
# folders of its own, by what is done.
BASE = {"base"}
MATRIX = BASE | {"matrix"}
SUPERNODE = MATRIX | {"analysis", "supernode"}
NUMERIC = SUPERNODE | {"factor", "numeric"}
BACKEND = NUMERIC | {"dist", "exec"}
SOLVER = BACKEND | {"io", "generate", "factor", "model"}
ROOMS = {
    "base": set(),
    "matrix": BASE,
    "io": MATRIX,
    "generate": MATRIX,
    "analysis": MATRIX,
    "supernode": MATRIX | {"analysis"},
    "factor": SUPERNODE,
    "numeric": SUPERNODE | {"factor"},
    "dist": NUMERIC,
    "model": NUMERIC | {"dist"},
    "exec": BACKEND,
    "exec/serial": BACKEND,
    "exec/cpu": BACKEND,
    "exec/cuda": BACKEND,
    "distributed": BACKEND,  # what any set of ranks does, whatever carries its messages
    "exec/mpi": BACKEND | {"distributed"},
    "exec/nvshmem": BACKEND | {"distributed"},
    "draw": NUMERIC | {"dist", "model"},
    "calibrate": SOLVER,
    "solver": SOLVER,
    "direct": SOLVER | {"solver"},
    "smoother": SOLVER | {"solver"},
    "batch": SOLVER | {"solver"},
}
BACKENDS = {room for room in ROOMS if room.startswith("exec/")}
FOLDERS = {
    "exec/cpu": {"batch", "rows", "panels", "ranks"},
    "exec/cuda": {"runtime", "rows", "bands", "batch", "panels", "tiles", "frame"},
}

# include/echelon/<door> belongs to a room; by default to the one it is named after.
DOORS = {
    "types.hpp": "base",
    "export.hpp": "base",
    "version.hpp": "base",
    "error.hpp": "base",
    "buffer.hpp": "base",
    "names.hpp": "base",
    "options.hpp": "base",
    "solve_options.hpp": "base",
    "tools/shared_library.hpp": "base",
    "plan.hpp": "supernode",
    "device.hpp": "exec",
    "superlu_dist.hpp": "distributed",
    "executor.hpp": "exec",
    "batch_executor.hpp": "exec",
    "factor_file.hpp": "dist",
    "residual.hpp": "numeric",
    "rank_pass.hpp": "exec",
    "mpi.hpp": "distributed",
    "ranks.hpp": "distributed",
    "tools/machine.hpp": "model",
    "tools/forecast.hpp": "model",
    "tools/estimate.hpp": "model",
    "tools/timeline.hpp": "dist",
    "nvshmem.hpp": "exec/nvshmem",
    "tools/near_names.hpp": "base",
    "tools/units.hpp": "base",
    "tools/whole_files.hpp": "base",
    "tools/set_by_name.hpp": "base",
    "tools/messages.hpp": "distributed",
    "tools/model.hpp": "model",
    "tools/draw.hpp": "draw",
    "tools/calibrate.hpp": "calibrate",
} | {room + ".hpp": room for room in ROOMS
     if room not in BACKENDS | {"base", "exec", "distributed", "model", "draw", "calibrate"}}
EVERYTHING = "echelon.hpp"  # includes the doors of all solvers; for those outside the house

# Folders outside src/: they see doors and their own headers; tests may look inside.
OUTSIDE = {"bindings", "adapters", "cli", "bench", "examples", "tests"}

# Headers of others, and who may include them (the tests of a room may what the room may).
FOREIGN = [
    (r"omp\.h", set()),
    (r"zlib\.h", {"io", "draw"}),
    (r"(cuda|cublas|cusparse|curand|nvtx|cub/|cuda/|thrust/|cooperative_groups|device_).*",
     {"exec/cuda", "exec/nvshmem", "bindings", "adapters"}),
    (r"mpi\.h", {"distributed", "exec/mpi", "exec/nvshmem", "bindings", "adapters"}),
    (r"nvshmemx?(/.*|\.h)", {"exec/nvshmem"}),
    (r"(suitesparse/)?cholmod.*|SuiteSparse.*", {"factor", "adapters"}),
    (r"(suitesparse/)?(umfpack|klu)\.h", {"factor", "adapters"}),
    (r"superlu_[sdz]defs\.h", {"distributed", "exec/mpi"}),
    (r"(superlu.*/)?(slu_|superlu).*", {"factor"}),
    (r"(metis|amd)\.h", {"factor"}),
    (r"(cblas|lapacke)\.h", {"base", "numeric", "exec/cpu"}),
    (r"(gtest|gmock)/.*", {"tests"}),
    (r"CLI/.*", {"cli"}),
    (r"(pybind11|nanobind)/.*|Python\.h", {"bindings"}),
    (r"Eigen/.*|petsc.*|Kokkos.*|Tpetra.*", {"adapters", "install"}),
]
ANY_FOREIGN = {"bench", "examples"}  # contenders, and shows how to call us beside others

SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
BACKEND_TEST = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif)\b.*\bECHELON_WITH_")


def room_of(path):
    """The room of a path inside the project, or None if there is no such room."""
    if path.parts[:2] == ("include", "echelon"):
        name = "/".join(path.parts[2:])
        return "outside" if name == EVERYTHING else DOORS.get(name)
    if path.parts[0] in OUTSIDE:
        return path.parts[0]
    if path.parent == pathlib.Path("include"):  # C
        return "bindings"
    if path.parts[0] != "src":
        return None
    room = "/".join(path.parts[1:-1])
    outer, _, folder = room.rpartition("/")
    if folder in FOLDERS.get(outer, ()):
        return outer
    return room if room in ROOMS else None


def resolve(root, path, text):
    """Where a quoted include points, or None: beside the file, then the include paths."""
    places = [path.parent, pathlib.Path("src"), pathlib.Path("include")]
    places += [pathlib.Path(path.parts[0]), pathlib.Path()]
    for place in places:
        target = place / text
        if (root / target).is_file():
            return pathlib.Path(*target.parts)
    return None


def check_door(path, room, door):
    """The reason why a file of `room` may not include this door, or None."""
    if room in OUTSIDE or room == "outside":
        return None
    if door == EVERYTHING:
        return f"{EVERYTHING} is for users of the library; include the doors you need"
    owner = DOORS.get(door)
    if owner is None:
        return f"echelon/{door} is no door in the table of rooms"
    is_own = owner == room or (owner == "exec" and room in BACKENDS)
    if is_own or owner in ROOMS[room]:
        return None
    return f"room {room} may not include room {owner}: it lies downstream or beside"


def check_private(path, room, target):
    """The reason why a file of `room` may not include this header of src/, or None."""
    if path.parts[0] == "include":
        return f"a door includes doors only, not {target}"
    owner = room_of(target)
    if owner is None:
        return f"{target} lies in no room of the table"
    if room == "tests":
        return None
    if room in OUTSIDE:
        return "public doors only out here"
    if owner in {room, "base"} or (owner == "exec" and room in BACKENDS):
        return None
    if owner == "distributed" and room in {"exec/mpi", "exec/nvshmem"}:
        return None
    if owner == "solver" and room == "direct":  # both stand on PreparedTriangle
        return None
    if owner in BACKENDS:
        if room == "exec/nvshmem" and owner == "exec/cuda":
            return None
        if path == pathlib.Path("src/exec/make_executor.cpp"):
            return None
        return f"{owner} is a backend: only make_executor.cpp knows which there are"
    return f"{target} is private to room {owner}"


def check_foreign(path, room, header):
    """The reason why a file of `room` may not include <header>, or None."""
    for name, rooms in FOREIGN:
        if not re.fullmatch(name, header):
            continue
        if room in rooms or room in ANY_FOREIGN:
            return None
        if room == "tests" and any(set(r.split("/")) & set(path.parts[1:-1]) for r in rooms):
            return None
        return f"<{header}> belongs to {', '.join(sorted(rooms | ANY_FOREIGN))} only"
    return None


def check_include(root, path, room, quote, text):
    if text.startswith("echelon/adapters/"):
        if not any((root / "adapters").glob("*/include/" + text)):
            return f"there is no adapter's header {text}"
        return None if room in OUTSIDE else "adapters stand on the library, not the other way round"
    if text.startswith("echelon/"):
        if not (root / "include" / text).is_file():
            return f"there is no door {text}"
        if quote == "<" and room not in {"examples", "bindings"}:
            return "our own headers are included with quotes"
        return check_door(path, room, text.removeprefix("echelon/"))
    if quote == "<":
        return check_foreign(path, room, text)
    target = resolve(root, path, text)
    if target is None:
        return f'"{text}" is not one of our headers; those of others go in <>'
    if target.parts[0] == "src":
        return check_private(path, room, target)
    if target.parts[0] == path.parts[0] or target.parent == pathlib.Path("include"):
        return None
    return f"{target} belongs to {target.parts[0]}/"


def check_file(root, path):
    """Yields (line, reason) for all that is wrong with one file."""
    room = room_of(path)
    if room is None:
        yield 1, "lies in no room of the table (src/<room>/<file>, src/exec/<backend>/<file>)"
        return
    may_test = path == pathlib.Path("src/exec/make_executor.cpp") or room in OUTSIDE | {"factor"}
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if match := INCLUDE.match(line):
            if reason := check_include(root, path, room, *match.groups()):
                yield number, reason
        elif BACKEND_TEST.match(line) and not may_test:
            yield number, "ECHELON_WITH_... is asked in make_executor.cpp and factor/ only"


def check_tree(root):
    """All violations as 'file:line: reason'."""
    found = []
    for folder in sorted(OUTSIDE | {"src", "include"}):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file():
                continue
            path = file.relative_to(root)
            if not {"build", ".venv"} & set(path.parts):
                found += [f"{path}:{line}: {reason}" for line, reason in check_file(root, path)]
    return found


# Each line: file, its one line, and a word of the reason expected (or "" if it is fine).
SELF_TEST = [
    ("include/echelon/types.hpp", "", ""),
    ("include/echelon/buffer.hpp", "#include <vector>", ""),
    ("include/echelon/matrix.hpp", '#include "echelon/types.hpp"', ""),
    ("include/echelon/analysis.hpp", '#include "echelon/matrix.hpp"', ""),
    ("include/echelon/supernode.hpp", '#include "echelon/analysis.hpp"', ""),
    ("include/echelon/factor.hpp", '#include "echelon/supernode.hpp"', ""),
    ("include/echelon/direct.hpp", '#include "echelon/solver.hpp"', ""),
    ("include/echelon/io.hpp", '#include "base/parallel.hpp"', "doors only"),
    ("include/echelon/numeric.hpp", '#include "echelon/solver.hpp"', "downstream"),
    ("include/echelon/executor.hpp", '#include "echelon/numeric.hpp"', ""),
    ("include/echelon/tools/model.hpp", '#include "echelon/executor.hpp"', "downstream"),
    ("include/echelon/solver.hpp", '#include "echelon/tools/model.hpp"', ""),
    ("include/echelon/echelon.hpp", '#include "echelon/solver.hpp"', ""),
    ("include/echelon/gadget.hpp", "", "no room"),
    ("src/base/parallel.hpp", "", ""),
    ("src/base/late.hpp", '#include "echelon/matrix.hpp"', "downstream"),
    ("src/matrix/sort.hpp", '#include "base/parallel.hpp"', ""),
    ("src/matrix/early.cpp", '#include "echelon/analysis.hpp"', "downstream"),
    ("src/matrix/all.cpp", '#include "echelon/echelon.hpp"', "for users"),
    ("src/analysis/ahead.cpp", '#include "echelon/supernode.hpp"', "downstream"),
    ("src/supernode/late.cpp", '#include "echelon/factor.hpp"', "downstream"),
    ("src/analysis/peek.cpp", '#include "matrix/sort.hpp"', "private"),
    ("src/analysis/lost.cpp", '#include "matrix/none.hpp"', "not one of our headers"),
    ("src/analysis/door.cpp", '#include "echelon/none.hpp"', "no door"),
    ("src/analysis/angle.cpp", "#include <echelon/matrix.hpp>", "quotes"),
    ("src/analysis/threads.cpp", "#include <omp.h>", "belongs to"),
    ("src/analysis/deep/down.cpp", "", "no room"),
    ("src/utils/misc.cpp", "", "no room"),
    ("src/io/gzip.cpp", "#include <zlib.h>", ""),
    ("src/model/gzip.cpp", "#include <zlib.h>", "belongs to"),
    ("src/factor/cholmod.cpp", "#include <cholmod.h>", ""),
    ("src/factor/with.cpp", "#ifdef ECHELON_WITH_CHOLMOD", ""),
    ("src/factor/order.cpp", "#include <metis.h>", ""),
    ("src/supernode/order.cpp", "#include <metis.h>", "belongs to"),
    ("src/numeric/dense.cpp", "#include <cblas.h>", ""),
    ("src/factor/dense.cpp", "#include <cblas.h>", "belongs to"),
    ("src/solver/with.cpp", "#ifdef ECHELON_WITH_CUDA", "make_executor"),
    ("src/solver/factor.cpp", "#include <superlu/slu_ddefs.h>", "belongs to"),
    ("src/exec/plan.hpp", '#include "echelon/executor.hpp"', ""),
    ("src/exec/make_executor.cpp", '#include "exec/cpu/kernel.hpp"', ""),
    ("src/exec/other.cpp", '#include "exec/cpu/kernel.hpp"', "backend"),
    ("src/exec/cpu/kernel.hpp", '#include "exec/plan.hpp"', ""),
    ("src/exec/serial/twin.cpp", '#include "exec/cpu/kernel.hpp"', "backend"),
    ("src/exec/cuda/flags.cuh", "#include <cuda/atomic>", ""),
    ("src/exec/cpu/gpu.cpp", "#include <cuda_runtime.h>", "belongs to"),
    ("src/exec/nvshmem/queue.cuh", '#include "exec/cuda/flags.cuh"', ""),
    ("src/exec/cuda/queue.cu", '#include "exec/nvshmem/queue.cuh"', "backend"),
    ("src/exec/mpi/window.hpp", "", ""),
    ("src/exec/cuda/bands/flags.cuh", "#include <cuda/atomic>", ""),
    ("src/exec/cuda/attic/flags.cuh", "", "no room"),
    ("src/distributed/route.hpp", '#include "exec/mpi/window.hpp"', "backend"),
    ("src/exec/mpi/ranks.cpp", '#include "distributed/route.hpp"', ""),
    ("src/exec/cpu/ranks.cpp", '#include "distributed/route.hpp"', "private"),
    ("src/exec/nvshmem/pe.hpp", '#include "distributed/route.hpp"', ""),
    ("src/exec/mpi/pe.cpp", '#include "exec/nvshmem/pe.hpp"', "backend"),
    ("src/exec/mpi/window.cpp", "#include <mpi.h>", ""),
    ("src/exec/cpu/window.cpp", "#include <mpi.h>", "belongs to"),
    ("src/distributed/factors.cpp", "#include <superlu_ddefs.h>", ""),
    ("src/factor/factors.cpp", "#include <superlu_ddefs.h>", "belongs to"),
    ("src/solver/plan.cpp", '#include "exec/plan.hpp"', "private"),
    ("src/solver/late.cpp", '#include "echelon/direct.hpp"', "downstream"),
    ("src/direct/solve.cpp", '#include "echelon/factor.hpp"', ""),
    ("src/solver/triangle.hpp", "", ""),
    ("src/direct/solver.cpp", '#include "solver/triangle.hpp"', ""),
    ("src/smoother/solver.cpp", '#include "solver/triangle.hpp"', "private"),
    ("src/smoother/sweep.cpp", '#include "echelon/solver.hpp"', ""),
    ("include/echelon.h", "#include <stdint.h>", ""),
    ("bindings/c/guard.hpp", '#include "echelon.h"', ""),
    ("bindings/c/solve.cpp", '#include "echelon/solver.hpp"', ""),
    ("bindings/c/inside.cpp", '#include "base/parallel.hpp"', "public doors"),
    ("cli/main.cpp", '#include "echelon/echelon.hpp"', ""),
    ("cli/table.hpp", "#include <CLI/CLI.hpp>", ""),
    ("cli/own.cpp", '#include "table.hpp"', ""),
    ("cli/inside.cpp", '#include "base/parallel.hpp"', "public doors"),
    ("bench/inside.cpp", '#include "matrix/sort.hpp"', "public doors"),
    ("bench/contender.cpp", "#include <cusparse.h>", ""),
    ("bench/support.cpp", '#include "cli/table.hpp"', "belongs to cli"),
    ("examples/01_solve.cpp", "#include <echelon/echelon.hpp>", ""),
    ("tests/support/picture.hpp", "#include <gtest/gtest.h>", ""),
    ("tests/matrix/test_sort.cpp", '#include "matrix/sort.hpp"', ""),
    ("tests/matrix/test_picture.cpp", '#include "support/picture.hpp"', ""),
    ("tests/matrix/test_threads.cpp", "#include <omp.h>", "belongs to"),
]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, line, _ in SELF_TEST:
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"// {path}\n{line}\n", encoding="utf-8")
        found = check_tree(root)
    failures = []
    for path, line, expected in SELF_TEST:
        reasons = [text for text in found if text.startswith(path + ":")]
        if not expected and reasons:
            failures.append(f"fine, but refused: {line} in {reasons[0]}")
        if expected and not any(expected in text for text in reasons):
            failures.append(f"not found ('{expected}'): {line} in {path}; found {reasons}")
    print("\n".join(failures) or f"self-test: {len(SELF_TEST)} cases as expected")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).parents[1]
    found = check_tree(root.resolve())
    for text in found:
        print(text)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
