# tools/site/results.py -- the page of newest results, made from bench/*/results/*.json.
# SPDX-License-Identifier: BSD-3-Clause
"""Of files whose names differ in their date only, the newest is taken.  Rows are systems that Echelon
and at least one other library solved in the same run; times are medians as recorded.
"""
import html
import json
import math
import re

KEYS = ("input", "part", "phase", "direction", "sweeps", "nrhs", "precision", "op")
OURS = re.compile(r"echelon")
LONGEST = 12  # rows shown at once; the others fold


def newest(root):
    """[(path, document)] of the newest file of each kind, by folder."""
    kinds = {}
    for file in sorted((root / "bench").glob("*/results/*.json")):
        kind = (file.parent, re.sub(r"^\d{4}-\d\d-\d\d-", "", file.stem))
        kinds[kind] = file  # sorted by name, so by date
    return [(file.relative_to(root), json.loads(file.read_text(encoding="utf-8")))
            for file in sorted(kinds.values())]


def seconds(value):
    """A time as a person reads it."""
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size or unit == "us":
            return f"{value / size:.3g} {unit}" if value < 100 * size else f"{value / size:,.0f} {unit}"


def flat_runs(document):
    """Runs with a contender and a time; those beside pdgstrs are taken apart first."""
    for run in document.get("runs", []):
        if "pdgstrs" in run:
            facts = {"input": run["matrix"], "nrhs": run["nrhs"], "phase": f"ranks {run['grid']}"}
            for name in ("pdgstrs", "payload", "counter", "two_sided"):
                if name in run:
                    ours = "" if name == "pdgstrs" else "echelon:"
                    yield facts | {"contender": ours + name, "solve_s": run[name]["median_s"]}
        elif run.get("contender") and isinstance(run.get("solve_s"), (int, float)):
            yield run


def compared(document):
    """[(key, our best run, best other run)] in the order of the file."""
    groups = {}
    for run in flat_runs(document):
        key = tuple(str(run[k]) for k in KEYS if run.get(k) not in (None, ""))
        groups.setdefault(key, []).append(run)
    rows = []
    for key, runs in groups.items():
        ours = [r for r in runs if OURS.match(r["contender"])]
        others = [r for r in runs if not OURS.match(r["contender"])]
        if ours and others:
            rows.append((key, *(min(some, key=lambda r: r["solve_s"]) for some in (ours, others))))
    return rows


def machine_text(document):
    machine = document.get("machine") or {}
    if isinstance(machine, str):
        return machine
    machine = machine.get("cpu") if isinstance(machine.get("cpu"), dict) else machine
    device = document.get("device") or {}
    names = [device.get("name"), machine.get("gpu"), re.sub(r"\(R\)", "", machine.get("cpu") or "")]
    cores = f"{machine['cores']} cores" if machine.get("cores") else ""
    return ", ".join(dict.fromkeys(part for part in [*names, cores] if part))


def threads(run):
    count = run.get("threads") or 1
    return f", {count} threads" if count > 1 and run.get("backend") != "cuda" else ""


def table(rows):
    """HTML of a comparison; long ones fold behind the first rows."""
    def line(row):
        key, ours, other = row
        shown = " ".join(part for part in key if part not in ("1", "double", "n"))
        name = ours["contender"].partition(":")[2] or ours.get("method") or "echelon"
        return (f"<tr><td>{html.escape(shown)}</td><td class=number>{seconds(ours['solve_s'])}</td>"
                f"<td>{html.escape(name)}{threads(ours)}</td><td class=number>{seconds(other['solve_s'])}</td>"
                f"<td>{html.escape(other['contender'])}{threads(other)}</td>"
                f"<td class=number>{other['solve_s'] / ours['solve_s']:.3g}</td></tr>")
    head = ("<tr><th>system</th><th class=number>Echelon</th><th>by</th><th class=number>fastest other</th>"
            "<th>which</th><th class=number>times as fast</th></tr>")
    def box(some):
        return (f'<div class="table" tabindex="0"><table><thead>{head}</thead><tbody>'
                + "\n".join(map(line, some)) + "</tbody></table></div>")
    more = rows[LONGEST:]
    folded = f"<details><summary>{len(more)} more</summary>{box(more)}</details>" if more else ""
    return box(rows[:LONGEST]) + folded


def page(root, link):
    """(HTML, headings); `link(path, text)` makes a link to a file of the repository."""
    parts = ["<h1>Newest results</h1>",
             '<p class="lead">Made from the result files in <code>bench/</code> when this site was built. '
             "Medians of one right-hand side in double precision unless the row says otherwise; per system the fastest "
             "method of Echelon and the fastest other library of the same run, each with its best number of threads.</p>",
             "<p>What the numbers mean, and when Echelon is not the right tool: "
             + link("docs/performance.md", "Performance") + ".</p>"]
    headings, rest = [], []
    for path, document in newest(root):
        rows = compared(document)
        facts = ", ".join(str(part) for part in (document.get("date", "")[:10], machine_text(document)) if part)
        commit = document.get("commit")
        where = f"{link(str(path), 'data')}, {link(str(path.parts[0]) + '/' + path.parts[1] + '/README.md', 'how it was measured')}"
        if not rows:
            rest.append(f"<li>{html.escape(path.parts[1])}: {html.escape(path.stem[11:])}, {html.escape(facts)}: {where}</li>")
            continue
        title = f"{path.parts[1].replace('_', ' ')}: {path.stem[11:].replace('-', ' ')}"
        anchor = path.parts[1] + "-" + path.stem[11:]
        headings.append((2, title, anchor))
        ratios = [other["solve_s"] / ours["solve_s"] for _, ours, other in rows]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        command = document.get("command", "")
        parts.append(f'<h2 id="{anchor}">{html.escape(title)}</h2>\n<p>{html.escape(facts)}'
                     + (f", commit <code>{html.escape(commit)}</code>" if commit else "")
                     + (f"; <code>{html.escape(command)}</code>" if command else "") + f"; {where}.</p>"
                     f"<p><b>{mean:.3g}</b> times as fast as the fastest other library in the geometric mean of "
                     f"{len(rows)} systems; {min(ratios):.2g} in the worst, {max(ratios):.3g} in the best.</p>{table(rows)}")
    headings.append((2, "Other measurements", "other-measurements"))
    parts.append('<h2 id="other-measurements">Other measurements</h2>\n<p>Models, loads and comparisons of Echelon with '
                 "itself:</p>\n<ul>" + "\n".join(rest) + "</ul>")
    return "\n".join(parts), headings
