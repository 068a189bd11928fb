#!/usr/bin/env python3
# tools/file_tables.py -- the file tables of docs/architecture.md, from the first lines of the files.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/file_tables.py [--write] [ROOT]    prints file:line and the reason, exits 1
       tools/file_tables.py --self-test

In the page,  <!-- files of src/base -->  and  <!-- end of files -->  enclose the table of one
folder: a header and its source share a row, which shows the first sentence of the header.  Every
folder with sources under include/, src/ and cli/ needs its two markers.  --write brings the tables
up to date; without it, a missing or stale table is an error.
"""
import pathlib
import re
import sys
import tempfile

PAGE = pathlib.Path("docs/architecture.md")
TREES = ("include", "src", "cli")
SUFFIXES = (".h", ".hpp", ".cuh", ".cpp", ".cu", ".cu.in", ".cpp.in")  # the first one gives the sentence
BEGIN = re.compile(r"<!-- files of (\S+) -->$")
END = "<!-- end of files -->"
LONGEST = 160  # characters of a sentence


def split_name(file):
    """The name of a file as stem and suffix; the suffix is None if it is no source."""
    stem, dot, suffix = file.name.partition(".")
    return stem, dot + suffix if dot + suffix in SUFFIXES else None


def find_folders(root):
    """Folders with sources, each with its files: {folder: {stem: [suffix, ...]}}."""
    folders = {}
    for tree in TREES:
        for file in sorted((root / tree).rglob("*")):
            stem, suffix = split_name(file)
            if suffix:
                folder = str(file.parent.relative_to(root))
                folders.setdefault(folder, {}).setdefault(stem, []).append(suffix)
    for stems in folders.values():
        for suffixes in stems.values():
            suffixes.sort(key=SUFFIXES.index)
    return folders


def first_sentence(file):
    """The purpose in the opening comment, up to its first full stop, or None."""
    opening = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("// ") or line.startswith("// SPDX"):
            break
        opening.append(line[3:].strip())
    _, dashes, purpose = " ".join(opening).partition(" -- ")
    if not dashes:
        return None
    return re.split(r"\.(?=\s+[A-Z]|\s*$)", purpose, maxsplit=1)[0]


def table_of(root, folder, stems):
    """The lines of a folder's table, and the (file, reason) of what is wrong with its files."""
    lines, wrong = ["| file | purpose |", "|---|---|"], []
    for stem, suffixes in sorted(stems.items()):
        file = pathlib.Path(folder, stem + suffixes[0])
        sentence = first_sentence(root / file)
        if sentence is None:
            wrong.append((file, "does not open with '// path -- purpose'"))
            continue
        if len(sentence) > LONGEST:
            wrong.append((file, f"its first sentence has over {LONGEST} characters"))
        names = " ".join(f"`{name}`" for name in [stem + suffixes[0], *suffixes[1:]])
        lines.append(f"| {names} | {sentence.replace('|', chr(92) + '|')} |")
    return lines, wrong


def update_page(root, lines):
    """The page with all tables up to date, and (file, line, reason) of what is wrong."""
    folders, fresh, wrong, k = find_folders(root), [], [], 0
    missing = set(folders)
    while k < len(lines):
        match, here = BEGIN.match(lines[k]), k + 1
        fresh.append(lines[k])
        k += 1
        if not match:
            continue
        folder = match.group(1)
        if END not in lines[k:]:
            wrong.append((PAGE, here, f"'{END}' is missing after this line"))
            continue
        end = lines.index(END, k)
        if folder in missing:
            table, reasons = table_of(root, folder, folders[folder])
            wrong += [(file, 1, reason) for file, reason in reasons]
            fresh += table
            missing.remove(folder)
        else:
            wrong.append((PAGE, here, f"{folder} has no sources, or a table above"))
        k = end
    wrong += [(PAGE, 1, f"has no '<!-- files of {folder} -->'") for folder in sorted(missing)]
    return fresh, wrong


def check(root, write):
    """Prints what is wrong and returns how much it is."""
    lines = (root / PAGE).read_text(encoding="utf-8").splitlines()
    fresh, wrong = update_page(root, lines)
    if fresh != lines and write:
        (root / PAGE).write_text("\n".join(fresh) + "\n", encoding="utf-8")
    elif fresh != lines:
        stale = next((k for k, (old, new) in enumerate(zip(lines, fresh)) if old != new), len(fresh) - 1)
        wrong.append((PAGE, stale + 1, "is not what the files say; tools/file_tables.py --write mends it"))
    for file, number, reason in wrong:
        print(f"{file}:{number}: {reason}")
    return len(wrong)


def self_test():
    """A small tree, written, checked, and spoiled in each way the check must see."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)

        def put(path, text):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")

        put(PAGE, f"by hand\n<!-- files of src/base -->\n{END}\nby hand too\n")
        put("src/base/a.cpp", "// base/a.cpp -- the source.\n// SPDX\n")
        put("src/base/a.hpp", "// base/a.hpp -- one | two, on\n// two lines.  More.\n// SPDX\n")
        put("src/base/notes.txt", "no source")
        assert check(root, write=False) == 1
        assert check(root, write=True) == 0 and check(root, write=False) == 0
        text = (root / PAGE).read_text(encoding="utf-8")
        assert "| `a.hpp` `.cpp` | one \\| two, on two lines |\n" in text, text
        assert text.startswith("by hand\n") and text.endswith(f"{END}\nby hand too\n"), text
        put("src/base/b.cu", "// base/b.cu -- new.\n")
        assert check(root, write=False) == 1 and check(root, write=True) == 0
        put("src/base/b.cu", "int opening_is_missing;\n")
        assert check(root, write=True) == 1
        put("src/base/b.cu", f"// base/b.cu -- {'long ' * 40}.\n")
        assert check(root, write=True) == 1
        (root / "src/base/b.cu").unlink()
        put("src/io/c.cpp", "// io/c.cpp -- a folder without a table.\n")
        assert check(root, write=True) == 1
        put(PAGE, f"<!-- files of src/base -->\n{END}\n<!-- files of src/io -->\n{END}\n<!-- files of src/none -->\n{END}\n")
        assert check(root, write=True) == 1
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    folders = [a for a in arguments if a != "--write"]
    root = pathlib.Path(folders[0] if folders else pathlib.Path(__file__).parents[1]).resolve()
    return 1 if check(root, "--write" in arguments) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
