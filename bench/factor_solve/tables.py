#!/usr/bin/env python3
# bench/factor_solve/tables.py -- writes the tables of the ICPP 2020 paper from our results.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/factor_solve/tables.py      writes RESULTS.md anew from all files in results/

Also what the scripts beside it share.
"""
import json
import pathlib
import statistics
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "support"))
import harness  # noqa: E402  (beside us, not a package)

TITLES = {
    "fig10": "Figure 10: backward errors of every option",
    "fig11": "Figure 11: the options on A_20x20x20 with SuperLU's factors",
    "fig12": "Figure 12: the options on A_20x20x20 with CHOLMOD's factors",
    "fig17": "Figure 17: threads, against SuperLU and CHOLMOD",
    "marks": "The marks the project set itself",
    "units": "Vector units of a CPU, against CHOLMOD and PARDISO",
    "gpu": "Figures 11, 14 and 15 on a GPU",
}


def by_contender(runs):
    """{(contender, threads): {phase: run}}, in the order of the file."""
    found = {}
    for run in runs:
        found.setdefault((run["contender"], run["threads"]), {})[run["phase"]] = run
    return found


def by_input(runs):
    found = {}
    for run in runs:
        found.setdefault(run["input"], []).append(run)
    return found


def fill_of(run):
    """Nonzeros of L and U per row."""
    return (run["lower"]["nnz"] + run["upper"]["nnz"] - run["n"]) / run["n"]


def milliseconds(run):
    return f"{run['solve_s'] * 1e3:.3f}" if run else "-"


def plural(threads):
    return f"{threads} thread" + ("" if threads == 1 else "s")


def options_table(document):
    """Figures 11 and 12: one row per contender and number of threads."""
    rows = [["option", "threads", "symbolic s", "compute s", "L-solve ms", "U-solve ms", "L+U ms",
             "fill ratio", "GB/s", "of bandwidth"]]
    for (contender, threads), phases in by_contender(document["runs"]).items():
        both = phases["both"]
        rows.append([contender, str(threads), f"{both['analysis_s']:.4f}", f"{both['setup_s']:.4f}",
                     milliseconds(phases.get("lower")), milliseconds(phases.get("upper")),
                     milliseconds(both), f"{both['stored_ratio']:.1f}", f"{both['nonzero_gb_per_s']:.1f}",
                     f"{both['nonzero_share']:.2f}"])
    return rows


def errors_table(document):
    """Figure 10: one row per matrix, one column per option; errors as multiples of epsilon."""
    contenders = list(dict.fromkeys(run["contender"] for run in document["runs"]))
    rows = [["matrix", "factor", "n", "nnz/n", "levels"]
            + [name.removeprefix("echelon:") for name in contenders]]
    for matrix, runs in by_input(document["runs"]).items():
        errors = {run["contender"]: run["normwise_error"] for run in runs}
        first = runs[0]
        levels = next((run["levels_found"] for run in runs if "levels_found" in run), "-")
        fill = fill_of(first)
        rows.append([pathlib.Path(matrix).name, first["factor"], str(first["n"]), f"{fill:.1f}",
                     str(levels)]
                    + [f"{errors[name]:.2g}" if name in errors else "-" for name in contenders])
    return rows


def scaling_table(document):
    """Figure 17: L and U together, in milliseconds, by contender and threads."""
    runs = [run for run in document["runs"] if run["phase"] == "both"]
    columns = list(dict.fromkeys((run["contender"], run["threads"]) for run in runs))
    rows = [["matrix", "factor", "n", "nnz/n"]
            + [f"{name.removeprefix('echelon:')}/{threads}" for name, threads in columns]
            + ["SuperLU/1 over the best"]]
    for matrix, own in by_input(runs).items():
        times = {(run["contender"], run["threads"]): run for run in own}
        ours = [run["solve_s"] for run in own if run["contender"].startswith("echelon:")]
        superlu = times.get(("superlu", 1))
        first = own[0]
        fill = fill_of(first)
        gain = f"{superlu['solve_s'] / min(ours):.2f}" if superlu and ours else "-"
        rows.append([pathlib.Path(matrix).name, first["factor"], str(first["n"]), f"{fill:.1f}"]
                    + [milliseconds(times.get(column)) for column in columns] + [gain])
    return rows


def marks_table(document):
    return [["mark", "matrix", "measured", "wanted", "reached"]] + document["marks"]


def units_table(document):
    """One row per unit, contender and number of threads: medians over the calls, and their range."""
    found = {}
    for run in document["runs"]:
        key = (run["unit"], run["contender"], run["threads"])
        found.setdefault(key, {}).setdefault(run["phase"], []).append(run)
    rows = [["unit asked for", "contender", "threads", "L ms", "range", "L' ms", "range", "setup s"]]
    for (unit, contender, threads), phases in found.items():
        times = {name: sorted(run["solve_s"] * 1e3 for run in runs) for name, runs in phases.items()}
        setups = [run["setup_s"] for run in phases["lower"]]
        row = [unit, contender, str(threads)]
        for name in ("lower", "upper"):
            row += [f"{statistics.median(times[name]):.2f}",
                    f"{times[name][0]:.2f} to {times[name][-1]:.2f}"]
        rows.append(row + [f"{statistics.median(setups):.3f}"])
    return rows


def gpu_table(document):
    """One row per problem, option, number of right-hand sides and storage; times in microseconds."""
    rows = [["matrix", "option", "rhs", "storage", "launches", "setup s", "L us", "U us", "L+U us",
             "of copy bandwidth", "x cuSPARSE, L"]]
    found = {}
    for run in document["runs"]:
        key = (run["input"], run["contender"], run["nrhs"], run["low_precision"])
        found.setdefault(key, {})[run["phase"]] = run
    for (matrix, contender, count, low), phases in found.items():
        both = phases["both"]
        rows.append([matrix, contender.removeprefix("echelon:"), str(count),
                     "float" if low else both["precision"],
                     str(both["lower"].get("launches", "-")),
                     f"{both['analysis_s'] + both['setup_s']:.3f}"]
                    + [f"{phases[phase]['solve_s'] * 1e6:.1f}" for phase in ("lower", "upper", "both")]
                    + [f"{both['nonzero_share']:.3f}", gain_text(phases["lower"])])
    return rows


def gain_text(run):
    """The speed-up over cuSPARSE in the same run of the program."""
    gain = run.get("speedup_vs_cusparse")
    return f"{gain:.3g}" if gain else "-"


def levels_tables(document):
    """Figure 14: a title and a table per matrix and phase that was timed level by level, in
    microseconds. Options that merge have fewer levels, with other blocks."""
    found = {}
    for run in document["runs"]:
        if run.get("by_level"):
            found.setdefault((run["input"], run["phase"]), []).append(run)
    for (matrix, phase), runs in found.items():
        head = ["level"]
        for run in runs:
            option = run["contender"].removeprefix("echelon:")
            head += [f"{option} blocks", "MB", "us"]
        rows = [head]
        for level in range(max(len(run["by_level"]) for run in runs)):
            rows.append([str(level)] + [cell for run in runs for cell in level_cells(run, level)])
        yield f"Figure 14: {matrix}, {'L' if phase == 'lower' else 'U'} level by level", rows


def level_cells(run, level):
    if level >= len(run["by_level"]):
        return ["", "", ""]
    work = run["by_level"][level]
    return [str(work["supernodes"]), f"{work['bytes'] / 1e6:.3f}",
            f"{work['level_s'] * 1e6:.1f}"]


TABLES = {"fig10": errors_table, "fig11": options_table, "fig12": options_table,
          "fig17": scaling_table, "marks": marks_table, "units": units_table, "gpu": gpu_table}


def winners(document):
    """The fastest contender in each phase of each matrix."""
    lines = []
    for matrix, runs in by_input(document["runs"]).items():
        for phase, word in (("lower", "L-solve"), ("upper", "U-solve"), ("both", "L+U-solve")):
            own = [run for run in runs if run["phase"] == phase]
            if own:
                best = min(own, key=lambda run: run["solve_s"])
                lines.append(f"{pathlib.Path(matrix).name}, fastest {word}: {best['contender']} "
                             f"with {plural(best['threads'])}, {milliseconds(best)} ms")
    return lines


def missing_lines(document):
    """One line per contender, with the first reason and the number of further reasons."""
    reasons = {}
    for missing in document.get("missing", []):
        reasons.setdefault(missing["contender"], []).append(missing["reason"])
    return [f"missing: {name} ({known[0]}"
            + (f"; and {len(known) - 1} more)" if len(known) > 1 else ")")
            for name, known in reasons.items()]


def notes(document):
    """Facts that a table does not show."""
    lines = []
    if document["figure"] == "gpu":
        device = document["device"]
        lines = [f"{device['name']}, driver for CUDA {device['driver']}, copy bandwidth "
                 f"{device['copy_gb_per_s']:.0f} GB/s"]
        lines += [f"{title}, {matrix}: {value} (wanted {mark}: {reached})"
                  for title, matrix, value, mark, reached in document["marks"]]
    elif document["figure"] == "units":
        lines = [f"{title}: {value} (wanted {mark}: {reached})"
                 for title, _, value, mark, reached in document["marks"]]
    elif document["figure"] not in ("fig10", "marks"):
        lines = winners(document)
        rates = {run["threads"]: run["read_gb_per_s"] for run in document["runs"]
                 if run.get("read_gb_per_s")}
        lines += [f"read bandwidth with {plural(threads)}: {rate:.1f} GB/s"
                  for threads, rate in sorted(rates.items())]
    return (lines + missing_lines(document)
            + [f"not done: {text}" for text in document.get("failed", [])])


def to_text(document):
    rows = TABLES[document["figure"]](document)
    return "\n".join([TITLES[document["figure"]], *harness.heading(document), "",
                      *harness.align(rows), "", *notes(document), *level_lines(document)])


def level_lines(document):
    return [line for title, rows in levels_tables(document)
            for line in ("", title, "", *harness.align(rows, left=1))]


def to_section(document):
    rows = TABLES[document["figure"]](document)
    lines = [f"## {TITLES[document['figure']]}", ""]
    lines += [line + "  " for line in harness.heading(document)] + [""]
    lines += harness.to_markdown(rows) + [""] + [f"- {line}" for line in notes(document)]
    for title, table in levels_tables(document):
        lines += ["", f"### {title}", "", *harness.to_markdown(table, left=1)]
    return "\n".join(lines) + "\n"


def write_page():
    """One section per figure and machine, from the newest file of each."""
    newest = {}
    for path in sorted((FOLDER / "results").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        newest[(document["figure"], harness.machine_name(document),
                document["machine"]["cores"])] = document
    page = ["# Results: the tables of the ICPP 2020 paper\n",
            "Written by `bench/factor_solve/tables.py` from `results/`; medians of interleaved rounds.\n"]
    page += [to_section(newest[key]) for key in sorted(newest)]
    (FOLDER / "RESULTS.md").write_text("\n".join(page), encoding="utf-8")
    harness.say(f"wrote {FOLDER / 'RESULTS.md'}")


def finish(document, figure, arguments, command):
    """Writes the document and the page, and prints the table."""
    document |= {"figure": figure, "command": command}
    cores = document["machine"]["cores"]
    name = f"{document['date'][:10]}-{harness.machine_name(document)}-{cores}-{figure}.json"
    harness.write_document(document, arguments.out or FOLDER / "results" / name)
    print(to_text(document))
    if arguments.out is None:
        write_page()


def bench_words(arguments, matrix, factor=None, contenders="all"):
    """The arguments of one `echelon bench --part full`."""
    words = ["bench", matrix, "--part", "full", "--contenders", contenders,
             "--threads", arguments.threads, "--repeat", str(arguments.repeat),
             "--commit", harness.describe_commit()]
    return words + (["--factor", factor] if factor else [])


if __name__ == "__main__":
    write_page()
