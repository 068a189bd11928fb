#!/usr/bin/env python3
# bench/gauss_seidel/cpu.py -- Gauss-Seidel sweeps on CPU threads over the 20 grids of Li and Zhang.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/gauss_seidel/cpu.py [--quick] [--repeat R] [--threads N] [--only TEXT] [--out FILE]
                             [--idle-timeout SECONDS] [--write FILE.md]
       bench/gauss_seidel/cpu.py --from RESULTS.json [--write FILE.md]

For each grid of the paper's Tables 1 and 2: a forward sweep, and the forward sweep followed by a
backward one that the paper times, of Echelon and of plain serial loops, in turn.  Prints the table
and the mark; --write puts both into a page.
"""
import argparse
import json
import math
import pathlib
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "support"))
import harness  # noqa: E402  (beside us, not a package)
import problems  # noqa: E402
from harness import say  # noqa: E402

DIRECTIONS = ["forward", "symmetric"]
LOOPS = ("plain", "matsor")
MARK = 1.5  # a forward sweep on two threads over the faster loop, geometric mean


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    harness.add_common_arguments(parser, repeat=15)
    parser.set_defaults(threads="2")
    parser.add_argument("--idle-timeout", type=float, default=0, metavar="SECONDS",
                        help="wait so long for a quiet machine before each grid (0)")
    parser.add_argument("--quick", action="store_true", help="small grids")
    parser.add_argument("--only", default="", metavar="TEXT", help="matrices whose name has TEXT")
    parser.add_argument("--from", dest="results", type=pathlib.Path, help="results to print again")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE.md", help="the page to write")
    return parser.parse_args()


def was_disturbed(result):
    """True if the middle half of a contender's times spreads over more than a third of their median."""
    return any(run["solve_q3_s"] - run["solve_q1_s"] > run["solve_s"] / 3
               for run in result["runs"])


def run_quietly(arguments, matrix, direction):
    """One call. With an idle timeout, waits until other work has ended, and repeats up to five times if
    the times vary or other work runs at the end; the last call counts."""
    words = ["smooth", matrix, "--direction", direction, "--guess", "random:1", "--compare",
             "--threads", arguments.threads, "--repeat", str(arguments.repeat),
             "--commit", harness.describe_commit()]
    for _ in range(5 if arguments.idle_timeout > 0 else 1):
        if arguments.idle_timeout > 0 and not harness.wait_for_quiet(arguments.idle_timeout):
            say("the machine is busy still")
        result = harness.run_json(arguments.program, words)
        if arguments.idle_timeout == 0 or not (was_disturbed(result) or harness.busy_share() > 0.1):
            break
        say(f"{matrix}, {direction}: disturbed")
    return result


def measure(arguments):
    """One call of the program per grid and direction; all runs in one document."""
    document = None
    for matrix in problems.QUICK if arguments.quick else problems.GRIDS:
        if arguments.only not in matrix:
            continue
        began = time.monotonic()
        for direction in DIRECTIONS:
            document = harness.merge(document, run_quietly(arguments, matrix, direction))
        rows = by_system(document["runs"])
        words = ", ".join(f"{direction} {over_loops(rows[(matrix, direction)]):.2f}x"
                          for direction in DIRECTIONS)
        say(f"{matrix}: {words} ({time.monotonic() - began:.0f} s)")
    document["command"] = ("bench/gauss_seidel/cpu.py" + (" --quick" if arguments.quick else "")
                           + f" --repeat {arguments.repeat} --threads {arguments.threads}"
                           + f" --idle-timeout {arguments.idle_timeout:g}")
    return document


def by_system(runs):
    """{(input, direction): {(contender, threads): run}}, in the order of the file."""
    systems = {}
    for run in runs:
        key = (run["input"], run["direction"])
        systems.setdefault(key, {})[(run["contender"], run["threads"])] = run
    return systems


def fastest_loop(entries):
    return min(entries[(loop, 1)]["solve_s"] for loop in LOOPS)


def over_loops(entries, threads=None):
    """The speed-up over the faster loop; by default on the most threads."""
    threads = threads or max(count for name, count in entries if name == "echelon")
    return fastest_loop(entries) / entries[("echelon", threads)]["solve_s"]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def table_of(document):
    """Titles and rows: times and ratios of the forward sweep; for the pair also the paper's GFLOPS."""
    systems = by_system(document["runs"])
    most = max(run["threads"] for run in document["runs"])
    rows = [["grid", "plain ms", "matsor ms", "echelon/1", f"echelon/{most}", "pair: loop ms",
             f"pair: echelon/{most}", f"pair: GFLOPS/{most}"]]
    for matrix in dict.fromkeys(key[0] for key in systems):
        one, pair = systems[(matrix, "forward")], systems[(matrix, "symmetric")]
        rows.append([matrix] + [f"{one[(loop, 1)]['solve_s'] * 1e3:.2f}" for loop in LOOPS]
                    + [f"{over_loops(one, 1):.2f}", f"{over_loops(one):.2f}",
                       f"{fastest_loop(pair) * 1e3:.2f}", f"{over_loops(pair):.2f}",
                       f"{pair[('echelon', most)]['gflops']:.2f}"])
    means = {direction: [[over_loops(entries, threads) for key, entries in systems.items()
                          if key[1] == direction] for threads in (1, most)]
             for direction in DIRECTIONS}
    rows.append(["geometric mean", "", ""]
                + [f"{geometric_mean(values):.2f}" for values in means["forward"]]
                + ["", f"{geometric_mean(means['symmetric'][1]):.2f}", ""])
    return rows, geometric_mean(means["forward"][1]), most


def page_of(document):
    rows, mean, most = table_of(document)
    reached = "reached" if mean >= MARK else "NOT reached"
    notes = ["Medians of interleaved rounds. A forward sweep: milliseconds of the two loops, and how "
             "many times as fast as the faster of them Echelon is on 1 and on "
             f"{most} threads. The pair is a forward sweep followed by a backward one, as the paper "
             "times it: the faster loop, Echelon against it, and GFLOPS, four flops an entry.",
             f"Mark: a forward sweep on {most} threads at least {MARK} times as fast as the faster "
             f"loop, geometric mean: {mean:.2f}, {reached}. "
             f"Load of the machine at the first call: {document['machine'].get('load')}."]
    return "\n\n".join(["# Results: Gauss-Seidel sweeps on CPU threads",
                        "  \n".join(harness.heading(document)), *notes,
                        "\n".join(harness.to_markdown(rows, left=1))]) + "\n"


def main():
    arguments = parse_arguments()
    if arguments.results:
        document = json.loads(arguments.results.read_text())
    else:
        if not harness.build_program(arguments.program):
            return 1
        document = measure(arguments)
        name = f"{document['date'][:10]}-{harness.machine_name(document)}-cpu.json"
        harness.write_document(document, arguments.out or FOLDER / "results" / name)
    rows, mean, most = table_of(document)
    print("\n".join(harness.heading(document) + harness.align(rows, left=1)))
    print(f"mark: {mean:.2f} on {most} threads, {MARK} wanted")
    if arguments.write:
        arguments.write.write_text(page_of(document))
    return 0


if __name__ == "__main__":
    sys.exit(main())
