// cli/solve.hpp -- the flags of echelon solve and its two jobs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "echelon/direct.hpp"
#include "factor_flags.hpp"
#include "input.hpp"
#include "options.hpp"
#include "right_sides.hpp"

namespace echelon::cli {

struct Refinement {
  bool is_on = false;
  RefineOptions options;
  std::string text = "off";  // as given
  bool given = false;        // by a flag; else `automatic` factors may ask for a step
};

struct Solve {
  std::string input;
  std::optional<Part> part;  // none: chosen from the matrix
  Op op = Op::none;
  bool unit = false;
  Index nrhs = 0;  // 0: as many as the file of --rhs has, or one
  Layout layout = Layout::column_major;
  std::string rhs = "ones";
  std::string out;
  Index repeat = usual_repeat;
  Index setups = 1;
  Precision precision = Precision::in_double;
  std::string alpha = "1";
  bool json = false;
  Options options;
  FactorRequest factor;   // for the whole matrix
  Refinement refinement;  // for the whole matrix
};

// The input of both jobs.
template <Scalar T>
struct SolveTask {
  Input input;
  Part part = Part::full;
  Csr<T> a;
  VectorBlock<T> b;
  double read_s = 0;
};

// Both solve, print a report and write the solution if requested.
template <Scalar T>
void solve_triangle(const Solve& o, const SolveTask<T>& task);
template <Scalar T>
void solve_full(const Solve& o, const SolveTask<T>& task);

}  // namespace echelon::cli
