# bench/gauss_seidel/problems.py -- the matrices of Li and Zhang as recipes.
# SPDX-License-Identifier: BSD-3-Clause
"""Imported by the scripts beside it; not a program."""
import pathlib

GRIDS_2D = ["2048x2048", "1024x4096", "512x8192", "256x16384", "128x32768"]
GRIDS_3D = ["128x128x128", "64x128x256", "64x64x512", "32x64x1024", "32x32x2048"]
TABLE1 = [f"laplace2d:{grid}:{points}" for points in (5, 9) for grid in GRIDS_2D]
TABLE2 = [f"laplace3d:{grid}:{points}" for points in (7, 27) for grid in GRIDS_3D]
GRIDS = TABLE1 + TABLE2
QUICK = ["laplace2d:512x512:5", "laplace2d:64x4096:9", "laplace3d:40x40x40:7",
         "laplace3d:16x16x200:27"]
PARABOLIC = "parabolic_fem"  # made here: no recipe has its numbering
# The matrices of Table 5 with a known pattern: the paper's name and our recipe.
TABLE5 = {"elasticity2D": "elasticity2d:708x708", "elasticity3D": "elasticity3d:69",
          "atmosmodd": "laplace3d:148x148x58:7", PARABOLIC: PARABOLIC}
TABLES = {"table1": TABLE1, "table2": TABLE2, "table5": list(TABLE5.values())}


def paper_name(matrix):
    """The name in the paper's table."""
    return next((name for name, ours in TABLE5.items() if ours == matrix), matrix)


def write_parabolic(path, width=513, height=1025):
    """The pattern of parabolic_fem, linear triangles on so many nodes, as a Matrix Market file.

    Numbered as after a refinement of the mesh: first the nodes of the coarser one, then those halfway
    along each direction of its edges.  No two of a kind are neighbours, so each triangle of the matrix
    has 4 levels; the original, refined from another mesh, has 7.
    """
    number = [[0] * width for _ in range(height)]
    n = 0
    for odd_x, odd_y in ((0, 0), (1, 0), (0, 1), (1, 1)):
        for row in number[odd_y::2]:
            some = len(row[odd_x::2])
            row[odd_x::2] = range(n + 1, n + 1 + some)
            n += some
    lines = [f"{i} {i} 6.5" for i in range(1, n + 1)]
    below = zip(number, number[1:])
    pairs = [pair for row in number for pair in zip(row, row[1:])]
    for row, after in below:
        pairs += [*zip(row, after), *zip(row, after[1:])]
    lines += [f"{i} {j} -1" if i > j else f"{j} {i} -1" for i, j in pairs]
    head = f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(lines)}\n"
    pathlib.Path(path).write_text(head + "\n".join(lines) + "\n", encoding="ascii")
