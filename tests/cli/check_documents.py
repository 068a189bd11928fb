#!/usr/bin/env python3
# tests/cli/check_documents.py -- compares every command of a program, its flags and its JSON
# document with the page that describes them.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_documents.py echelon PROGRAM [LAUNCHER...]
       check_documents.py echelon-mpi|echelon-nvshmem PROGRAM LAUNCHER...

The two tables of docs/command_line.md, section JSON, are the schema: which words there are, of what
type, and which of them each document and object has.  A word that is not there, one that is missing,
or one of another type fails.  LAUNCHER starts PROGRAM on ranks.  Exits with 77, skipped, where the
program finds no GPU that it needs.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "command_line.md"
SKIPPED = 77
COMMON = {"program", "command", "version", "date", "machine"}


class Schema:
    """The tables of the page."""

    def __init__(self, text):
        section = text[text.index("\n## JSON\n"):]
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                for line in section.splitlines() if line.startswith("| `") or line.startswith("| ev")]
        self.types = {word: row[1] for row in rows if len(row) == 3
                      for word in re.findall(r"`(\w+)`", row[0])}
        self.documents = {}  # by title: {key: whether it must be there}
        self.objects = {}  # by name: variants of the same
        for title, keys in (row for row in rows if len(row) == 2):
            found = {key: not mark for key, mark in re.findall(r"`(\w+)(\??)`", keys)}
            self.documents[title.replace("`", "")] = found
            if name := re.match(r"`(\w+)`", title):
                self.objects.setdefault(name[1], []).append(found)

    def problems(self, value, kind, place):
        """The errors in a value of that type, as a list of texts."""
        if kind.endswith(" or null"):
            return [] if value is None else self.problems(value, kind.removesuffix(" or null"), place)
        if kind.startswith("list of "):
            if not isinstance(value, list):
                return [f"{place} is no list: {value!r}"]
            return [text for k, item in enumerate(value)
                    for text in self.problems(item, kind.removeprefix("list of "), f"{place}[{k}]")]
        if kind.startswith("`"):
            return self.object_problems(value, kind.strip("`"), place)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        fits = {"text": isinstance(value, str), "flag": isinstance(value, bool), "number": number,
                "count": number and isinstance(value, int) and value >= 0}[kind]
        return [] if fits else [f"{place} is no {kind}: {value!r}"]

    def object_problems(self, value, name, place):
        """An object must fit one of its variants; reports the errors of the best fit."""
        return min((self.member_problems(value, keys, place) for keys in self.objects[name]), key=len)

    def member_problems(self, value, keys, place):
        if not isinstance(value, dict):
            return [f"{place} is no object: {value!r}"]
        found = [f"{place} lacks {key}" for key, must in keys.items() if must and key not in value]
        found += [f"{place} has {key}, which the page does not give it"
                  for key in value if key not in keys]
        for key in set(value) & set(keys):
            if key not in self.types:
                found.append(f"{place}.{key} is not among the words of the page")
            else:
                found += self.problems(value[key], self.types[key], f"{place}.{key}")
        return found


class Checker:
    """Runs a program and collects errors."""

    def __init__(self, program, launcher):
        self.command = [*launcher, program]
        self.page = PAGE.read_text(encoding="utf-8")
        self.schema = Schema(self.page)
        self.failures = []
        self.count = 0

    def run(self, words):
        return subprocess.run([*self.command, *map(str, words)], capture_output=True, text=True,
                              check=False)

    def expect(self, truth, text):
        self.count += 1
        if not truth:
            self.failures.append(text)

    def document(self, title, *words):
        """The checked document of a command."""
        line = " ".join(map(str, words))
        done = self.run([*words, "--json"])
        self.expect(done.returncode == 0, f"{line}: {done.stderr.strip()}")
        if done.returncode != 0:
            return {}
        document = json.loads(done.stdout)
        keys = dict.fromkeys(COMMON, True) | self.schema.documents[title]
        for problem in self.schema.member_problems(document, keys, ""):
            self.expect(False, f"{line}: {problem}")
        self.expect(document.get("command") == words[0], f"{line}: command is {document.get('command')}")
        for run in document.get("runs", [document]):
            self.check_meaning(line, run)
        return document

    def check_meaning(self, line, run):
        """Relations between words that hold in every document."""
        if "solve_s" in run:
            self.expect(0 < run["solve_min_s"] <= run["solve_s"] <= run["solve_max_s"],
                        f"{line}: solve_s is no median of its runs")
        if line.startswith("solve"):
            self.expect(run["analysis_s"] > 0 and run["setup_s"] > 0,
                        f"{line}: analysis took {run['analysis_s']}, setup {run['setup_s']}")
        if run.get("gb_per_s"):
            self.expect(abs(run["traffic_bytes"] / run["solve_s"] / 1e9 / run["gb_per_s"] - 1) < 1e-6,
                        f"{line}: gb_per_s is not traffic_bytes over solve_s")
            self.expect(run["traffic_bytes"] > run["bytes"], f"{line}: traffic_bytes are without b and x")
        if run.get("bandwidth_share"):
            self.expect(abs(run["gb_per_s"] / run["read_gb_per_s"] / run["bandwidth_share"] - 1) < 1e-6,
                        f"{line}: bandwidth_share is another")
        if run.get("backward_error") is not None:
            self.expect(run["backward_error"] < 1e-6, f"{line}: backward error {run['backward_error']}")
            self.expect(run["normwise_error"] < 100, f"{line}: normwise error {run['normwise_error']}")

    def rows(self, section):
        """The cells of the lines of a section's tables that begin with a flag."""
        text = self.page.split(f"\n## {section}\n")[1].split("\n## ")[0]
        return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                for line in text.splitlines() if line.startswith("| `-")]

    def flags(self, command, section=None):
        """The page has all flags of a command, and the command has the flags of its section."""
        done = self.run([command, "--help-all"])
        self.expect(done.returncode == 0, f"{command} --help: {done.stderr}")
        found = set(re.findall(r"(?<![\w-])(--[a-z][\w.-]*|-o)\b", done.stdout)) - {"--help"}
        self.expect({"-o", "--out", "--json"} <= found, f"{command} has no -o or no --json")
        for flag in sorted(found):
            self.expect("_" not in flag, f"{command}: {flag} has an underscore")
            self.expect(re.search(re.escape(flag) + r"(?![\w.-])", self.page),
                        f"{command}: {flag} is not in the page")
        for cells in self.rows(section) if section else []:
            for flag in re.findall(r"`(--?[a-z][\w.-]*)", cells[0]):
                self.expect(flag in found, f"{command} has no {flag}, which the page gives it")

    def defaults(self, command, section):
        """Defaults that are one word or number are those of --help."""
        text = " ".join(self.run([command, "--help-all"]).stdout.split())
        for cells in self.rows(section):
            flag = re.findall(r"`(--[a-z][\w.-]*)", cells[0])[-1]
            found = re.search(re.escape(flag) + r" [^\[]*\[([^\]]*)\]", text)
            self.expect(found, f"{command} has no default of {flag}")
            if found and " " not in cells[2]:
                self.expect(same_word(cells[2], found[1]),
                            f"{flag}: the default is {found[1]}, not {cells[2]}")

    def has_no_gpu(self, words):
        """True if the GPU is missing; any other failure is left to the checks that follow."""
        done = self.run(["solve", "laplace2d:9", "--repeat", "1", *words])
        return done.returncode == 1 and ("no CUDA device" in done.stderr
                                         or "without CUDA" in done.stderr)

    def misuse(self, text, *words):
        done = self.run(words)
        self.expect(done.returncode == 2 and text in done.stderr,
                    f"{' '.join(words)}: status {done.returncode}, no '{text}' in {done.stderr!r}")


def same_word(a, b):
    """The same text, or the same number."""
    try:
        return float(a) == float(b)
    except ValueError:
        return a == b


MATRIX = """%%MatrixMarket matrix coordinate real general
4 4 9
1 1 4
2 2 2
3 3 8
4 4 16
3 1 1
4 2 3
1 3 -3
2 4 0.5
1 4 1
"""


def upper_of(text):
    """The upper triangle of a Matrix Market text."""
    head, size, *entries = text.splitlines()
    kept = [e for e in entries if int(e.split()[0]) <= int(e.split()[1])]
    return "\n".join([head, f"4 4 {len(kept)}", *kept]) + "\n"


def check_echelon(c, folder):
    for command in ("inspect", "generate", "factor", "solve", "smooth", "bench", "model", "calibrate"):
        c.flags(command, command)
    for section in ("Factor options", "Solver options"):
        c.flags("solve", section)
        c.defaults("solve", section)
    for gpu in ([], ["--backend", "cuda"]):
        if gpu and c.has_no_gpu(gpu):
            print("without a GPU: documents of --backend cuda were not checked")
            continue
        quick = ["--repeat", "2", *gpu]
        triangle, full = "echelon solve, a triangle", "echelon solve, full"
        c.document(triangle, "solve", "bidiagonal:50", *quick, "--setups", "2")
        c.document(triangle, "solve", "laplace2d:9", "--part", "lower", "--method", "tree", *quick)
        c.document(full, "solve", "laplace2d:9", *quick, "--nrhs", "3", "-o", folder / "x.mtx",
                   "--setups", "2")
        c.document(full, "solve", "laplace2d:9", "--refine", "auto", "--factor", "superlu", *quick)
        c.document("echelon smooth", "smooth", "laplace2d:9", *quick, "--setups", "2")
        c.document("echelon smooth --compare", "smooth", "laplace2d:9", "--compare", *quick)
        c.document("echelon bench", "bench", "bidiagonal:50", "laplace2d:9", *quick, "--nrhs", "3",
                   "--setups", "2")
        c.document("echelon bench", "bench", "laplace2d:9", "--part", "both", *quick)
        c.document("echelon bench", "bench", "laplace2d:9", *quick, *(["--by-level"] if gpu else []))
    c.document("echelon inspect", "inspect", "laplace2d:9")
    c.document("echelon inspect, supernodes", "inspect", "laplace2d:9", "--supernodes")
    c.document("echelon inspect, supernodes", "inspect", "laplace2d:9", "--factor", "superlu")
    c.document("echelon model", "model", "laplace2d:9", "--machine", "cori-knl", "--ranks", "1,4",
               "--simulate", "--levels")
    c.document("echelon model", "model", "bidiagonal:50", "--machine", "summit-v100", "--gpus", "2")
    c.document("echelon generate", "generate", "laplace2d:9", "-o", folder / "a.mtx")
    c.document("echelon factor", "factor", "laplace2d:9", "-o", folder / "a.factors", "--threads", "1")
    c.document("calibrate of all programs", "calibrate", "--quick", "-o", folder / "here.txt")
    # A JSON result goes to the file of -o, in addition to the table.
    for words in (["inspect", "laplace2d:9"], ["inspect", "laplace2d:9", "--supernodes"],
                  ["bench", "laplace2d:9", "--repeat", "1", "--contenders", "echelon:tree"],
                  ["model", "laplace2d:9", "--machine", "cori-knl", "--ranks", "4"],
                  ["smooth", "laplace2d:9", "--compare"]):
        done = c.run([*words, "-o", folder / "result.json"])
        c.expect(done.returncode == 0 and done.stdout, f"{words}: {done.stderr}")
        result = json.loads((folder / "result.json").read_text())
        c.expect(result["command"] == words[0], f"{words} -o")
        c.expect(result["out"] == str(folder / "result.json"), f"{words}: out is {result['out']}")
    for words in (["bidiagonal:50"], ["laplace2d:9", "--part", "full"]):
        runs = c.document("echelon bench", "bench", *words, "--repeat", "1", "--setups", "2")["runs"]
        c.expect({run["setups"] for run in runs if run["contender"].startswith("echelon:")} == {2},
                 f"{words}: Echelon was not set up twice")


def check_ranks(c, folder, program):
    solve = f"{program} solve"
    if program == "echelon-nvshmem" and c.has_no_gpu([]):
        print("skipped: there is no CUDA device")
        sys.exit(SKIPPED)
    c.flags("solve", solve)
    c.flags("calibrate")
    quick = ["--repeat", "2"]
    c.document(solve, "solve", "laplace2d:9", *quick, "--nrhs", "3", "--setups", "2", "--threads", "1")
    c.document(solve, "solve", "laplace2d:9", *quick, "--phase", "lower")
    c.document(solve, "solve", "laplace2d:9", *quick, "--as-is")
    c.document(solve, "solve", "laplace2d:9", *quick, "--timeout", "inf")
    c.document("calibrate of all programs", "calibrate", "--quick", "-o", folder / "here.txt")
    c.misuse("did you mean solve", "slove", "laplace2d:9")
    c.misuse("did you mean --repeat", "solve", "laplace2d:9", "--repeats", "2")
    c.misuse("at least 0", "solve", "laplace2d:9", "--timeout", "nan")
    c.misuse("does not go with --part lower", "solve", "laplace2d:9", "--part", "lower", "--factor",
             "cholmod")


def check_places(c, folder, program):
    """Errors in a file are reported with the file's own numbers, and with a flag only if there is one."""
    zero = folder / "zero.mtx"
    zero.write_text("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 0\n2 1 1\n")
    done = c.run(["solve", zero])
    c.expect(done.returncode == 1 and "zero.mtx: the diagonal entry of row 2 is zero" in done.stderr,
             f"a zero in row 2: status {done.returncode}, {done.stderr!r}")
    c.expect(("--unit" in done.stderr) == (program == "echelon"), f"a zero in row 2: {done.stderr!r}")
    full = folder / "places.mtx"
    full.write_text(MATRIX)
    reason = c.document(f"{program} solve" + (", full" if program == "echelon" else ""), "solve",
                        full, "--repeat", "1").get("factor_reason")
    c.expect(reason.startswith("not Hermitian: row 1 and column 1 have different entries; "), f"factor_reason is {reason}")


def check_systems(c, folder, program):
    """The same words mean the same system in every program: known solutions of a small matrix."""
    full, upper = folder / "full.mtx", folder / "upper.mtx"
    full.write_text(MATRIX)
    upper.write_text(upper_of(MATRIX))
    title = f"{program} solve" if program != "echelon" else None

    def expect_part(document, part, words):
        """Checks the part and its number of entries."""
        c.expect(document.get("part") == part, f"{words}: part is {document.get('part')}, not {part}")
        full_one = words[0] == full
        nnz = {"lower": 6, "upper": 7, "full": 9 if full_one else 7}[part]
        c.expect(document.get("nnz") == nnz, f"{words}: nnz is {document.get('nnz')}, not {nnz}")

    def answer(part, *words):
        out = folder / "x.mtx"
        kind = "full" if part == "full" else "a triangle"
        document = c.document(title or f"echelon solve, {kind}", "solve", *words, "-o", out)
        expect_part(document, part, words)
        c.expect(document.get("out") == str(out), f"{words}: out is {document.get('out')}")
        c.expect(document.get("backward_error", 1) is not None, f"{words}: no backward error")
        return [float(line) for line in out.read_text().splitlines() if line[0] not in "%"
                and len(line.split()) == 1]

    def expect_answer(part, expected, *words):
        found = answer(part, *words)
        good = len(found) == len(expected) and all(abs(f - e) < 1e-12 for f, e in zip(found, expected))
        c.expect(good, f"{words}: x is {found}, not {expected}")

    lower_x = [0.25, 0.5, 0.09375, -0.03125]
    upper_x = [0.328125, 0.484375, 0.125, 0.0625]
    whole_x = solve_densely([[4, 0, -3, 1], [0, 2, 0, 0.5], [1, 0, 8, 0], [0, 3, 0, 16]])
    expect_answer("full", whole_x, full)
    expect_answer("full", whole_x, full, "--factor", "superlu")
    expect_answer("full", whole_x, full, "--order", "natural")
    expect_answer("lower", lower_x, full, "--part", "lower")
    expect_answer("upper", upper_x, full, "--part", "upper")
    expect_answer("upper", upper_x, upper)
    expect_answer("full", upper_x, upper, "--part", "full")
    c.misuse("does not go with --part upper", "solve", str(full), "--part", "upper", "--factor",
             "superlu")
    if program != "echelon":
        return
    # Commands that do not solve report the same parts.
    for part, words in (("full", [full]), ("lower", [full, "--part", "lower"]),
                        ("upper", [full, "--part", "upper"]), ("upper", [upper])):
        expect_part(c.document("echelon inspect", "inspect", *words), part, words)
        expect_part(c.document("echelon model", "model", *words, "--machine", "cori-knl", "--ranks",
                               "2"), part, words)
        for run in c.document("echelon bench", "bench", *words, "--repeat", "1", "--contenders",
                              "echelon:tree").get("runs", []):
            expect_part(run, part, words)


def solve_densely(a):
    """Gauss-Jordan without pivoting, with a right-hand side of ones."""
    rows = [row + [1] for row in a]
    for k in range(len(rows)):
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [v - rows[i][k] * p for v, p in zip(rows[i], rows[k])]
    return [row[-1] for row in rows]


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    name, program, *launcher = arguments
    c = Checker(program, launcher)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        if name == "echelon":
            check_echelon(c, folder)
        else:
            check_ranks(c, folder, name)
        check_places(c, folder, name)
        check_systems(c, folder, name)
    for failure in c.failures:
        print(failure, file=sys.stderr)
    print(f"{c.count} checks of {name}, {len(c.failures)} failed")
    return 1 if c.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
