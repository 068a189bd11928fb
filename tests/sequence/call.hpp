// tests/sequence/call.hpp -- a sequence of calls as data: its setting, its calls, and their text,
// which can be pasted into a test.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "echelon/batch.hpp"
#include "echelon/smoother.hpp"

namespace echelon::test {

// The object of a sequence.  The last four are device code emulated on the CPU.
enum class Kind { solver, direct, smoother, batch, ranks, bands, tiles, lists, shares };
enum class Precision { float32, float64, complex64, complex128 };
enum class Shape { diagonal, chain, random, dense, grid, blocks, arrow };

// The input of a sequence's two solvers: problem 0 has `n` unknowns, problem 1 about half as many.
struct Setting {
  Kind kind = Kind::solver;
  Precision precision = Precision::float64;
  Shape shape = Shape::random;
  Index n = 40;
  unsigned seed = 1;  // of the pattern
  Method method = Method::level_row;
  Backend backend = Backend::cpu;
  Uplo uplo = Uplo::lower;
  Op op = Op::none;
  Diagonal diagonal = Diagonal::stored;
  Order order = Order::rows;
  std::string package = "ilu0";  // direct: of factor_by_name, or "simplicial" or "triangles"
  Sweep sweep = Sweep::symmetric;
  SweepForm form = SweepForm::automatic;
  double omega = 1;
  Index systems = 1;  // batch
  BatchForm batch_form = BatchForm::automatic;
  Index threads = 2;        // on the CPU; bands: per thread block
  Index rhs_per_pass = 16;  // right-hand sides per pass
  VectorUnit unit = VectorUnit::automatic;
  double growth = 1e4;  // numeric.largest_growth
  bool low_precision = false;
  Index bands = 0, levels = 0;         // method superstep on a device; 0: chosen automatically
  Index shared_memory = 0;             // KiB per thread block; 0: all available
  Index grid_rows = 1, grid_cols = 1;  // ranks, shares
  bool flat_trees = false;

  // Calls v(name, field of a, field of b) for all fields.
  template <class A, class B, class Visitor>
  static void visit(A& a, B& b, Visitor&& v) {
    v("kind", a.kind, b.kind);
    v("precision", a.precision, b.precision);
    v("shape", a.shape, b.shape);
    v("n", a.n, b.n);
    v("seed", a.seed, b.seed);
    v("method", a.method, b.method);
    v("backend", a.backend, b.backend);
    v("uplo", a.uplo, b.uplo);
    v("op", a.op, b.op);
    v("diagonal", a.diagonal, b.diagonal);
    v("order", a.order, b.order);
    v("package", a.package, b.package);
    v("sweep", a.sweep, b.sweep);
    v("form", a.form, b.form);
    v("omega", a.omega, b.omega);
    v("systems", a.systems, b.systems);
    v("batch_form", a.batch_form, b.batch_form);
    v("threads", a.threads, b.threads);
    v("rhs_per_pass", a.rhs_per_pass, b.rhs_per_pass);
    v("unit", a.unit, b.unit);
    v("growth", a.growth, b.growth);
    v("low_precision", a.low_precision, b.low_precision);
    v("bands", a.bands, b.bands);
    v("levels", a.levels, b.levels);
    v("shared_memory", a.shared_memory, b.shared_memory);
    v("grid_rows", a.grid_rows, b.grid_rows);
    v("grid_cols", a.grid_cols, b.grid_cols);
    v("flat_trees", a.flat_trees, b.flat_trees);
  }
  bool operator==(const Setting&) const = default;
};

enum class Action {
  solve,       // compares with the oracle
  at_once,     // two callers in two threads, each with its own workspace
  update,      // to the values number `seed`
  bad_update,  // invalid values: solves are refused until the next update
  misuse,      // vectors that do not fit: an error, no change
  move,        // moves the solver to other memory
  swap,        // swaps the two solvers
  rebuild,     // move-assigns a new solver
  workspace,   // makes one more workspace for this solver
  check,
  profile,
};

// The system that is solved, if a solver has several.
enum class Part {
  plain,       // Solver, BatchSolver: M; DirectSolver: A; GaussSeidel: sweeps
  transposed,  // the transpose of M
  conjugated,  // its conjugate transpose
  and_back,    // M, then its conjugate transpose
  lower,       // of factors: L, U, L D U and the transposes of L and U
  upper,
  triangles,
  lower_transposed,
  upper_transposed,
  refined,   // A, by iterative refinement
  residual,  // GaussSeidel: b - A x
  norms,     // and its Euclidean norms
};

struct Call {
  Action action = Action::solve;
  Part part = Part::plain;
  Index solver = 0;  // the first or the second
  Index count = 1;   // right-hand sides; batch: of each system
  Layout layout = Layout::column_major;
  Index pad_b = 0, pad_x = 0;  // leading dimensions beyond the minimum
  bool in_place = false;       // x is b
  bool poison = false;         // a right-hand side has a NaN: the solve must throw
  Index alpha = 0;             // index into `alphas` below
  Index threads = 0;
  Index workspace = 0;  // 0: the solver's own, else one made by the sequence
  Index sweeps = 1;
  bool zero_guess = false;
  bool on_device = false;  // b and x are in device memory
  Index stream = 0;        // index into the test's streams
  unsigned seed = 0;       // of the vectors

  template <class A, class B, class Visitor>
  static void visit(A& a, B& b, Visitor&& v) {
    v("action", a.action, b.action);
    v("part", a.part, b.part);
    v("solver", a.solver, b.solver);
    v("count", a.count, b.count);
    v("layout", a.layout, b.layout);
    v("pad_b", a.pad_b, b.pad_b);
    v("pad_x", a.pad_x, b.pad_x);
    v("in_place", a.in_place, b.in_place);
    v("poison", a.poison, b.poison);
    v("alpha", a.alpha, b.alpha);
    v("threads", a.threads, b.threads);
    v("workspace", a.workspace, b.workspace);
    v("sweeps", a.sweeps, b.sweeps);
    v("zero_guess", a.zero_guess, b.zero_guess);
    v("on_device", a.on_device, b.on_device);
    v("stream", a.stream, b.stream);
    v("seed", a.seed, b.seed);
  }
  bool operator==(const Call&) const = default;
};
using Calls = std::vector<Call>;

inline constexpr std::complex<double> alphas[] = {{1, 0}, {-2, 0.5}, {0.25, 0}, {0, 0}};

// As C++ text: the fields that differ from the default, {.count = 8, .seed = 2}.
std::string text_of(const Setting& setting);
std::string text_of(const Call& call);
// As one statement of a test: expect_right(make_..._subject, setting, {calls}).
std::string text_of(const Setting& setting, const Calls& calls);

}  // namespace echelon::test
