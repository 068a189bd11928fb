#!/usr/bin/env python3
# tests/adapters/cusparse/check_exports.py -- the drop-in exports all functions of SpSV and SpSM that
# cusparse.h has, and nothing else.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_exports.py CUSPARSE_H FRONT SHIM ENGINE

That the types are those of the header is checked by the compiler: the functions are extern "C" and
include it, so that a difference is a conflicting declaration.
"""
import pathlib
import re
import subprocess
import sys

VERSION = "libcusparse.so.12"


def declared(header):
    """Names that follow CUSPARSEAPI and belong to the two operations."""
    text = pathlib.Path(header).read_text()
    return set(re.findall(r"CUSPARSEAPI\s+(cusparseSpS[VM]_\w+)\(", text))


def exported(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                             capture_output=True, text=True).stdout
    return {line.split()[-1] for line in listing.splitlines()}


def needed(library):
    listing = subprocess.run(["readelf", "-d", library], check=True, capture_output=True,
                             text=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", listing))


def compare(what, found, wanted):
    wrong = [f"{what} lacks {name}" for name in sorted(wanted - found)]
    return wrong + [f"{what} has {name} too" for name in sorted(found - wanted)]


def main():
    header, front, shim, engine = sys.argv[1:]
    wanted = declared(header)
    if len(wanted) < 11:
        sys.exit(f"{header} declares {len(wanted)} functions: it is not that of CUDA 12 or newer")
    wrong = compare("the front", exported(front), wanted)
    versioned = {f"{name}@@{VERSION}" for name in wanted} | {VERSION}
    wrong += compare("the shim", exported(shim), versioned)
    wrong += compare("the engine", exported(engine), {"echelon_cusparse_start_engine"})
    loader = {name for name in needed(front) if name.startswith(("ld-linux", "libdl"))}
    wrong += compare("what the front needs", needed(front) - loader, {"libc.so.6"})
    print("\n".join(wrong) or f"{len(wanted)} functions, and nothing else")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
