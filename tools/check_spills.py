#!/usr/bin/env python3
# tools/check_spills.py -- loops over vectors must not move vectors to and from the stack.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_spills.py [--verbose] OBJECT...

Disassembles object files and looks at innermost loops with packed arithmetic.  A vector stored to
the stack there is one that the compiler found no register for: the kernels of a vector unit must be
written so that there is none.  Exits with 1 and the list of loops if there are some, with 77 if
there is no objdump.
"""
import argparse
import re
import shutil
import subprocess
import sys

ARITHMETIC = re.compile(r"^v?(fn?m(add|sub)\d*|mul|add|sub)p[sd]$|^f(mla|mls|mul|add|sub)$")
VECTOR = re.compile(r"%[xyz]mm\d|\bq\d|\bv\d+\.")
STACK = re.compile(r"\(%rsp[,)]|\[(sp|x29)")
FRAME = re.compile(r"\(%r[sb]p[,)]|\[(sp|x29)")  # where %rbp is the frame pointer
JUMP = re.compile(r"^(j\w+|b|b\.\w+|cbn?z|tbn?z)$")
ALWAYS = {"jmp", "b", "ret", "br"}


def functions(path):
    """Name and instructions (address, operation, operands) of each function."""
    text = subprocess.run([tool_for(path), "-d", "-C", "--no-show-raw-insn", path], check=True,
                          capture_output=True, text=True).stdout
    name, body = None, []
    for line in text.splitlines():
        if match := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            if body:
                yield name, body
            name, body = match[1], []
        elif match := re.match(r"^\s+([0-9a-f]+):\s+(\S+)\s*(.*)$", line):
            body.append((int(match[1], 16), match[2], match[3]))
    if body:
        yield name, body


def tool_for(path):
    with open(path, "rb") as file:
        header = file.read(20)
    return "aarch64-linux-gnu-objdump" if header[18] == 0xB7 else "objdump"


def target(operands, places):
    match = re.search(r"(?:^|[\s,])([0-9a-f]+) <", operands)
    return places.get(int(match[1], 16)) if match else None


def successors(body):
    """For each instruction, which may be next."""
    places = {address: i for i, (address, _, _) in enumerate(body)}
    after = []
    for i, (_, operation, operands) in enumerate(body):
        nexts = set()
        if JUMP.match(operation) and (to := target(operands, places)) is not None:
            nexts.add(to)
        if operation not in ALWAYS and i + 1 < len(body):
            nexts.add(i + 1)
        after.append(nexts)
    return after


def components(nodes, after):
    """Strongly connected components with a cycle, by Tarjan's method without recursion."""
    number, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in nodes:
        if root in number:
            continue
        work = [(root, iter(after[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for to in rest:
                if to not in nodes:
                    continue
                if to not in number:
                    number[to] = low[to] = len(number)
                    stack.append(to)
                    on_stack.add(to)
                    work.append((to, iter(after[to])))
                    break
                if to in on_stack:
                    low[node] = min(low[node], number[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    part = set()
                    while True:
                        last = stack.pop()
                        on_stack.discard(last)
                        part.add(last)
                        if last == node:
                            break
                    if len(part) > 1 or node in after[node]:
                        found.append(part)
    return found


def inner_loops(body):
    """The instructions of each innermost loop: components without their entries, until none is
    left inside."""
    after = successors(body)
    before = [set() for _ in body]
    for i, nexts in enumerate(after):
        for to in nexts:
            before[to].add(i)
    todo = components(set(range(len(body))), after)
    while todo:
        loop = todo.pop()
        entries = {i for i in loop if before[i] - loop} or {min(loop)}
        inside = components(loop - entries, after)
        if inside:
            todo += inside
        else:
            yield sorted(loop)


def spills(body):
    """Innermost loops with packed arithmetic: stack stores of vectors in each, if any."""
    framed = any(line[1:] == ("mov", "%rsp,%rbp") for line in body[:8])
    stack = FRAME if framed else STACK
    for loop in inner_loops(body):
        lines = [body[i] for i in loop]
        if sum(1 for _, operation, _ in lines if ARITHMETIC.match(operation)) < 2:
            continue
        yield [line for line in lines if stores_vector(stack, *line[1:])]


def stores_vector(stack, operation, operands):
    if operation.startswith(("str", "stp", "stur")):
        return bool(VECTOR.search(operands) and stack.search(operands))
    parts = re.split(r",(?![^(]*\))", operands)  # AT&T: the destination comes last
    return (operation.startswith(("mov", "vmov")) and bool(stack.search(parts[-1]))
            and bool(VECTOR.search(parts[0])))


def main():
    parser = argparse.ArgumentParser(prog="tools/check_spills.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("objects", nargs="+")
    parser.add_argument("--verbose", action="store_true", help="say how many loops there are")
    arguments = parser.parse_args()
    if any(shutil.which(tool_for(path)) is None for path in arguments.objects):
        print("check_spills: skipped, no objdump here")
        return 77
    bad = 0
    for path in arguments.objects:
        loops = 0
        for name, body in functions(path):
            for stores in spills(body):
                loops += 1
                bad += bool(stores)
                if stores:
                    print(f"{path}: {name}: {len(stores)} vectors go to the stack in a loop, "
                          f"first at {stores[0][0]:x}")
        if arguments.verbose:
            print(f"{path}: {loops} innermost loops over vectors")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
