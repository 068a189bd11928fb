#!/usr/bin/env python3
# bench/factor_solve/plots.py -- draws Figures 11, 14 and 15 of the ICPP 2020 paper from our
# results.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/factor_solve/plots.py [RESULT.json...] [--out FOLDER]

Draws what the newest result of each GPU holds, or the results named: the options side by side, the
levels one by one, and the sizes of the problem; as SVG files into bench/factor_solve/plots.  What a result
does not hold is left out.  matplotlib is fetched into .venv where Python has none.
"""
import argparse
import json
import pathlib
import sys

import tables
from tables import harness

import drawing  # in bench/support, as harness is

PHASES = (("lower", "L-solve"), ("upper", "U-solve"))
COLORS = {"lower": "#2f5d8a", "upper": "#c9803a"}


def option_of(run):
    return run["contender"].removeprefix("echelon:")


def is_plain(run):
    """One right-hand side, values stored in working precision."""
    return run.get("nrhs", 1) == 1 and not run.get("low_precision")


def main_matrix(document):
    """The matrix with the most contenders."""
    count = {matrix: len({run["contender"] for run in runs})
             for matrix, runs in tables.by_input(document["runs"]).items()}
    return max(count, key=count.get, default=None)


def place(document):
    return f"{document['device']['name']}, {document['date'][:10]}"


def draw_options(plt, document):
    """Figure 11: a pair of bars per option, on a logarithmic scale."""
    matrix = main_matrix(document)
    runs = [run for run in document["runs"] if run["input"] == matrix and is_plain(run)]
    options = list(dict.fromkeys(option_of(run) for run in runs if run["phase"] in dict(PHASES)))
    if len(options) < 2:
        return None
    figure, axes = plt.subplots(figsize=(9, 3.8))
    for shift, (phase, word) in zip((-0.2, 0.2), PHASES):
        times = {option_of(run): run["solve_s"] * 1e6 for run in runs if run["phase"] == phase}
        places = [(k, times[option]) for k, option in enumerate(options) if option in times]
        axes.bar([k + shift for k, _ in places], [time for _, time in places], width=0.38,
                 label=word, color=COLORS[phase])
        for k, time in places:
            text = f"{time:.0f}" if time >= 100 else f"{time:.3g}"
            axes.annotate(text, (k + shift, time), ha="center", va="bottom", fontsize=6)
    axes.set_yscale("log")
    axes.set_xticks(range(len(options)), options, rotation=30, ha="right")
    axes.legend(frameon=False)
    drawing.finish_axes(axes, f"The options on {matrix}: {place(document)}", "", "microseconds")
    return figure


def draw_levels(plt, document):
    """Figure 14: time by level, one line per option, one drawing per phase."""
    runs = [run for run in document["runs"] if run.get("by_level")]
    if not runs:
        return None
    matrix = runs[0]["input"]
    figure, all_axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, squeeze=False)
    for axes, (phase, word) in zip(all_axes[0], PHASES):
        for run in runs:
            if run["phase"] == phase and run["input"] == matrix:
                times = [level["level_s"] * 1e6 for level in run["by_level"]]
                axes.plot(range(len(times)), times, marker="o", markersize=3, linewidth=1,
                          label=option_of(run))
        axes.set_yscale("log")
        drawing.finish_axes(axes, f"{word}, level by level", "level, in order of execution", "")
    all_axes[0][0].set_ylabel("microseconds")
    if all_axes[0][0].lines:
        all_axes[0][0].legend(frameon=False, fontsize=7)
    figure.suptitle(f"{matrix}: {place(document)}", fontsize=10)
    return figure


def draw_sizes(plt, document):
    """Figure 15: the L-solve of each problem by its nonzeros, and the speed-up over cuSPARSE."""
    runs = [run for run in document["runs"] if run["phase"] == "lower" and is_plain(run)]
    ours = sorted((run for run in runs if option_of(run) == "tree"),
                  key=lambda run: run["lower"]["nnz"])
    if len(ours) < 2:
        return None
    theirs = sorted((run for run in runs if run["contender"] == "cusparse"),
                    key=lambda run: run["lower"]["nnz"])
    copy = document["device"]["copy_gb_per_s"] * 1e9
    figure, axes = plt.subplots(figsize=(7.5, 4.2))
    for own, word, color in ((ours, "tree", COLORS["lower"]), (theirs, "cuSPARSE", COLORS["upper"])):
        if own:
            axes.plot([run["lower"]["nnz"] for run in own], [run["solve_s"] * 1e6 for run in own],
                      marker="o", label=word, color=color)
    axes.plot([run["lower"]["nnz"] for run in ours], [run["nonzero_bytes"] / copy * 1e6 for run in ours],
              linestyle=":", color="black", label="reading the nonzeros at the speed of a copy")
    for run in ours:
        gain = run.get("speedup_vs_cusparse")
        axes.annotate(run["input"] + (f"\n{gain:.3g} x cuSPARSE" if gain else ""),
                      (run["lower"]["nnz"], run["solve_s"] * 1e6), textcoords="offset points",
                      xytext=(0, 6), ha="center", fontsize=6)
    axes.margins(x=0.12)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.legend(frameon=False, fontsize=8)
    drawing.finish_axes(axes, f"L-solves by size: {place(document)}", "nonzeros of L", "microseconds")
    return figure


DRAWINGS = {"fig11": draw_options, "fig14": draw_levels, "fig15": draw_sizes}


def newest_results():
    """The newest result of each GPU."""
    newest = {}
    for path in sorted((tables.FOLDER / "results").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.get("figure") == "gpu":
            newest[harness.machine_name(document)] = path
    return list(newest.values())


def draw(paths, folder):
    plt = drawing.open_pyplot()
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        document = json.loads(path.read_text(encoding="utf-8"))
        if not document.get("device") or not document.get("runs"):
            harness.say(f"{path.name} is no result of a GPU")
            continue
        for name, draw_one in DRAWINGS.items():
            figure = draw_one(plt, document)
            if figure is None:
                harness.say(f"{path.name} has nothing for {name}")
                continue
            target = folder / f"{harness.machine_name(document)}-{name}.svg"
            drawing.save(plt, figure, target, "bench/factor_solve/plots.py")


def main():
    parser = argparse.ArgumentParser(prog="bench/factor_solve/plots.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=pathlib.Path, help="files (the newest ones)")
    parser.add_argument("--out", type=pathlib.Path, default=tables.FOLDER / "plots", help="(plots)")
    arguments = parser.parse_args()
    if not drawing.require_matplotlib(__file__):
        return 1
    draw(arguments.results or newest_results(), arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
