# bench/general/scipy_contender.py -- the contender SciPy: runs spsolve_triangular on request.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: scipy_contender.py --probe
       scipy_contender.py FOLDER N lower|upper float64|float32|complex128|complex64 NRHS

FOLDER holds start.bin, index.bin (int32), value.bin and b.bin, by columns.  Prints "ready"; then, for each
line "solve" or "check" on standard input, solves, and prints the seconds it took.  "check"
also writes x.bin.  The program echelon contains this text and passes it to Python.
"""
import sys
import time

import numpy
import scipy
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import spsolve_triangular


def read_system(folder, n, kind, nrhs):
    start, index = (numpy.fromfile(f"{folder}/{name}.bin", numpy.int32)
                    for name in ("start", "index"))
    value, b = (numpy.fromfile(f"{folder}/{name}.bin", kind) for name in ("value", "b"))
    return csr_matrix((value, index, start), shape=(n, n)), b if nrhs == 1 else b.reshape(nrhs, n).T


def main(arguments):
    if arguments == ["--probe"]:
        print("scipy", scipy.__version__)
        return
    folder, n, part, kind, nrhs = arguments
    a, b = read_system(folder, int(n), kind, int(nrhs))
    print("ready", flush=True)
    for line in sys.stdin:
        begin = time.perf_counter()
        x = spsolve_triangular(a, b, lower=part == "lower")
        seconds = time.perf_counter() - begin
        if line.strip() == "check":
            x.astype(kind).T.tofile(f"{folder}/x.bin")
        print(repr(seconds), flush=True)


main(sys.argv[1:])
