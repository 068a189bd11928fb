#!/usr/bin/env python3
# tools/check_python.py -- runs the Python blocks of our pages with the package that was built.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_python.py [PAGE...]  |  --self-test      PYTHONPATH names the built package

Blocks in ```python of a page (default: README.md and docs/**.md) run in order, in one namespace per
page and in an empty folder.  Lines with >>> are doctests.  <!-- needs MODULE --> before a block skips
it where that module cannot be imported.  Exits with 77, which ctest counts as skipped, where the
package `echelon` or NumPy is missing.
"""
import contextlib
import doctest
import importlib.util
import io
import os
import pathlib
import sys
import tempfile
import traceback

from check_blocks import CODE_OF_OTHERS, blocks_of, pages_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
SKIPPED = 77


def run_block(page, number, lines, names):
    """The reason why a block fails, or None."""
    code = "\n".join(lines) + "\n"
    if any(line.startswith(">>> ") for line in lines):
        test = doctest.DocTestParser().get_doctest(code, names, f"{page}:{number}", page, number)
        out = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        failed = runner.run(test, out=out.write, clear_globs=False).failed
        names.update(test.globs)
        return out.getvalue() if failed else None
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile("\n" * number + code, page, "exec"), names)  # pylint: disable=exec-used
    except Exception:  # pylint: disable=broad-except
        return traceback.format_exc(limit=-3)
    return None


def check_page(page, text):
    """Prints what ran; the number of blocks that failed."""
    bad, names, before = 0, {"__name__": "page"}, os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for number, notes, language, words, lines in blocks_of(text):
                if language != "python" or CODE_OF_OTHERS in words or "not run" in notes:
                    continue
                needed = notes.get("needs")
                if needed and importlib.util.find_spec(needed) is None:
                    print(f"skipped {page}:{number}   (there is no {needed} here)")
                    continue
                reason = run_block(page, number, lines, names)
                print(f"{'FAILED ' if reason else 'ok     '} {page}:{number}")
                if reason:
                    print(reason)
                    bad += 1
        finally:
            os.chdir(before)
    return bad


def self_test():
    page = """```python
x = 1
```
```python
>>> x + 1
2
>>> x
7
```
```python theirs
lost(
```
<!-- needs nosuchmodule -->
```python
import nosuchmodule
```
```python
x / 0
```
"""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        bad = check_page("self-test", page)
    assert bad == 2, out.getvalue()


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    missing = [name for name in ("numpy", "scipy", "echelon") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: there is no {' and no '.join(missing)} for {sys.executable}; build the Python package first")
        return SKIPPED
    pages = [ROOT / name for name in arguments] or pages_of(ROOT)
    return 1 if sum(check_page(str(p.relative_to(ROOT)), p.read_text(encoding="utf-8")) for p in pages) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
