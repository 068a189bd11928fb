#!/usr/bin/env python3
# tools/skipped.py -- what a run of the tests left out, and why.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/skipped.py LEFT_OUT JUNIT [LEFT_OUT JUNIT]... | --self-test

LEFT_OUT is <build>/left_out.txt, parts that were not built; JUNIT is what ctest --output-junit
has written.  Prints one line per part, and one per reason with the number of its tests, for each
pair under the name of its build folder if there are several.
"""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

# GTEST_SKIP prints "file:line: Skipped" and the reason; our programs say it in a line of their own;
# pytest prints "SKIPPED [1] file:line: reason".
REASON = re.compile(r": Skipped\n+(.+)|^(?:skipped: (.+)|(compiled, but not run: .+)|"
                    r"(.*there is (?:no CUDA device|a GPU).*)|SKIPPED \[\d+\] [^ ]+: (.+))$", re.MULTILINE)


def reason_of(case):
    """Why a test did not run; None if it did."""
    status = case.get("status")
    if status == "disabled":
        return "disabled in this build"
    if status != "notrun" and case.find("skipped") is None:
        return None
    found = REASON.search(case.findtext("system-out") or "")
    if found:
        return next(filter(None, found.groups())).strip()
    skipped = case.find("skipped")
    return (skipped.get("message") if skipped is not None else None) or "no reason given"


def lines_of(left_out, junit):
    for line in left_out.splitlines():
        part, _, reason = line.partition(": ")
        yield f"not built: {part:12} {reason}"
    counts = collections.Counter(filter(None, map(reason_of, junit.iter("testcase"))))
    for reason, count in counts.most_common():
        yield f"skipped:   {count:4} tests   {reason}"


def self_test():
    junit = xml.etree.ElementTree.fromstring("""<testsuite>
      <testcase name="a" status="run"><system-out>fine: Skipped is a word</system-out></testcase>
      <testcase name="b" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
        <system-out>test_x.cpp:9: Skipped\nthere is no CUDA device here\n\n[ SKIPPED ]</system-out></testcase>
      <testcase name="c" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
      <testcase name="d" status="disabled"/>
      <testcase name="e" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
        <system-out>skipped: no compiler here\n</system-out></testcase></testsuite>""")
    assert list(lines_of("mpi: MPI 3 is not found\n", junit)) == [
        "not built: mpi          MPI 3 is not found",
        "skipped:      1 tests   there is no CUDA device here",
        "skipped:      1 tests   SKIP_RETURN_CODE=77",
        "skipped:      1 tests   disabled in this build",
        "skipped:      1 tests   no compiler here"]
    assert not list(lines_of("", xml.etree.ElementTree.fromstring("<testsuite/>")))


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    if not arguments or len(arguments) % 2 != 0:
        sys.exit(__doc__)
    for left_out, junit in zip(map(pathlib.Path, arguments[::2]), arguments[1::2]):
        lines = list(lines_of(left_out.read_text(encoding="utf-8"),
                              xml.etree.ElementTree.parse(junit).getroot()))
        if len(arguments) > 2:
            print(f"{left_out.parent.name}:")
        print("\n".join(lines) if lines else "nothing was left out or skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
