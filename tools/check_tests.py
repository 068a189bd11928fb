#!/usr/bin/env python3
# tools/check_tests.py -- tests lie where the code they test lies, and each of them asserts something.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_tests.py [ROOT]      prints file:line and the reason, exits 1
       tools/check_tests.py --self-test

tests/<folder>/test_<name>.cpp tests src/<folder>/ (tests/cli/ tests cli/; so do bench/, bindings/ and adapters/).
Its name is that of a file there, of the folder, or of a public header of the room, with or without
an aspect: test_factor_file_memory.cpp.  The body of a TEST asserts, or calls a function of tests/
that does.
"""
import pathlib
import re
import sys
import tempfile

import check_rooms
from cpp_blocks import blocks_of, code_of

# Folders of tests that mirror no folder, and why.
NO_MIRROR = {
    "docs": "runs the commands of the pages",
    "install": "builds a project outside the tree",
    "neon": "runs kernels of ARM in an emulator",
    "sequence": "random calls of all solvers",
    "support": "what tests share",
}
# Tests of what tests themselves use: the file lies beside them.
OWN_TOOLS = {"tests/cli/test_json_reader.cpp"}

TEST_MACROS = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"}
ASSERTS = re.compile(r"\b(?:EXPECT|ASSERT)_[A-Z]|\b(?:FAIL|ADD_FAILURE)\(")
CALL = re.compile(r"(\.|(?<!this)->)?\b(\w+)(?:<[^;(){}]*>)?\(")


def is_test(path):
    return path.name.startswith("test_") and path.suffix == ".cpp"


def calls_in(code, library):
    """Names that are called here, but for members that the library has too: solver.solve(b, x)."""
    return {name for member, name in CALL.findall(code) if not member or name not in library}


def asserting_names(blocks, library, names=frozenset()):
    """Names of functions and classes that assert, by themselves or by what they call."""
    names = names | {name for name, body, *_ in blocks if ASSERTS.search(body)}
    calls = [(name, calls_in(body, library)) for name, body, *_ in blocks]
    while more := {name for name, called in calls if names & called} - names:
        names |= more
    return names


def check_asserts(codes, library):
    """Yields (file, line, reason) for each TEST that asserts nothing."""
    blocks = {path: list(blocks_of(code)) for path, code in codes.items()}
    shared = asserting_names([b for path in codes if not is_test(path) for b in blocks[path]], library)
    for path, code in codes.items():
        helpers = asserting_names(blocks[path], library, shared) - TEST_MACROS
        for name, body, begin, _ in blocks[path]:
            if name in TEST_MACROS and not ASSERTS.search(body) and not helpers & calls_in(body, library):
                head = code[:begin].rstrip()
                title = head[head.rindex(name):]
                yield path, head.count("\n") + 1, " ".join(title.split()) + " asserts nothing"


def names_of(root, folder):
    """What a test of tests/<folder>/ may be named after."""
    top = folder.parts[0]
    there = root / (folder if top in {"adapters", "bench", "bindings", "cli"} else "src" / folder)
    if not there.is_dir():
        return set()
    files = there.rglob("*") if top == "bench" else there.iterdir()
    names = {p.name.partition(".")[0] for p in files if p.is_file()}
    doors = {door.partition(".")[0] for door, room in check_rooms.DOORS.items() if room == str(folder)}
    return names | {folder.name} | {pathlib.PurePath(door).name for door in doors}


def check_names(root, tests):
    """Yields (file, line, reason) for each test file that lies beside no code it could test."""
    for path in tests:
        folder, name = path.parent.relative_to("tests"), path.stem.removeprefix("test_")
        if folder.parts and folder.parts[0] in NO_MIRROR or str(path) in OWN_TOOLS:
            continue
        names = names_of(root, folder) if folder.parts else set()
        if not names:
            yield path, 1, f"there is no folder of sources that tests/{folder} could mirror"
        elif not any(name == known or name.startswith(known + "_") for known in names):
            yield path, 1, f"'{name}' begins with the name of no file, header or folder of {folder}"


def check_tree(root):
    files = sorted(p.relative_to(root) for p in (root / "tests").rglob("*") if p.suffix in {".cpp", ".hpp"})
    codes = {path: code_of((root / path).read_text(encoding="utf-8")) for path in files}
    tests = [path for path in files if is_test(path)]
    library = set()
    for header in (root / "include").rglob("*.hpp"):
        library |= {name for _, name in CALL.findall(header.read_text(encoding="utf-8"))}
    return [*check_names(root, tests), *check_asserts(codes, library)]


# Each line: file, its text, and a word of the reason expected (or "" if it is fine).
SELF_TEST = [
    ("src/io/scan.cpp", "", ""),
    ("src/exec/cpu/rows/level.hpp", "", ""),
    ("cli/solve.cpp", "", ""),
    ("include/echelon/io.hpp", "void solve() const;", ""),
    ("tests/io/cases.hpp", "template <class T>\nvoid see(T t) {\n  EXPECT_EQ(t, '{');\n}", ""),
    ("tests/io/test_scan.cpp", 'TEST(A, B) { EXPECT_EQ(1, f("}")); }', ""),
    ("tests/io/test_scan_twice.cpp", "void look(int) { see<int>(3); }\nTEST(A, B) {\n  look(1);\n}", ""),
    ("tests/io/test_io_memory.cpp", "TEST(A, B) {\n  const int see = 3;\n  run();\n}", "TEST(A, B) asserts nothing"),
    ("tests/io/test_scanner.cpp", "", "'scanner' begins"),
    ("tests/io/test_scan_none.cpp", "TEST(A, B) { run(); }  // EXPECT_EQ(1, 1)", "asserts nothing"),
    ("tests/io/test_io_own.cpp", "void solve() { EXPECT_TRUE(x); }\nTEST(A, B) { solve(); }", ""),
    ("tests/io/test_io_member.cpp", "TEST(A, B) { solver.solve(); }", "asserts nothing"),
    ("tests/exec/cpu/rows/test_level.cpp", "", ""),
    ("tests/exec/cpu/test_level.cpp", "", "'level' begins"),
    ("tests/cli/test_solve_full.cpp", "TYPED_TEST(A, B) {\n  ASSERT_TRUE(x);\n}", ""),
    ("tests/lost/test_lost.cpp", "", "no folder"),
    ("tests/sequence/test_any.cpp", "", ""),
]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text, _ in SELF_TEST:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text + "\n", encoding="utf-8")
        found = {}
        for path, _, reason in check_tree(root):
            found.setdefault(str(path), []).append(reason)
    failures = [f"{path}: expected '{expected}', found {found.get(path)}" for path, _, expected in SELF_TEST
                if (expected != "") != (path in found) or not any(expected in r for r in found.get(path, [""]))]
    print("\n".join(failures) or f"self-test: {len(SELF_TEST)} cases as expected")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    found = check_tree(pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[1]).resolve())
    for path, line, reason in found:
        print(f"{path}:{line}: {reason}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
