#!/usr/bin/env python3
# bench/gauss_seidel/tables.py -- prints results of gpu.py as tables, and writes them to a page.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/gauss_seidel/tables.py [RESULT.json...] [--write FILE.md]

Makes the page of the GPU from the newest result of each kind, or from those named.
"""
import argparse
import json
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "support"))
import harness  # noqa: E402  (beside us, not a package)
import problems  # noqa: E402

FOUR = ["level_row", "level_column", "element_row", "element_column"]
SHORT = {"level_row": "LEVR", "level_column": "LEVC", "element_row": "ELMR", "element_column": "ELMC"}
QUESTIONS = ("solves", "table1", "table2", "table5")
TITLES = {"solves": "Solves with L and U against cuSPARSE",
          "table1": "Table 1: sweeps on 2D Laplacians", "table2": "Table 2: sweeps on 3D Laplacians",
          "table5": "Table 5: sweeps with other matrices"}
PARTS = {"lower": "L", "upper": "U"}


def method_of(run):
    return run["contender"].removeprefix("echelon:")


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def best_of_four(values):
    """The largest value of the paper's methods, or None."""
    return max((values[method] for method in FOUR if method in values), default=None)


def systems(runs):
    """{(input, part): {method: run}}, in the order of the file; sweeps have no part."""
    found = {}
    for run in runs:
        found.setdefault((run["input"], run.get("part")), {})[method_of(run)] = run
    return found


def gains_of(runs):
    """The speed-up over SpSV per method; empty without SpSV."""
    theirs = runs.get("cusparse")
    return {method: theirs["solve_s"] / run["solve_s"] for method, run in runs.items()
            if method != "cusparse"} if theirs else {}


def spread_of(runs):
    """The largest interquartile range, relative to the median."""
    return max((run["solve_q3_s"] - run["solve_q1_s"]) / run["solve_s"] for run in runs.values())


def cell(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def one_line(result):
    """The result of one matrix, as progress output."""
    parts = []
    for (_, part), runs in systems(result["runs"]).items():
        gains = gains_of(runs)
        if part:
            parts.append(f"{PARTS[part]} best of four {cell(best_of_four(gains))}x, "
                         f"automatic {cell(gains.get('automatic'))}x")
        else:
            rates = {method: run["gflops"] for method, run in runs.items()}
            parts.append(f"GFLOPS best of four {cell(best_of_four(rates))}, "
                         f"automatic {cell(rates.get('automatic'))}")
    return "; ".join(parts)


# Solves.

def solves_rows(document):
    extra = ["superstep", "automatic"]
    rows = [["grid", "", "SpSV ms", *(SHORT[method] for method in FOUR), "best of four", *extra,
             "runs", "automatic ms", "spread %"]]
    for (matrix, part), runs in systems(document["runs"]).items():
        gains = gains_of(runs)
        theirs, ours = runs.get("cusparse"), runs.get("automatic")
        rows.append([matrix, PARTS[part], cell(theirs and theirs["solve_s"] * 1e3, 3)]
                    + [cell(gains.get(method)) for method in FOUR] + [cell(best_of_four(gains))]
                    + [cell(gains.get(method)) for method in extra]
                    + [ours["method"] if ours else "-", cell(ours and ours["solve_s"] * 1e3, 3),
                       f"{100 * spread_of(runs):.0f}"])
    return rows


def marks_of(document):
    """[what, value or None, wanted]"""
    gains = {key: gains_of(runs) for key, runs in systems(document["runs"]).items()}
    four = [best_of_four(g) for g in gains.values() if best_of_four(g)]
    automatic = {key: g["automatic"] for key, g in gains.items() if "automatic" in g}

    def least(matrix):
        return min((value for (name, _), value in automatic.items() if name == matrix), default=None)

    return [["best of the four methods, geometric mean", geometric_mean(four) if four else None, 1.2],
            ["automatic, geometric mean",
             geometric_mean(list(automatic.values())) if automatic else None, 3.5],
            ["automatic, the worst of all", min(automatic.values(), default=None), 1.2],
            ["automatic on 2048x2048, 5 points, the lesser of L and U",
             least("laplace2d:2048x2048:5"), 6],
            ["automatic on 128x32768, 5 points, the lesser of L and U",
             least("laplace2d:128x32768:5"), 12]]


def marks_rows(document):
    rows = [["times as fast as SpSV", "measured", "mark", "reached"]]
    for title, value, mark in marks_of(document):
        reached = "-" if value is None else "yes" if value >= mark else "NO"
        rows.append([title, cell(value), f">= {mark:g}", reached])
    return rows


# Sweeps.

def paper_rates(question, matrix):
    """{GPU: {method: GFLOPS}} of the paper; empty where it has none."""
    paper = json.loads((FOLDER / "paper.json").read_text(encoding="utf-8"))
    of_gpus = paper[question].get(problems.paper_name(matrix), {})
    return {gpu: dict(zip(paper["columns"], rates)) for gpu, rates in of_gpus.items()}


def sweeps_rows(document):
    ours = [*FOUR, "superstep", "automatic"]
    gpus = ("P100", "V100")
    kernels = list(SHORT.values())
    rows = [["matrix", *(SHORT.get(method, method) for method in ours), "runs"]
            + [f"{gpu} {kernel}" for gpu in gpus for kernel in (*kernels, "CUS")] + ["over V100's best"]]
    for (matrix, _), runs in systems(document["runs"]).items():
        rates = {method: run["gflops"] for method, run in runs.items()}
        theirs = paper_rates(document["question"], matrix)
        row = [problems.paper_name(matrix), *(cell(rates.get(method)) for method in ours),
               runs["automatic"]["method"] if "automatic" in runs else "-"]
        for gpu in gpus:
            of_gpu = theirs.get(gpu, {})
            row += [cell(of_gpu.get(kernel)) for kernel in kernels]
            row.append(cell(max(of_gpu["CUS1"], of_gpu["CUS2"]) if of_gpu else None))
        best = max(theirs["V100"].values()) if theirs else None
        mine = rates.get("automatic")
        rows.append([*row, cell(mine / best if mine and best else None)])
    return rows


NOTES = {
    "solves": "Medians of interleaved rounds, one right-hand side, double precision. SpSV: cuSPARSE's "
              "solve after its analysis, in milliseconds; the methods: how many times as fast. Spread: "
              "the largest distance between quartiles, as a share of the median.",
    "sweeps": "GFLOPS of a forward Gauss-Seidel sweep followed by a backward one in double precision: "
              "2 x 2 nnz / t, two flops per entry and sweep, whatever is really done. CUS: the better "
              "of CUS1 and CUS2, the two solves of cuSPARSE 9.2. P100 and V100: the paper's own "
              "numbers, measured on other machines.",
}


def sections_of(document):
    """[(title, note, rows, columns flush left)]"""
    question = document["question"]
    if question == "solves":
        return [(TITLES[question], NOTES["solves"], solves_rows(document), 2),
                ("Marks", "", marks_rows(document), 1)]
    note = NOTES["sweeps"]
    if question == "table5":
        note += (" parabolic_fem is numbered otherwise than theirs: 8 levels in L and U together, not "
                 "14. The others have the paper's rows, entries and levels, and values of ours.")
    return [(TITLES[question], note, sweeps_rows(document), 1)]


def print_document(document):
    print("\n".join(harness.heading(document)))
    print(f"on {(document.get('device') or {}).get('name')}")
    for title, _, rows, left in sections_of(document):
        print("\n" + title)
        print("\n".join(harness.align(rows, left)))
    for missing in document["missing"]:
        print(f"missing: {missing['contender']}: {missing['reason']}")
    for failure in document.get("failed", []):
        print(f"failed: {failure['input']}: {failure['reason']}")


def page_of(documents):
    parts = ["# Results: solves and Gauss-Seidel sweeps on a GPU",
             "Made by `bench/gauss_seidel/tables.py --write bench/gauss_seidel/RESULTS_GPU.md`."]
    for document in documents:
        device = document.get("device") or {}
        facts = (f"{device.get('name')}, CUDA driver {device.get('driver')}, copies "
                 f"{device.get('copy_gb_per_s', 0):.0f} GB/s")
        for title, note, rows, left in sections_of(document):
            parts.append(f"## {title}")
            if note:
                parts += ["  \n".join([facts, *harness.heading(document)]), note]
            parts.append("\n".join(harness.to_markdown(rows, left)))
        for failure in document.get("failed", []):
            parts.append(f"Failed: {failure['input']}: {failure['reason']}.")
    return "\n\n".join(parts) + "\n"


def newest_results():
    """The newest result of each question, in their order."""
    newest = {}
    for path in sorted((FOLDER / "results").glob("*.json")):
        question = json.loads(path.read_text(encoding="utf-8")).get("question")
        if question:
            newest[question] = path
    return [newest[question] for question in QUESTIONS if question in newest]


def read_results(paths):
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def main():
    parser = argparse.ArgumentParser(prog="bench/gauss_seidel/tables.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=pathlib.Path, help="files (the newest ones)")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE.md", help="the page to write")
    arguments = parser.parse_args()
    documents = read_results(arguments.results or newest_results())
    if not documents:
        print("tables: there are no results of a GPU", file=sys.stderr)
        return 1
    for document in documents:
        print_document(document)
    if arguments.write:
        arguments.write.write_text(page_of(documents), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
