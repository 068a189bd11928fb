#!/usr/bin/env python3
# tools/check_links.py -- files and headings that our pages name exist.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_links.py [ROOT]  |  --self-test    prints file:line and the reason, exits 1

Checks every .md file.  [text](target): a relative target is a file or folder, and #anchor is a
heading of that page, spelled as GitHub does.  `src/a.cpp`, `tests/b.py` and the like, from the root
on, are files or folders too.  Fenced blocks, addresses (https:) and names in capitals, which stand
for any file, are skipped.
"""
import pathlib
import re
import sys
import tempfile

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:src|include|cli|tests|bench|examples|docs|tools|machines)/[a-z0-9_./-]+)`")
NOT_OURS = {".git", "build", ".venv", ".cache", "carry"}


def plain_lines(text):
    """(number, line) of the lines outside of fenced blocks."""
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(text):
    """The anchors of a page's headings: lower case, no punctuation, hyphens for blanks."""
    titles = (line.lstrip("#").strip() for _, line in plain_lines(text) if line.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_page(root, page):
    """Yields (line, reason)."""
    text = page.read_text(encoding="utf-8")
    for number, line in plain_lines(text):
        for name in PATH.findall(line):
            if not (root / name).exists():
                yield number, f"there is no {name}"
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            name, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            file = page.parent / name if name else page
            if not file.exists():
                yield number, f"there is no {target}"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
                yield number, f"{file.name} has no heading #{anchor}"


def self_test():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        page = root / "a.md"
        page.write_text("# One, two\n[ok](a.md#one-two) [ok](#one-two) `[no](link)` `src/ROOM/x.cpp`\n"
                        "```\n[no](link)\n```\n[bad](b.md) [bad](a.md#two) [ok](https://x.org/#y)\n"
                        "`src/none.cpp`\n")
        found = list(check_page(root, page))
    assert found == [(6, "there is no b.md"), (6, "a.md has no heading #two"),
                     (7, "there is no src/none.cpp")], found


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[1]).resolve()
    bad = 0
    for page in sorted(root.rglob("*.md")):
        if NOT_OURS & set(page.relative_to(root).parts):
            continue
        for number, reason in check_page(root, page):
            print(f"{page.relative_to(root)}:{number}: {reason}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
