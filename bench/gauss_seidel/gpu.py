#!/usr/bin/env python3
# bench/gauss_seidel/gpu.py -- Tables 1, 2 and 5 of Li and Zhang on a GPU, and the underlying
# solves.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/gauss_seidel/gpu.py solves|table1|table2|table5 [--repeat R] [--only TEXT] [--quick]
                             [--commit TEXT] [--program FILE] [--out FILE]
       bench/gauss_seidel/gpu.py --from RESULTS.json...

solves: with L and with U of each of the 20 grids, cuSPARSE and Echelon's methods in turn, and the
marks.  table1, table2, table5: a forward Gauss-Seidel sweep followed by a backward one, each method in
turn, beside the paper's GFLOPS.  Vectors on the device, times by its events; one process per matrix; the
results are written after each process.  --from prints results again; tables.py makes a page of them.
"""
import argparse
import json
import pathlib
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "support"))
import harness  # noqa: E402  (beside us, not a package)
import problems  # noqa: E402
import tables  # noqa: E402
from harness import say  # noqa: E402

METHODS = [*tables.FOUR, "superstep", "automatic"]
QUESTIONS = ["solves", "table1", "table2", "table5"]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/gauss_seidel/gpu.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", nargs="?", choices=QUESTIONS)
    parser.add_argument("--repeat", type=int, default=21, help="timed rounds (21)")
    parser.add_argument("--only", default="", metavar="TEXT", help="matrices whose name has TEXT")
    parser.add_argument("--methods", default=",".join(METHODS), metavar="LIST",
                        help="of Echelon (the four, superstep, automatic)")
    parser.add_argument("--quick", action="store_true", help="small grids")
    parser.add_argument("--commit", help="version to record as measured (git describe)")
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file to write")
    parser.add_argument("--program", type=pathlib.Path, default=harness.PROGRAM,
                        help="the program to run (build/release/bin/echelon)")
    parser.add_argument("--from", dest="results", nargs="+", type=pathlib.Path,
                        help="results to print again")
    arguments = parser.parse_args()
    if (arguments.question is None) == (arguments.results is None):
        parser.error(f"one of {', '.join(QUESTIONS)}, or --from")
    return arguments


def words_for(arguments, source):
    """The command line for one matrix."""
    rest = ["--backend", "cuda", "--repeat", str(arguments.repeat), "--commit", arguments.commit]
    if arguments.question == "solves":
        contenders = ["cusparse"] + [f"echelon:{method}" for method in arguments.methods.split(",")]
        return ["bench", source, "--part", "both", "--setups", "1", "--contenders",
                ",".join(contenders), *rest]
    return ["smooth", source, "--direction", "symmetric", "--guess", "random:1", "--compare",
            "--methods", arguments.methods, *rest]


def matrices_of(arguments):
    grids = problems.GRIDS if arguments.question == "solves" else problems.TABLES[arguments.question]
    chosen = problems.QUICK if arguments.quick else grids
    return [matrix for matrix in chosen if arguments.only in matrix]


def measure_one(arguments, matrix, folder):
    """The document of one process; its runs have the matrix's name, not that of a file."""
    source = matrix
    if matrix == problems.PARABOLIC:
        source = str(pathlib.Path(folder) / f"{matrix}.mtx")
        problems.write_parabolic(source)
    result = harness.run_json(arguments.program, words_for(arguments, source))
    for run in result["runs"]:
        run["input"] = matrix
    return result


def measure(arguments):
    """All runs in one document, and the failures. Written after each matrix."""
    document, failed = None, []
    path = arguments.out
    with tempfile.TemporaryDirectory() as folder:
        for matrix in matrices_of(arguments):
            began = time.monotonic()
            try:
                result = measure_one(arguments, matrix, folder)
            except harness.Failed as error:
                say(f"{matrix}: {error}")
                failed.append({"input": matrix, "reason": str(error)})
                continue
            document = harness.merge(document, result)
            document |= {"question": arguments.question, "failed": failed,
                         "command": command_of(arguments)}
            path = path or default_path(document)
            harness.write_document(document, path, quiet=True)
            say(f"{matrix}: {tables.one_line(result)} ({time.monotonic() - began:.0f} s)")
    if document:
        document["failed"] = failed
        harness.write_document(document, path)
    return document


def command_of(arguments):
    only = f" --only {arguments.only}" if arguments.only else ""
    return (f"bench/gauss_seidel/gpu.py {arguments.question} --repeat {arguments.repeat}{only}"
            + (" --quick" if arguments.quick else ""))


def default_path(document):
    name = f"{document['date'][:10]}-{harness.machine_name(document)}-{document['question']}.json"
    return FOLDER / "results" / name


def main():
    arguments = parse_arguments()
    if arguments.results:
        for path in arguments.results:
            tables.print_document(json.loads(path.read_text(encoding="utf-8")))
        return 0
    if arguments.commit is None:
        arguments.commit = harness.describe_commit()
    if not harness.build_program(arguments.program):  # a program that was named is taken as it is
        return 1
    arguments.program = arguments.program.resolve()
    document = measure(arguments)
    if document is None:
        print("gpu: nothing was measured", file=sys.stderr)
        return 1
    tables.print_document(document)
    return 1 if document["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
