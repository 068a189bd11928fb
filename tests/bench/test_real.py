#!/usr/bin/env python3
# tests/bench/test_real.py -- the scripts of bench/real: profiles by hand, losses, and records of a
# fake and of the real program.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tests/bench/test_real.py [PROGRAM]      without PROGRAM the last test is skipped"""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "real"), str(ROOT / "bench" / "support")]
import harness  # noqa: E402  (not a package)
import losses  # noqa: E402
import profiles  # noqa: E402
import run  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
MACHINE = {"cpu": "none", "cores": 2, "compiler": "none", "load": 0.0}


class Profiles(unittest.TestCase):
    def test_three_solvers_on_three_problems(self):
        times = {"a": [1, 2, 4], "b": [2, 1, None], "c": [4, 4, 2]}
        self.assertEqual(profiles.performance_profile(times), {
            "a": [(1, 1 / 3), (2, 2 / 3), (2, 1)],
            "b": [(1, 1 / 3), (2, 2 / 3)],
            "c": [(1, 1 / 3), (4, 2 / 3), (4, 1)]})

    def test_a_problem_that_nobody_solves_counts_for_nobody(self):
        self.assertEqual(profiles.performance_profile({"a": [3, None], "b": [None, None]}),
                         {"a": [(1, 0.5)], "b": []})

    def test_the_geometric_mean_of_2_and_8_is_4(self):
        self.assertAlmostEqual(profiles.geometric_mean([2, 8]), 4)


def made_up_run(contender, threads=1, matrix="m", backend="cpu", **seconds):
    return {"matrix": matrix, "backend": backend, "asked": backend, "contender": contender, "method": "tree",
            "threads": threads, **seconds}


def made_up_document(runs, backend="cpu", n=100):
    names = list(dict.fromkeys(r["matrix"] for r in runs))
    return {"machine": MACHINE, "date": "2026-01-01", "commit": "abc", "missing": [], "left_out": [], "runs": runs,
            "matrices": [{"matrix": m, "backend": backend, "n": n, "factor": "superlu", "lower_nnz": 7}
                         for m in names]}


class Losses(unittest.TestCase):
    def test_others_may_use_fewer_threads_but_not_more(self):
        document = made_up_document([
            made_up_run("echelon:automatic", 1, whole_s=4.0), made_up_run("echelon:automatic", 2, whole_s=3.0),
            made_up_run("klu", 1, whole_s=5.0), made_up_run("pardiso", 2, whole_s=2.0)])
        one, = profiles.compare(document, "cpu", 1)
        two, = profiles.compare(document, "cpu", 2)
        self.assertEqual((one.rival["contender"], one.ratio), ("klu", 1.25))
        self.assertEqual((two.rival["contender"], two.ratio), ("pardiso", 2 / 3))
        self.assertFalse(losses.is_loss(one, "cpu"))
        self.assertTrue(losses.is_loss(two, "cpu"))

    def test_cusparse_has_no_whole_solve_and_is_compared_with_both_triangles(self):
        document = made_up_document([
            made_up_run("echelon:automatic", 2, backend="cuda", both_s=2.0, whole_s=5.0),
            made_up_run("cusparse", 1, backend="cuda", both_s=4.0),
            made_up_run("cudss", 1, backend="cuda", both_s=1.0, whole_s=15.0)], "cuda")
        c, = profiles.compare(document, "cuda", 0)
        self.assertEqual((c.rival["contender"], c.ratio, c.times()), ("cusparse", 2.0, (2.0, 4.0)))
        self.assertEqual(c.against("cudss"), 3.0)
        self.assertEqual(profiles.times_by_contender([c]),
                         {"echelon:automatic": [2.0], "cusparse": [4.0], "cudss": [1.0]})

    def test_short_gpu_solves_may_be_a_little_slower(self):
        def compared(us):
            document = made_up_document([
                made_up_run("echelon:automatic", backend="cuda", both_s=us * 1e-6, whole_s=us * 1e-6),
                made_up_run("cusparse", backend="cuda", both_s=0.95 * us * 1e-6)], "cuda")
            return profiles.compare(document, "cuda", 0)[0]
        self.assertFalse(losses.is_loss(compared(20), "cuda"))
        self.assertTrue(losses.is_loss(compared(40), "cuda"))

    def test_automatic_is_held_against_our_best_method(self):
        document = made_up_document([
            made_up_run("echelon:automatic", whole_s=3.0), made_up_run("echelon:tree", whole_s=2.0),
            made_up_run("echelon:spmv", whole_s=9.0)])
        c, = profiles.compare(document, "cpu", 1)
        self.assertEqual((c.best_own["contender"], c.over_own), ("echelon:tree", 1.5))
        page = losses.page_of(document)
        self.assertIn("| the farthest from our best method | 1.50 | 1.5 | yes |", page)
        self.assertIn("| m | 100 | superlu | 7 | tree |", page)

    def test_a_gpu_solve_is_held_against_one_cpu_thread(self):
        document = made_up_document([made_up_run("echelon:automatic", backend="cuda", both_s=4.0, whole_s=4.0)],
                                    "cuda", n=10000)
        on_cpu = made_up_document([made_up_run("echelon:automatic", whole_s=2.0)], n=10000)
        for part in ("runs", "matrices"):
            document[part] += on_cpu[part]
        self.assertEqual(losses.gpu_marks(document)[0][1:], ["m 0.50", "0", "NO"])


def made_up_program(_, words, seconds=None):
    """The output of the fake program."""
    name = words[1]
    if "indefinite" in name and "--factor" not in words:
        raise harness.Failed(f"{name}: not positive definite; use --factor superlu")
    if "bad" in name:
        raise harness.Failed(f"{name}: singular")
    if "slow" in name:
        raise harness.Failed(f"took more than {seconds} s")
    one = {"contender": "echelon:automatic", "threads": 1, "backend": "cpu", "method": "tree", "repeats": 3,
           "n": 5, "nnz": 9, "factor": "superlu", "factor_kind": "LU", "factor_reason": "", "ordering": "metis",
           "fill_ratio": 1.0, "order_s": 0.1, "factor_s": 0.2, "lower": {"nnz": 7}, "upper": {"nnz": 8}}
    runs = [{**one, "phase": p, "solve_s": s, "solve_q1_s": 0.9 * s, "solve_q3_s": 1.1 * s,
             "solve_min_s": 0.8 * s}
            for p, s in (("lower", 1.0), ("upper", 1.5), ("both", 2.5), ("whole", 2.0))]
    return {"machine": MACHINE, "date": "2026-01-01", "device": None, "version": "1", "runs": runs,
            "missing": [{"contender": "klu", "reason": f"{name}: klu: the matrix is singular"}]}


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "results.json"

    def run_script(self, *words, program=made_up_program, built=True):
        words = ["run.py", "--matrices", str(self.folder), "--out", str(self.out), "--commit", "abc", *words]
        with mock.patch.object(sys, "argv", words), mock.patch.object(harness, "run_json", program), \
                mock.patch.object(harness, "build_program", lambda p: built), \
                mock.patch.object(harness, "wait_for_quiet", lambda s: True), \
                contextlib.redirect_stderr(io.StringIO()):
            status = run.main()
        return status, json.loads(self.out.read_text(encoding="utf-8"))

    def make_files(self, *names):
        for name in names:
            (self.folder / name).write_text("", encoding="utf-8")

    def test_a_matrix_that_fails_is_named_and_the_others_are_measured(self):
        self.make_files("good.mtx", "bad.rua.gz", "slow.rb", "notes.txt")
        status, document = self.run_script("--seconds", "7")
        self.assertEqual(status, 0)
        self.assertEqual([m["matrix"] for m in document["matrices"]], ["good.mtx"])
        self.assertEqual({e["matrix"]: e["reason"] for e in document["left_out"]},
                         {"bad.rua": "singular", "slow.rb": "longer than 7 s"})
        only, = document["runs"]
        self.assertEqual((only["lower_s"], only["upper_s"], only["both_s"], only["whole_s"]), (1.0, 1.5, 2.5, 2.0))
        self.assertEqual(only["spread"]["lower"], 0.2)
        self.assertAlmostEqual(losses.read([self.out], least=True)["runs"][0]["whole_s"], 1.6)
        self.assertEqual(document["missing"], [{"matrix": "good.mtx", "backend": "cpu", "contender": "klu",
                                                "reason": "klu: the matrix is singular"}])
        self.assertIn("- slow.rb: longer than 7 s", losses.page_of(document))

    def test_the_package_that_the_program_advises_is_tried(self):
        self.make_files("indefinite.mtx")
        _, document = self.run_script()
        facts, = document["matrices"]
        self.assertEqual(facts["factor_reason"], "not positive definite; use --factor superlu")

    def test_results_that_are_there_are_kept_unless_asked_for_again(self):
        self.make_files("good.mtx")
        calls = []

        def counted(program, words, seconds=None):
            calls.append(words[1])
            return made_up_program(program, words, seconds)
        self.run_script(program=counted)
        _, document = self.run_script(program=counted)
        self.assertEqual(len(calls), 1)
        self.assertEqual(len(document["runs"]), 1)
        _, document = self.run_script("--again", program=counted)
        self.assertEqual(len(calls), 2)
        self.assertEqual(len(document["runs"]), 1)

    def test_what_took_long_before_comes_last(self):
        self.make_files("a.mtx", "b.mtx", "c.mtx")
        costs = self.folder / "costs.json"
        costs.write_text(json.dumps({
            "matrices": [{"matrix": "b.mtx", "took_s": 0.5}, {"matrix": "a.mtx", "took_s": 7}],
            "left_out": [{"matrix": "c.mtx", "reason": "longer than 9 s"}]}), encoding="utf-8")
        _, document = self.run_script("--costs", str(costs))
        self.assertEqual([m["matrix"] for m in document["matrices"]], ["b.mtx", "a.mtx", "c.mtx"])

    def test_what_the_budget_left_out_is_measured_by_the_next_run(self):
        self.make_files("good.mtx")
        _, document = self.run_script("--budget-seconds", "-1")
        self.assertEqual(document["left_out"][0]["reason"], run.OUT_OF_TIME)
        self.assertIn(f"- good.mtx: {run.OUT_OF_TIME}", losses.page_of(document))
        _, document = self.run_script("--jobs", "2")
        self.assertEqual(document["left_out"], [])
        self.assertEqual(len(document["runs"]), 1)

    @unittest.skipIf(PROGRAM is None, "needs the program echelon")
    def test_two_generated_problems_and_a_singular_one(self):
        for recipe, name in (("laplace2d:7x6:5", "plane.mtx"), ("random:40:3", "random.mtx")):
            subprocess.run([str(PROGRAM), "generate", recipe, "-o", str(self.folder / name)], check=True,
                           capture_output=True)
        (self.folder / "singular.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 1 1\n", encoding="utf-8")
        _, document = self.run_script(
            "--program", str(PROGRAM), "--repeat", "2", "--threads", "1", "--methods", "tree,superstep",
            "--contenders", "cholmod,superlu,umfpack,klu", "--jobs", "2", program=harness.run_json)
        self.assertEqual({m["matrix"] for m in document["matrices"]}, {"plane.mtx", "random.mtx"})
        self.assertEqual([e["matrix"] for e in document["left_out"]], ["singular.mtx"])
        missing = {(e["matrix"], e["contender"]) for e in document["missing"]}
        for matrix in ("plane.mtx", "random.mtx"):
            for contender in ("echelon:automatic", "echelon:tree", "echelon:superstep", "cholmod", "superlu",
                              "umfpack", "klu"):
                found = [r for r in document["runs"] if (r["matrix"], r["contender"]) == (matrix, contender)]
                self.assertEqual(len(found), 0 if (matrix, contender) in missing else 1, contender)
                for entry in found:
                    self.assertGreater(entry["whole_s"], 0)
                    self.assertLess(entry["backward_error"], 1e-10)
        page = losses.page_of(document)
        self.assertIn("## CPU, 1 thread\n", page)
        self.assertIn("- singular.mtx: ", page)


if __name__ == "__main__":
    unittest.main()
