#!/usr/bin/env python3
# tools/check_blocks.py -- every code block of our pages is compiled, run or marked as not ours.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_blocks.py [ROOT]  |  --self-test    prints file:line and the reason, exits 1

Reads README.md and docs/**.md.  A fenced block must be one of
  <!-- from FILE [NAME] -->    before it: a part of an example or test (tools/check_snippets.py)
  sh, or "$ " lines            in a page that tests/docs/CMakeLists.txt gives to tools/check_commands.py,
                               or with <!-- not run: REASON --> or <!-- needs PART --> before it
  python                       not marked: tools/check_python.py runs it
  LANGUAGE theirs              code of another library, to compare with ours
  text                         an output, a drawing, a text that is no code
"""
import pathlib
import re
import sys
import tempfile

NOTE = re.compile(r"\s*<!-- (from|output of|needs|not run:|smaller:) ?(.*?) -->\s*$")
PAGES = re.compile(r"^\s*foreach\(page ([^)]*)\)", re.M)
CODE_OF_OTHERS = "theirs"


def blocks_of(text):
    """Yields (line number, notes, language, words, lines)."""
    notes, fence, begin, info, lines = {}, None, 0, [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if fence is not None:
            if line.strip() == fence:
                yield begin, notes, info[0] if info else "", info[1:], lines
                notes, fence = {}, None
            else:
                lines.append(line)
        elif match := NOTE.match(line):
            notes[match.group(1).rstrip(":")] = match.group(2)
        elif line.lstrip().startswith("```"):
            fence, begin, info, lines = "```", number, line.strip()[3:].split(), []
        elif line.strip():
            notes = {}


def reason_of(notes, language, words, lines, is_run):
    """Why a block is not checked by anything, or None."""
    if "from" in notes or "output of" in notes or CODE_OF_OTHERS in words or language == "text":
        return None
    if language == "python":
        return None
    if notes.get("not run"):
        return None
    if language == "sh" or any(line.startswith("$ ") for line in lines):
        return None if is_run else "its commands are not run: tests/docs/CMakeLists.txt does not name this page"
    if language == "":
        return "has no language; an output or a drawing is ```text"
    return f"{language} that nothing compiles: take it from a test (<!-- from FILE -->), or mark it `theirs`"


def pages_of(root):
    return sorted(p for p in [root / "README.md", *(root / "docs").rglob("*.md")] if p.is_file())


def check_tree(root):
    listing = root / "tests/docs/CMakeLists.txt"
    run = set(" ".join(PAGES.findall(listing.read_text(encoding="utf-8"))).split()) if listing.is_file() else set()
    for page in pages_of(root):
        name = str(page.relative_to(root))
        for number, *block in blocks_of(page.read_text(encoding="utf-8")):
            if reason := reason_of(*block, name in run):
                yield f"{name}:{number}: {reason}"


def self_test():
    page = """```cpp
bad();
```
<!-- from examples/a.cpp -->
```cpp
fine();
```
```cpp theirs
fine();
```
```
bad
```
```text
fine
```
```sh
bad
```
<!-- not run: it takes an hour -->
```sh
fine
```
```python
fine()
```
"""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "docs").mkdir()
        (root / "tests/docs").mkdir(parents=True)
        (root / "docs/a.md").write_text(page, encoding="utf-8")
        (root / "docs/b.md").write_text("```sh\nfine\n```\n", encoding="utf-8")
        (root / "tests/docs/CMakeLists.txt").write_text("  foreach(page docs/b.md)\n", encoding="utf-8")
        found = [text.split(": ")[0] for text in check_tree(root)]
    assert found == ["docs/a.md:1", "docs/a.md:11", "docs/a.md:17"], found


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[1]).resolve()
    found = list(check_tree(root))
    print("\n".join(found) if found else "", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
