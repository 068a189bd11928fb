#!/usr/bin/env python3
# tools/new_file.py -- writes a new source file, its test, and their lines in the build files.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/new_file.py ROOM/FILE [PURPOSE]

tools/new_file.py analysis/level_sets "level sets of a triangle" writes
src/analysis/level_sets.cpp and tests/analysis/test_level_sets.cpp, and names them in
the CMakeLists.txt of their rooms and in docs/architecture.md.  Nothing that exists is overwritten.
"""
import pathlib
import re
import sys

import check_rooms
import file_tables

ROOT = pathlib.Path(__file__).resolve().parents[1]
SPDX = "// SPDX-License-Identifier: BSD-3-Clause\n"

SOURCE = """// {path} -- {purpose}.
{spdx}#include "{door}"

namespace echelon {{

}}  // namespace echelon
"""

TEST = """// {path} -- {purpose}.
{spdx}#include <gtest/gtest.h>

#include "{door}"

namespace echelon {{
namespace {{

TEST({suite}, SaysWhatItDoes) {{ FAIL() << "not written yet"; }}

}}  // namespace
}}  // namespace echelon
"""


def door_of(room):
    """The door a file of this room most likely implements."""
    top = room.split("/")[0]
    doors = [door for door, owner in check_rooms.DOORS.items() if owner == top]
    return "echelon/" + (doors[0] if top != "base" else "types.hpp")


def build_file(folder):
    """The CMakeLists.txt that speaks for a folder: its own, or the nearest above."""
    while not (folder / "CMakeLists.txt").is_file() and folder != ROOT:
        folder = folder.parent
    return folder / "CMakeLists.txt"


def add_line(build, head, entry):
    """Puts entry into the list that begins with `head`, sorted; starts the list if there is none."""
    text = build.read_text(encoding="utf-8")
    pattern = re.compile(re.escape(head) + r"((?:\s+[\w./-]+\.(?:cpp|cu))*)(\s+[A-Z][^)]*)?\s*\)")
    match = pattern.search(text)
    names = sorted({*(match.group(1).split() if match else []), entry})
    rest = f"\n  {match.group(2).strip()}" if match and match.group(2) else ""
    block = head + "\n  " + "\n  ".join(names) + rest + "\n)"
    if match:
        text = text[: match.start()] + block + text[match.end():]
    else:
        text += block + "\n"
    build.write_text(text, encoding="utf-8")


def write_new(path, text):
    file = ROOT / path
    if file.exists():
        sys.exit(f"new_file: {path} is there already")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    print(path)


def main(arguments):
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    room, _, name = arguments[0].removesuffix(".cpp").rpartition("/")
    if room not in check_rooms.ROOMS or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        rooms = ", ".join(check_rooms.ROOMS)
        sys.exit(f"new_file: give room/file_name, the room one of {rooms}")
    purpose = (arguments[1] if len(arguments) == 2 else "say here what it is for").rstrip(".")
    suite = "".join(word.capitalize() for word in name.split("_"))
    source = pathlib.Path("src", room, name + ".cpp")
    test = pathlib.Path("tests", room, f"test_{name}.cpp")

    write_new(source, SOURCE.format(path=f"{room}/{name}.cpp", purpose=purpose, spdx=SPDX,
                                    door=door_of(room)))
    write_new(test, TEST.format(path=test, purpose=purpose, spdx=SPDX, door=door_of(room),
                                suite=suite))
    build = build_file((ROOT / source).parent)
    add_line(build, "target_sources(echelon PRIVATE",
             str((ROOT / source).relative_to(build.parent)))
    build = build_file((ROOT / test).parent)
    add_line(build, f"echelon_test({room.split('/')[0]} SOURCES",
             str((ROOT / test).relative_to(build.parent)))
    return 1 if file_tables.check(ROOT, write=True) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
