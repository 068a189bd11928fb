#!/usr/bin/env python3
# tools/check_packaging.py -- the recipes of packaging/ name the version, options and commands that exist.
# SPDX-License-Identifier: BSD-3-Clause
"""Usage: tools/check_packaging.py [--self-test]

Compares packaging/ with the build: the version with version.hpp, CMake options with those that
CMakeLists.txt and cmake/ declare, commands and flags of ./dev with its help.  The Spack recipe must be
valid Python, the Conda recipe must have its sections, and the Containerfile known instructions only."""
import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPACK = "packaging/spack/packages/echelon/package.py"
CONDA = "packaging/conda/meta.yaml"
CONTAINER = "packaging/Containerfile"
INSTRUCTIONS = {"FROM", "COPY", "WORKDIR", "RUN", "ENV", "ENTRYPOINT", "USER", "LABEL", "ARG", "CMD"}
SECTIONS = ["package", "source", "build", "requirements", "test", "about"]


def declared_options(texts):
    """The CMake options of the build; echelon_factor_package(NAME) declares ECHELON_WITH_NAME."""
    found = {"BUILD_SHARED_LIBS"}
    for text in texts:
        found |= set(re.findall(r"option\((ECHELON_\w+)", text))
        found |= {"ECHELON_" + name for name in re.findall(r"echelon_choice\((\w+)", text)}
        found |= {"ECHELON_WITH_" + name.upper() for name in re.findall(r"echelon_factor_package\((\w+)", text)}
    return found


def named_options(text):
    return set(re.findall(r"(?:\b|-D)(ECHELON_(?:WITH|BUILD)_\w+)", text))


def version_of(header):
    return ".".join(re.findall(r"#define ECHELON_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


def check_options(name, text, known):
    return [f"{name}: there is no CMake option {option}" for option in sorted(named_options(text) - known)]


def check_spack(text, version, known):
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return [f"{SPACK}:{error.lineno}: {error.msg}"]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    first = {name: [c.args[0].value for c in calls if c.func.id == name and c.args] for name in ("version", "variant")}
    findings = check_options(SPACK, text, known)
    if version not in first["version"]:
        findings.append(f"{SPACK}: version {version} is missing")
    for option, variant in re.findall(r'define_from_variant\("(\w+)", "(\w+)"\)', text):
        if variant not in first["variant"] and variant != "cuda":  # that one is CudaPackage's
            findings.append(f"{SPACK}: {option} is set from variant {variant}, which is not declared")
    return findings


def check_conda(text, version, known):
    findings = check_options(CONDA, text, known)
    if f'version = "{version}"' not in text:
        findings.append(f"{CONDA}: the version is not {version}")
    sections = re.findall(r"^(\w+):$", text, re.M)
    if sections != SECTIONS:
        findings.append(f"{CONDA}: sections are {sections}, expected {SECTIONS}")
    findings += [f"{CONDA}:{k}: a tab; YAML takes blanks only"
                 for k, line in enumerate(text.splitlines(), 1) if "\t" in line]
    return findings


def check_container(text, dev):
    findings = []
    joined = re.sub(r"\\\n", " ", text)
    for line in joined.splitlines():
        word = line.split(" ", 1)[0]
        if line and not line.startswith("#") and word not in INSTRUCTIONS:
            findings.append(f"{CONTAINER}: '{word}' is no instruction")
    if not joined.lstrip("# -,:.\n").strip() or not re.search(r"^FROM \S+", joined, re.M):
        findings.append(f"{CONTAINER}: there is no FROM")
    for command in re.findall(r"\./dev (\w+)", joined):
        if not re.search(rf"^  {command}\)$", dev, re.M):
            findings.append(f"{CONTAINER}: ./dev has no command {command}")
    return findings


def check(read):
    cmake = [read("CMakeLists.txt")] + [read(str(p.relative_to(ROOT))) for p in ROOT.glob("cmake/*.cmake")]
    known = declared_options(cmake)
    version = version_of(read("include/echelon/version.hpp"))
    return (check_spack(read(SPACK), version, known) + check_conda(read(CONDA), version, known)
            + check_container(read(CONTAINER), read("dev")))


def self_test():
    known = declared_options(['option(ECHELON_BUILD_CLI "x" ON)', "echelon_choice(WITH_MPI t AUTO)",
                              'echelon_factor_package(SuperLU "s")'])
    assert known == {"BUILD_SHARED_LIBS", "ECHELON_BUILD_CLI", "ECHELON_WITH_MPI", "ECHELON_WITH_SUPERLU"}
    assert check_options("f", "-DECHELON_WITH_MPI=ON -DECHELON_WITH_MOON=ON", known) == [
        "f: there is no CMake option ECHELON_WITH_MOON"]
    assert check_spack("def (", "1.0.0", known) and check_spack('version("0.9.0")', "1.0.0", known)
    assert check_spack('version("1.0.0")\ndefine_from_variant("ECHELON_WITH_MPI", "mpi")', "1.0.0", known)
    assert not check_spack('version("1.0.0")\nvariant("mpi")\ndefine_from_variant("ECHELON_WITH_MPI", "mpi")',
                           "1.0.0", known)
    good = '{% set version = "1.0.0" %}\n' + "".join(f"{s}:\n" for s in SECTIONS)
    assert not check_conda(good, "1.0.0", known) and check_conda(good, "1.0.1", known)
    assert check_conda(good.replace("test:\n", ""), "1.0.0", known)
    dev = "  build)\n"
    assert not check_container("FROM a\nRUN ./dev build \\\n --x\n", dev)
    assert check_container("FROM a\nRUN ./dev fly\n", dev) and check_container("FORM a\n", dev)


def main():
    self_test()
    if "--self-test" in sys.argv:
        return 0
    findings = check(lambda path: (ROOT / path).read_text())
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
