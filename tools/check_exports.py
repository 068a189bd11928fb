#!/usr/bin/env python3
# tools/check_exports.py -- public headers export what they declare (include/echelon/export.hpp).
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_exports.py [--write] [FILE...]   prints file:line and the reason, exits 1
       tools/check_exports.py --self-test

FILE: by default all public headers, and the private ones that open default visibility because
another of our libraries uses them.  Such a header opens it around its namespace, and its function
templates without a body have ECHELON_EXPORT.  --write adds both.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PUSH = "#pragma GCC visibility push(default)"
POP = "#pragma GCC visibility pop"
NAMESPACE = re.compile(r"^namespace echelon \{", re.M)
CLOSED = re.compile(r"^\}  // namespace echelon$", re.M)
# What is declared by a template and is no function.
OTHER_KINDS = re.compile(r"(class|struct|union|using|concept|inline|constexpr|friend)\b")
DEDUCTION_GUIDE = re.compile(r"^(explicit\s+)?\w+\s*\(.*\)\s*->", re.S)


def without_comments(text):
    """The same length, with blanks for comments and strings: positions stay."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())  # noqa: E731
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"|^\s*#[^\n]*(\\\n[^\n]*)*', blank, text,
                  flags=re.S | re.M)


def after_parameters(code, k):
    """The position after `template <...>` whose angle bracket opens at k."""
    depth = 0
    for k in range(k, len(code)):
        depth += {"<": 1, ">": -1}.get(code[k], 0)
        if depth == 0:
            return k + 1
    raise ValueError("a template parameter list does not end")


def template_functions(text):
    """Positions where the declarations of function templates without a body begin."""
    code = without_comments(text)
    depth = 0
    for match in re.finditer(r"[{}]|\btemplate\s*<", code):
        if match.group() in "{}":
            depth += 1 if match.group() == "{" else -1
            continue
        begin = after_parameters(code, match.end() - 1)
        begin += len(code[begin:]) - len(code[begin:].lstrip())
        end = re.compile(r"[;{]").search(code, begin)
        # `= {}` is a default argument, not a body.
        while end and end.group() == "{" and re.search(r"=\s*$", code[begin:end.start()]):
            end = re.compile(r"[;{]").search(code, code.index("}", end.end()))
        declaration = code[begin:end.start()] if end else ""
        if (depth == 1 and end and end.group() == ";" and "(" in declaration
                and not declaration.startswith("template") and not OTHER_KINDS.match(declaration)
                and not DEDUCTION_GUIDE.match(declaration)):
            yield begin


def corrected(text):
    """The text with what was missing, and a list of (line, reason)."""
    found = []
    opened = NAMESPACE.search(text)
    if opened is None:
        return text, found
    line = lambda k: text.count("\n", 0, k) + 1  # noqa: E731
    edits = []
    for k in template_functions(text):
        if not text.startswith("ECHELON_EXPORT", k):
            edits.append((k, "ECHELON_EXPORT "))
            found.append((line(k), "a function template needs ECHELON_EXPORT"))
    if text.count(PUSH) == 0:
        edits.append((opened.start(), PUSH + "\n"))
        found.append((line(opened.start()), f"'{PUSH}' is missing before the namespace"))
    closed = list(CLOSED.finditer(text))
    if text.count(POP) == 0 and closed:
        edits.append((closed[-1].end(), "\n" + POP))
        found.append((line(closed[-1].end()), f"'{POP}' is missing after the namespace"))
    for k, added in sorted(edits, reverse=True):
        text = text[:k] + added + text[k:]
    return text, sorted(found)


SAMPLE = """#include <span>
namespace echelon {
template <Scalar T, class F = std::function<void()>>
Csr<T> read(const Options& o = {}, std::span<const T> = {});
template <Scalar T>
Csr<T> read(int a) { return {}; }
template <Scalar T>
class Solver {
  template <class V>
  void visit(V&& v);
};
template <Scalar T>
Solver(const Csr<T>&) -> Solver<T>;
template <class T>
concept Fine = true;
// template <class T> void f();
}  // namespace echelon
"""


def self_test():
    text, found = corrected(SAMPLE)
    assert [line for line, _ in found] == [2, 4, 17], found
    assert "ECHELON_EXPORT Csr<T> read(const" in text and text.count("ECHELON_EXPORT") == 1, text
    assert corrected(text) == (text, []), text


def exporting_headers():
    public = (ROOT / "include").rglob("*.hpp")
    private = (ROOT / "src").rglob("*.hpp")
    return sorted(public) + sorted(f for f in private if PUSH in f.read_text(encoding="utf-8"))


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    write = "--write" in arguments
    files = [pathlib.Path(a).resolve() for a in arguments if a != "--write"]
    bad = 0
    for file in files or exporting_headers():
        text, found = corrected(file.read_text(encoding="utf-8"))
        if write and found:
            file.write_text(text, encoding="utf-8")
        elif found:
            bad += len(found)
            for line, reason in found:
                print(f"{file.relative_to(ROOT)}:{line}: {reason}")
    if bad:
        print("tools/check_exports.py --write adds them")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
