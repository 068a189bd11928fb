// cli/smooth.hpp -- the flags of echelon smooth and its two jobs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/smoother.hpp"
#include "input.hpp"
#include "options.hpp"
#include "right_sides.hpp"

namespace echelon::cli {

struct Smooth {
  std::string input;
  Index sweeps = 1;
  std::string rhs = "ones";
  std::string guess = "zeros";
  bool from_zero = false;
  Index nrhs = 0;  // 0: as many as the file of --rhs has, or one
  Layout layout = Layout::column_major;
  std::string out;
  Index repeat = usual_repeat;
  Index setups = 1;
  Precision precision = Precision::in_double;
  std::string commit;
  bool compare = false;  // -o then writes the document
  std::string methods;   // with compare on a device: the methods to time
  bool json = false;
  SmootherOptions options;

  bool on_device() const { return options.solver.backend != Backend::cpu; }
  SweepOptions sweep_options(void* stream = nullptr) const {
    return {.sweeps = sweeps, .guess = from_zero ? Guess::zero : Guess::given, .stream = stream};
  }
};

// A system to smooth.
template <Scalar T>
struct SmoothTask {
  Csr<T> a;
  VectorBlock<T> b;
  VectorBlock<T> x;  // the guess
};

// Times the smoother, on one thread and on the requested number, against plain serial loops; or
// several methods on a device.  Prints the table or the document.  Throws backend_failed if a
// result differs from that of a plain loop.
template <Scalar T>
void compare_sweeps(const Smooth& o, const SmoothTask<T>& task);

}  // namespace echelon::cli
