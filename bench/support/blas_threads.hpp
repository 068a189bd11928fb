// bench/support/blas_threads.hpp -- how many threads the BLAS of this process takes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/types.hpp"

namespace echelon::bench {

// For the BLAS calls from now on.  Does nothing where the BLAS is not OpenBLAS, the only one
// that can be told without its header.
void set_blas_threads(Index threads);

}  // namespace echelon::bench
