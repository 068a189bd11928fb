#!/usr/bin/env python3
# bench/factor_solve/fig11.py -- the paper's Figure 11 on a CPU: every option with SuperLU's factors.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/factor_solve/fig11.py [--matrix RECIPE] [--repeat R] [--threads LIST] [--out FILE]

Symbolic and numeric setup, solves with L and with U, and stored values over those of A, for every
option of Echelon on A_20x20x20 factored by SuperLU in METIS' order; CHOLMOD and SuperLU beside it.
"""
import sys

import options

if __name__ == "__main__":
    sys.exit(options.main("fig11", "superlu", __doc__))
