#!/usr/bin/env python3
# tools/check_version.py -- version.hpp, CITATION.cff and CHANGELOG.md name the same version.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_version.py [ROOT]    prints the file and what it should say, exits 1
       tools/check_version.py --self-test

include/echelon/version.hpp is right; CMake reads it from there.  The first heading of CHANGELOG.md is
'## VERSION', or '## VERSION (DATE)' with the date of CITATION.cff, or '## Unreleased' between releases.
"""
import pathlib
import re
import sys


def version_of(header):
    numbers = [re.search(rf"^#define ECHELON_VERSION_{part} (\d+)$", header, re.M)
               for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(n.group(1) for n in numbers) if all(numbers) else None


def check(header, citation, changelog):
    """Yields what is wrong, with the file it is in."""
    version = version_of(header)
    if version is None:
        yield "include/echelon/version.hpp: has no ECHELON_VERSION_MAJOR, _MINOR and _PATCH"
        return
    cited = re.search(r"^version: (\S+)$", citation, re.M)
    date = re.search(r"^date-released: (\d{4}-\d\d-\d\d)$", citation, re.M)
    if cited is None or cited.group(1) != version:
        yield f"CITATION.cff: must say 'version: {version}', as include/echelon/version.hpp does"
    if date is None:
        yield "CITATION.cff: must say 'date-released: YYYY-MM-DD'"
        return
    heading = re.search(r"^## (.*)$", changelog, re.M)
    wanted = f"{version} ({date.group(1)})"
    if heading is None or heading.group(1) not in ("Unreleased", version, wanted):
        yield f"CHANGELOG.md: the first heading must be '## {wanted}' or '## Unreleased'"


def self_test():
    header = "".join(f"#define ECHELON_VERSION_{part} {k}\n"
                     for k, part in enumerate(("MAJOR", "MINOR", "PATCH"), start=1))
    citation = "version: 1.2.3\ndate-released: 2026-01-02\n"
    assert not list(check(header, citation, "# C\n## 1.2.3 (2026-01-02)\n## 1.2.2 (2025-01-02)\n"))
    assert not list(check(header, citation, "## Unreleased\n"))
    assert not list(check(header, citation, "## 1.2.3\n"))
    assert len(list(check(header, citation, "## 1.2.2 (2026-01-02)\n"))) == 1
    assert len(list(check(header, citation, "## 1.2.3 (2026-01-03)\n"))) == 1
    assert len(list(check(header, "version: 1.2.4\n", "## Unreleased\n"))) == 2
    assert len(list(check("", citation, "## Unreleased\n"))) == 1


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[1])
    texts = [(root / name).read_text(encoding="utf-8")
             for name in ("include/echelon/version.hpp", "CITATION.cff", "CHANGELOG.md")]
    wrong = list(check(*texts))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
