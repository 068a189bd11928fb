#!/usr/bin/env python3
# bench/factor_solve/fig10.py -- the paper's Figure 10: backward errors of every option, many matrices.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/factor_solve/fig10.py FOLDER_OR_MATRIX... [--factor cholmod|superlu] [--seconds S]
                            [--threads LIST] [--out FILE]

|b-Ax| / (eps (|b| + |A| |x|)) for every option on every matrix that is factored in under a minute:
files, folders of files, or recipes.  Without --factor the program chooses CHOLMOD or SuperLU.
"""
import argparse
import pathlib
import sys

import tables
from tables import harness

SUFFIXES = (".mtx", ".rua", ".rsa", ".cua", ".rb")


def files_of(names):
    for name in names:
        path = pathlib.Path(name)
        if path.is_dir():
            yield from (str(file) for file in sorted(path.iterdir())
                        if file.name.removesuffix(".gz").endswith(SUFFIXES))
        else:
            yield name


def measure(arguments, matrix):
    """Uses the given package; by default CHOLMOD if it can factor the matrix, else SuperLU."""
    try:
        return measure_with(arguments, matrix, arguments.factor)
    except harness.Failed as error:
        if arguments.factor or "not positive definite" not in str(error):
            raise
        return measure_with(arguments, matrix, "superlu")


def measure_with(arguments, matrix, package):
    """Factors once to check that it is quick enough, then runs all options."""
    factor = ["--factor", package] if package else []
    trial = harness.run_json(arguments.program,
                             ["solve", matrix, "--part", "full", "--repeat", "1", *factor],
                             seconds=2 * arguments.seconds)
    seconds = trial["order_s"] + trial["factor_s"]
    if seconds > arguments.seconds:
        raise harness.Failed(f"factoring took {seconds:.0f} s")
    return harness.run_json(arguments.program,
                            tables.bench_words(arguments, matrix, package))


def one_of_each(runs):
    """One run per contender: each run reports the error of A x = b."""
    return list({run["contender"]: run for run in reversed(runs)
                 if run["phase"] == "both"}.values())[::-1]


def main():
    parser = argparse.ArgumentParser(prog="bench/factor_solve/fig10.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="+", help="folders, files or recipes")
    parser.add_argument("--factor", choices=("cholmod", "superlu"))
    parser.add_argument("--seconds", type=float, default=60, help="to factor at most (60)")
    harness.add_common_arguments(parser, repeat=1)
    arguments = parser.parse_args()
    if not harness.build_program(arguments.program):
        return 1
    document, failed = None, []
    for matrix in files_of(arguments.matrices):
        name = pathlib.Path(matrix).name
        try:
            result = measure(arguments, matrix)
        except harness.Failed as error:
            text = str(error).removeprefix(f"{matrix}: ")
            failed.append(f"{name}: {text}")
            harness.say(failed[-1])
            continue
        harness.say(f"{name}: worst "
                    f"{max(run['normwise_error'] for run in result['runs']):.2g} epsilon")
        result["runs"] = one_of_each(result["runs"])
        for run in result["runs"]:
            run["input"] = name
        for missing in result["missing"]:
            missing["reason"] = missing["reason"].replace(matrix, name)
        document = harness.merge(document, result)
    if document is None:
        harness.say("nothing was run")
        return 1
    document["failed"] = failed
    folders = " ".join(pathlib.Path(name).name for name in arguments.matrices)
    tables.finish(document, "fig10", arguments,
                  f"bench/factor_solve/fig10.py {folders} --threads {arguments.threads}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
