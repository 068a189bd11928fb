# tools/cpp_blocks.py -- the functions and classes of a C++ or CUDA file, found without a compiler.
# SPDX-License-Identifier: BSD-3-Clause
"""For tools/check_tests.py and tools/check_text.py: braces and parentheses are matched, no more."""
import re

NAME = re.compile(r"\b(\w+)\s*$")
CLASS = re.compile(r".*\b(?:class|struct) (\w+)[^;{}()]*$", re.S)
AFTER_ARGUMENTS = re.compile(r"\s*\b(const|noexcept|override|mutable)$|\s*->[^;{}()]*$")
NO_FUNCTION = {"if", "for", "while", "switch", "catch"}
# Comments, strings and characters, whose braces do not count.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)


def code_of(text):
    """The text with comments and literals blank, every line where it was."""
    return NO_CODE.sub(lambda m: '""' + "\n" * m.group().count("\n"), text)


def blocks_of(code):
    """All (name, body, where it begins, whether it is a class) of functions, classes and tests."""
    opened, partner, found = [], {}, []
    for k, sign in enumerate(code):
        if sign in "({":
            opened.append(k)
        elif sign in ")}" and opened:
            partner[k] = opened.pop()
            if sign == "}":
                found.append((partner[k], k))
    for begin, end in found:
        before = AFTER_ARGUMENTS.sub("", code[max(0, begin - 300):begin].rstrip())
        last = begin - 1 - code[begin - 1::-1].find(")") if before.endswith(")") else None
        named = CLASS.match(before) if last is None else NAME.search(code[:partner.get(last, 0)][-200:])
        if named and named.group(1) not in NO_FUNCTION:
            yield named.group(1), code[begin:end + 1], begin, last is None
