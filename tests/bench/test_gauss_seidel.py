#!/usr/bin/env python3
# tests/bench/test_gauss_seidel.py -- the scripts of bench/gauss_seidel with a fake program.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tests/bench/test_gauss_seidel.py"""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "gauss_seidel"), str(ROOT / "bench" / "support")]
import gpu  # noqa: E402  (not a package)
import harness  # noqa: E402
import problems  # noqa: E402
import tables  # noqa: E402

# Seconds per method; cuSPARSE takes 8.
SECONDS = {"cusparse": 8.0, "level_row": 5.0, "level_column": 6.0, "element_row": 4.0,
           "element_column": 10.0, "superstep": 2.0, "automatic": 1.0}


def made_up_run(contender, source, **more):
    seconds = SECONDS[contender.removeprefix("echelon:")]
    return {"contender": contender, "input": source, "method": "superstep", "solve_s": seconds,
            "solve_q1_s": 0.9 * seconds, "solve_q3_s": 1.1 * seconds, **more}


def made_up_program(_, words, seconds=None):
    """The output of the fake program."""
    del seconds
    source = words[1]
    if "1024x4096" in source:
        raise harness.Failed("this one is broken")
    if words[0] == "bench":
        names = words[words.index("--contenders") + 1].split(",")
        runs = [made_up_run(name, source, part=part) for part in ("lower", "upper") for name in names]
    else:
        names = words[words.index("--methods") + 1].split(",")
        runs = [made_up_run(f"echelon:{name}", source, gflops=10 / SECONDS[name]) for name in names]
    return {"machine": {"cpu": "none", "cores": 1, "compiler": "none"}, "date": "2026-01-01",
            "commit": words[words.index("--commit") + 1], "device": {"name": "Made Up"},
            "missing": [], "runs": runs}


def run_script(*words):
    """Exit status and output of gpu.py."""
    out = io.StringIO()
    with mock.patch.object(sys, "argv", ["gpu.py", *words]), \
            mock.patch.object(harness, "run_json", made_up_program), \
            mock.patch.object(harness, "build_program", lambda program: True), \
            contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        status = gpu.main()
    return status, out.getvalue()


class Gpu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "results.json"

    def document(self):
        return json.loads(self.out.read_text(encoding="utf-8"))

    def test_solves_are_compared_with_cusparse(self):
        status, text = run_script("solves", "--out", str(self.out), "--commit", "abc")
        self.assertEqual(status, 1)  # two grids failed, and the others are there all the same
        document = self.document()
        self.assertEqual(document["commit"], "abc")
        self.assertEqual(len(document["failed"]), 2)
        self.assertEqual(len(document["runs"]), 18 * 2 * 7)
        marks = {title: value for title, value, _ in tables.marks_of(document)}
        self.assertAlmostEqual(marks["best of the four methods, geometric mean"], 2)
        self.assertAlmostEqual(marks["automatic, geometric mean"], 8)
        self.assertAlmostEqual(marks["automatic, the worst of all"], 8)
        self.assertIn("this one is broken", text)
        self.assertIn("NO", text)  # 12 times on the thinnest grid

    def test_sweeps_stand_beside_the_papers(self):
        for question in ("table1", "table2", "table5"):
            run_script(question, "--out", str(self.out), "--commit", "abc")
            document = self.document()
            rows = tables.sweeps_rows(document)
            for row in rows[1:]:
                self.assertEqual(len(row), len(rows[0]))
                self.assertNotIn("-", row)
        self.assertEqual([row[0] for row in rows[1:]], list(problems.TABLE5))
        self.assertIn("| parabolic_fem |", tables.page_of([document]))

    def test_one_matrix_can_be_asked_for(self):
        status, _ = run_script("table1", "--only", "128x32768:5", "--out", str(self.out))
        self.assertEqual(status, 0)
        self.assertEqual({run["input"] for run in self.document()["runs"]},
                         {"laplace2d:128x32768:5"})


class Problems(unittest.TestCase):
    def test_all_of_the_papers_grids_are_there(self):
        paper = json.loads((ROOT / "bench" / "gauss_seidel" / "paper.json").read_text(encoding="utf-8"))
        for question in ("table1", "table2"):
            self.assertEqual(list(paper[question]), problems.TABLES[question])
        for rates in [rates for table in ("table1", "table2", "table5")
                      for gpus in paper[table].values() for rates in gpus.values()]:
            self.assertEqual(len(rates), len(paper["columns"]))

    def test_parabolic_fem_has_four_levels_a_triangle(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "p.mtx"
            problems.write_parabolic(path, width=5, height=9)
            lines = path.read_text(encoding="ascii").splitlines()
        entries = sorted(tuple(map(int, line.split()[:2])) for line in lines[2:])
        level = [0] * 46
        for i, j in entries:
            if i != j:
                level[i] = max(level[i], level[j] + 1)
        self.assertEqual(len(entries), 45 + 4 * 9 + 5 * 8 + 4 * 8)
        self.assertEqual(len(set(entries)), len(entries))
        self.assertEqual(max(level), 3)


if __name__ == "__main__":
    unittest.main()
