#!/usr/bin/env python3
# tools/check_c_interface.py -- the C headers, their definitions, the Fortran interfaces and the tests agree.
# SPDX-License-Identifier: BSD-3-Clause
"""Usage: tools/check_c_interface.py [--self-test]

Every function that include/echelon.h or echelon_mpi.h declares is marked ECHELON_API, defined once in
bindings/c/, called in tests/bindings/c/, and has an interface in bindings/fortran/ with as many
arguments.  The values of echelon_status are those of ErrorCode, and
constants of Fortran are those of C.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DECLARED = re.compile(r"(ECHELON_API )?\b(?:const char \*|[a-z]\w* )(echelon_\w+)\(([^;{]*)\);", re.S)
DEFINED = re.compile(r"^(?:[\w*]+ )+\*?(echelon_\w+)\(([^;{]*)\) \{", re.M)
INTERFACE = re.compile(r"(?:function|subroutine) (\w+)\(([^)]*)\)[\s&]*bind\(c(?:, name='(\w+)')?\)")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def declared(text):
    """{name: number of arguments} and the names that are not exported."""
    text = without_comments(text)
    text = text[text.index("extern"):]
    functions, hidden = {}, []
    for api, name, arguments in DECLARED.findall(text):
        functions[name] = 0 if arguments.strip() in ("", "void") else arguments.count(",") + 1
        if not api:
            hidden.append(name)
    return functions, hidden


def constants(text, pattern):
    return {name: int(value) for name, value in re.findall(pattern, text)}


def check(headers, sources, tests, fortran, error_header):
    functions, findings = {}, []
    for header in headers:
        found, hidden = declared(header)
        functions |= found
        findings += [f"{name} is declared without ECHELON_API" for name in hidden]
    definitions = [name for source in sources for name, _ in DEFINED.findall(without_comments(source))]
    interfaces = {}
    for text in fortran:
        for name, arguments, other in INTERFACE.findall(text):
            interfaces[other or name] = len([a for a in re.split(r"[,&\s]+", arguments) if a])
    called = "\n".join(tests)
    for name, arguments in functions.items():
        if definitions.count(name) != 1:
            findings.append(f"{name} is defined {definitions.count(name)} times in bindings/c")
        if not re.search(rf"\b{name}\(", called):
            findings.append(f"{name} is called by no test in tests/bindings/c")
        door = name.replace("echelon_", "echelon_fortran_", 1)  # a communicator is an integer there
        if interfaces.get(name, interfaces.get(door)) != arguments:
            findings.append(f"{name} has {arguments} arguments; its interface in bindings/fortran differs")
    findings += [f"{name} is defined in bindings/c, but in no header" for name in set(definitions) - set(functions)]
    in_c = {}
    for header in headers:
        in_c |= constants(without_comments(header), r"\b(ECHELON_[A-Z0-9_]+) = (\d+)")
    in_fortran = {}
    for text in fortran:
        in_fortran |= constants(text, r"parameter :: (ECHELON_\w+) = (\d+)")
    if in_c != in_fortran:
        findings.append(f"constants differ between C and Fortran: {sorted(set(in_c.items()) ^ set(in_fortran.items()))}")
    body = without_comments(re.search(r"enum class ErrorCode \{(.*?)\};", error_header, re.S).group(1))
    codes = {f"ECHELON_{word.split()[0].upper()}": k for k, word in enumerate((w for w in body.split(",") if w.strip()), 1)}
    for name, value in codes.items():
        if in_c.get(name) != value:
            findings.append(f"ErrorCode has {name} = {value}; echelon.h has {in_c.get(name)}")
    return findings


def self_test():
    header = 'extern "C" {\nECHELON_API echelon_status echelon_go(int *a, int b);\ntypedef enum { ECHELON_BAD = 1 } e;\n}'
    source = "echelon_status echelon_go(int* a,\n  int b) {\n}\n"
    test = "echelon_go(x, 1);"
    fortran = "function echelon_go(a, b) &\n bind(c) result(s)\ninteger, parameter :: ECHELON_BAD = 1\n"
    errors = "enum class ErrorCode {\n  bad = 1,  // a, b\n};"
    assert check([header], [source], [test], [fortran], errors) == []
    for wrong in ([header.replace("ECHELON_API ", "")], [source], [test], [fortran], errors), \
                 ([header], [""], [test], [fortran], errors), ([header], [source], [""], [fortran], errors), \
                 ([header], [source], [test], [fortran.replace(", b", "")], errors), \
                 ([header], [source], [test], [fortran.replace("= 1", "= 2")], errors), \
                 ([header], [source + source.replace("go", "stay")], [test], [fortran], errors), \
                 ([header], [source], [test], [fortran], errors.replace("bad", "worse")):
        assert len(check(*wrong)) == 1, check(*wrong)


def texts(folder, *patterns):
    return [p.read_text(encoding="utf-8") for pattern in patterns for p in sorted((ROOT / folder).glob(pattern))]


def main():
    self_test()
    if "--self-test" in sys.argv:
        return 0
    findings = check(texts("include", "*.h"), texts("bindings/c", "*.cpp"), texts("tests/bindings/c", "*.c", "*.cpp", "*.hpp"),
                     texts("bindings/fortran", "*.f90", "*.f90.in"),
                     (ROOT / "include/echelon/error.hpp").read_text(encoding="utf-8"))
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
