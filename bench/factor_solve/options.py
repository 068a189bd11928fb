# bench/factor_solve/options.py -- compares all options on one matrix (Figures 11 and 12).
# SPDX-License-Identifier: BSD-3-Clause
"""Imported by fig11.py and fig12.py; not a program."""
import argparse
import sys

import tables
from tables import harness


def main(figure, factor, description):
    parser = argparse.ArgumentParser(prog=f"bench/factor_solve/{figure}.py", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matrix", default="elasticity3d:20", help="(elasticity3d:20)")
    harness.add_common_arguments(parser, repeat=21)
    arguments = parser.parse_args()
    if not harness.build_program(arguments.program):
        return 1
    try:
        document = harness.run_json(arguments.program,
                                    tables.bench_words(arguments, arguments.matrix, factor))
    except harness.Failed as error:
        print(f"{figure}: {error}", file=sys.stderr)
        return 1
    command = (f"bench/factor_solve/{figure}.py --matrix {arguments.matrix} "
               f"--repeat {arguments.repeat} --threads {arguments.threads}")
    tables.finish(document, figure, arguments, command)
    return 0
