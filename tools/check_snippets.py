#!/usr/bin/env python3
# tools/check_snippets.py -- code shown in our pages equals the example it is taken from.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_snippets.py [--write] [ROOT]    prints file:line and the reason, exits 1

In a page,  <!-- from examples/01_solve_lower.cpp -->  stands right before a fenced block.
The block must equal the lines between the marker lines of that file, '// [doc' and
'// doc]' ('#' for '//' in Python, '!' in Fortran), or the whole file if it has none.
<!-- from FILE NAME -->  takes the part after '// [doc NAME' alone.  --write copies the code
into the pages instead of complaining.
"""
import pathlib
import re
import sys
import textwrap

FROM = re.compile(r"\s*<!-- from (\S+)(?: (\w+))? -->\s*$")
BEGIN = re.compile(r"\s*(?://|#|!) \[doc\b ?(\w*)")
END = re.compile(r"\s*(//|#|!) doc\]")
NOT_OURS = {".git", "build", ".venv", ".cache", "carry"}


def marked_part(text, name=None):
    """The lines between the markers (several parts follow each other), or all lines; of one name."""
    lines = text.splitlines()
    if name is None and not any(BEGIN.match(line) for line in lines):
        return lines
    part, inside = [], False
    for line in lines:
        if match := BEGIN.match(line):
            inside = name is None or match.group(1) == name
        elif END.match(line):
            inside = False
        elif inside:
            part.append(line)
    return textwrap.dedent("\n".join(part)).splitlines()


def fenced_block(lines, k):
    """(first, end) of the block whose fence opens at line k, or None."""
    if k >= len(lines) or not lines[k].lstrip().startswith("```"):
        return None
    end = next((e for e in range(k + 1, len(lines)) if lines[e].strip() == "```"), None)
    return None if end is None else (k + 1, end)


def check_page(root, page, lines):
    """Yields (line, reason, block, wanted); the last two are None if nothing can be copied."""
    for k in range(len(lines) - 1, -1, -1):  # from the end, so that copying moves no line to come
        match = FROM.match(lines[k])
        if not match:
            continue
        source, block = root / match.group(1), fenced_block(lines, k + 1)
        if not source.is_file():
            yield k + 1, f"there is no {match.group(1)}", None, None
        elif block is None:
            yield k + 1, "no fenced block follows", None, None
        else:
            wanted = marked_part(source.read_text(encoding="utf-8"), match.group(2))
            if not wanted:
                yield k + 1, f"{match.group(1)} has no part {match.group(2)}", None, None
            elif lines[slice(*block)] != wanted:
                yield block[0] + 1, f"differs from {match.group(1)}", block, wanted


def main(arguments):
    write = "--write" in arguments
    folders = [a for a in arguments if a != "--write"]
    root = pathlib.Path(folders[0] if folders else pathlib.Path(__file__).parents[1]).resolve()
    bad = 0
    for file in sorted(root.rglob("*.md")):
        page = file.relative_to(root)
        if NOT_OURS & set(page.parts):
            continue
        lines = file.read_text(encoding="utf-8").splitlines()
        for number, reason, block, wanted in check_page(root, page, lines):
            if write and block:
                lines[slice(*block)] = wanted
                file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            else:
                print(f"{page}:{number}: {reason}")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
