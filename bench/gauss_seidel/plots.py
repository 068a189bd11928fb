#!/usr/bin/env python3
# bench/gauss_seidel/plots.py -- draws the results of gpu.py: solves with cuSPARSE's, sweeps with
# the paper's.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/gauss_seidel/plots.py [RESULT.json...] [--out FOLDER]

Draws the newest result of each kind, or the results named, as SVG files into bench/gauss_seidel/plots.
matplotlib is fetched into .venv where Python has none.
"""
import argparse
import pathlib
import sys

import tables
from tables import harness

import drawing  # in bench/support, as harness is
import problems

COLORS = ["#9db4c0", "#c9803a", "#2f5d8a", "#7a9e5b"]


def place(document):
    return f"{(document.get('device') or {}).get('name')}, {document['date'][:10]}"


def draw_groups(plt, names, series, title, y):
    """Bars side by side per name; series are {word: values}, with None for missing values."""
    figure, axes = plt.subplots(figsize=(11, 4.4))
    width = 0.8 / len(series)
    for k, (word, values) in enumerate(series.items()):
        places = [(i + (k - (len(series) - 1) / 2) * width, value) for i, value in enumerate(values)
                  if value]
        axes.bar([x for x, _ in places], [value for _, value in places], width=0.95 * width,
                 label=word, color=COLORS[k])
        for x, value in places:
            axes.annotate(f"{value:.3g}", (x, value), ha="center", va="bottom", fontsize=5,
                          rotation=90)
    axes.set_yscale("log")
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=7)
    axes.set_ylim(top=4 * axes.get_ylim()[1])  # room for the legend
    axes.legend(loc="upper center", ncol=len(series), frameon=False, fontsize=8)
    drawing.finish_axes(axes, title, "", y)
    return figure


def draw_solves(plt, document):
    """The speed-up over SpSV per grid, the geometric mean of L and U."""
    found = {}
    for (matrix, _), runs in tables.systems(document["runs"]).items():
        found.setdefault(matrix, []).append(tables.gains_of(runs))

    def mean_of(pick):
        values = [[pick(gains) for gains in both] for both in found.values()]
        return [tables.geometric_mean(both) if all(both) else None for both in values]

    series = {"best of the paper's four": mean_of(tables.best_of_four),
              "superstep": mean_of(lambda gains: gains.get("superstep")),
              "automatic": mean_of(lambda gains: gains.get("automatic"))}
    figure = draw_groups(plt, list(found), series,
                         f"Solves, L and U: {place(document)}", "times as fast as cuSPARSE SpSV")
    figure.axes[0].axhline(1, color="black", linewidth=0.8)
    return figure


def draw_sweeps(plt, document):
    """GFLOPS of a forward and a backward sweep beside the paper's best."""
    question = document["question"]
    found = {matrix: {method: run["gflops"] for method, run in runs.items()}
             for (matrix, _), runs in tables.systems(document["runs"]).items()}
    paper = [tables.paper_rates(question, matrix) for matrix in found]

    def best_there(gpu):
        return [max(rates[gpu].values()) if gpu in rates else None for rates in paper]

    series = {"P100, the paper's best": best_there("P100"),
              "V100, the paper's best": best_there("V100"),
              "best of the four here": [tables.best_of_four(rates) for rates in found.values()],
              "automatic here": [rates.get("automatic") for rates in found.values()]}
    names = [problems.paper_name(matrix) for matrix in found]
    return draw_groups(plt, names, series, f"{tables.TITLES[question]}: {place(document)}",
                       "GFLOPS, 4 nnz / t")


def draw(paths, folder):
    plt = drawing.open_pyplot()
    folder.mkdir(parents=True, exist_ok=True)
    for path, document in zip(paths, tables.read_results(paths)):
        question = document.get("question")
        if question not in tables.QUESTIONS:
            harness.say(f"{path.name} is no result of gpu.py")
            continue
        figure = (draw_solves if question == "solves" else draw_sweeps)(plt, document)
        target = folder / f"{harness.machine_name(document)}-{question}.svg"
        drawing.save(plt, figure, target, "bench/gauss_seidel/plots.py")


def main():
    parser = argparse.ArgumentParser(prog="bench/gauss_seidel/plots.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=pathlib.Path, help="files (the newest ones)")
    parser.add_argument("--out", type=pathlib.Path, default=tables.FOLDER / "plots", help="(plots)")
    arguments = parser.parse_args()
    if not drawing.require_matplotlib(__file__):
        return 1
    paths = arguments.results or tables.newest_results()
    if not paths:
        print("plots: there are no results of a GPU", file=sys.stderr)
        return 1
    draw(paths, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
