// tests/sequence/draw_calls.cpp -- random settings and calls.
// SPDX-License-Identifier: BSD-3-Clause
#include "sequence/draw_calls.hpp"

#include "base/vector_unit.hpp"
#include "echelon/factor.hpp"

namespace echelon::test {
namespace {

const std::vector<Method> row_methods = {Method::serial,         Method::level_row,
                                         Method::level_column,   Method::element_row,
                                         Method::element_column, Method::superstep};
const std::vector<Method> block_methods = {
    Method::plain,      Method::stream, Method::team,    Method::merge,       Method::invert_diag,
    Method::invert_off, Method::spmv,   Method::dynamic, Method::invert_full, Method::tree};

Method draw_method(Draw& draw, Backend backend) {
  if (draw.once_in(10)) return Method::automatic;
  Method m = draw.from(draw.once_in(2) ? row_methods : block_methods);
  while (backend == Backend::cuda && m == Method::serial) m = draw.from(row_methods);
  return m;
}

// Only panels in our own layout can have values in single precision.
bool takes_low_precision(Method method) {
  return is_supernodal(method) && recipe_of(method).layout != PanelLayout::plain;
}

Setting draw_blocks(Draw& draw, Kind kind, Index most_n) {
  Setting s = draw_matrix(draw, kind, most_n);
  s.rhs_per_pass = draw.from({1, 3, 16, 16});
  const auto units = vector_units();
  if (draw.once_in(2)) s.unit = draw.from(std::vector<VectorUnit>(units.begin(), units.end()));
  if (draw.once_in(4)) s.growth = 0;  // no block is inverted
  return s;
}

}  // namespace

Setting draw_matrix(Draw& draw, Kind kind, Index most_n) {
  Setting s;
  s.kind = kind;
  s.precision = static_cast<Precision>(draw.below(4));
  s.shape = static_cast<Shape>(draw.below(7));
  s.n = draw.once_in(12) ? draw.below(4) : 2 + draw.below(most_n - 1);
  s.seed = static_cast<unsigned>(draw.below(1000));
  s.threads = 1 + draw.below(4);
  return s;
}

Setting draw_solver(Draw& draw, Backend backend) {
  Setting s = draw_blocks(draw, Kind::solver, backend == Backend::cuda ? 400 : 120);
  s.backend = backend;
  s.method = draw_method(draw, backend);
  if (s.method == Method::invert_full) s.growth = 1e4;  // it cannot keep triangles
  s.uplo = draw.from({Uplo::lower, Uplo::upper});
  s.op = draw.from({Op::none, Op::none, Op::transpose, Op::conjugate});
  s.diagonal = draw.from({Diagonal::stored, Diagonal::stored, Diagonal::unit});
  s.order = draw.from({Order::rows, Order::columns});
  if (backend == Backend::cuda && draw.once_in(2)) {
    s.bands = 1 + draw.below(9);
    s.levels = 1 + draw.below(8);
  }
  return s;
}

Setting draw_direct(Draw& draw, Backend backend) {
  Setting s = draw_blocks(draw, Kind::direct, 90);
  s.backend = backend;
  std::vector<std::string> packages = factor_packages();
  packages.push_back("triangles");
  for (const std::string& package : factor_packages())
    if (package == "cholmod") packages.push_back("simplicial");
  s.package = draw.from(packages);
  const bool in_panels = s.package != "ilu0" && s.package != "ic0" && s.package != "triangles" &&
                         s.package != "simplicial";
  do s.method = draw_method(draw, backend);
  while (in_panels && s.method != Method::automatic && !is_supernodal(s.method));
  if (s.method == Method::invert_full) s.growth = 1e4;
  s.low_precision = takes_low_precision(s.method) && draw.once_in(6);
  return s;
}

Setting draw_smoother(Draw& draw, Backend backend) {
  Setting s = draw_matrix(draw, Kind::smoother, 120);
  s.backend = backend;
  s.sweep = static_cast<Sweep>(draw.below(3));
  s.form = draw.from({SweepForm::row, SweepForm::row, SweepForm::column});
  s.omega = draw.from({1.0, 1.3, 0.7});
  s.method = s.form == SweepForm::row
                 ? draw.from({Method::serial, Method::level_row, Method::element_row,
                              Method::superstep, Method::automatic})
                 : draw.from({Method::level_column, Method::element_column, Method::tree,
                              Method::superstep, Method::automatic});
  if (backend != Backend::cuda) return s;
  if (s.method == Method::serial) s.method = Method::level_row;
  s.form = SweepForm::automatic;  // each method has only one form there
  return s;
}

Setting draw_batch(Draw& draw, Backend backend) {
  Setting s = draw_matrix(draw, Kind::batch, 60);
  const auto units = vector_units();
  if (draw.once_in(2)) s.unit = draw.from(std::vector<VectorUnit>(units.begin(), units.end()));
  s.backend = backend;
  s.uplo = draw.from({Uplo::lower, Uplo::upper});
  s.op = draw.from({Op::none, Op::none, Op::transpose, Op::conjugate});
  s.diagonal = draw.from({Diagonal::stored, Diagonal::stored, Diagonal::unit});
  s.order = draw.from({Order::rows, Order::columns});
  s.systems = draw.from({1, 2, 7, 8, 9, 17, 33});
  s.method = Method::automatic;
  s.batch_form = draw.once_in(2) ? BatchForm::automatic : BatchForm::interleaved;
  if (backend == Backend::cuda || !draw.once_in(4)) return s;
  s.batch_form = BatchForm::separate;
  s.method = draw.from({Method::serial, Method::level_row, Method::superstep});
  return s;
}

Setting draw_ranks(Draw& draw) {
  Setting s = draw_blocks(draw, Kind::ranks, 60);
  s.order = Order::columns;
  s.grid_rows = 1 + draw.below(3);
  s.grid_cols = 1 + draw.below(2);
  s.flat_trees = draw.once_in(2);
  return s;
}

Setting draw_emulated(Draw& draw, Kind kind) {
  Setting s = draw_matrix(draw, kind, kind == Kind::bands ? 200 : 80);
  s.uplo = draw.from({Uplo::lower, Uplo::upper});
  s.method = Method::tree;
  if (kind == Kind::tiles || kind == Kind::shares) {
    if (kind == Kind::shares) s.uplo = Uplo::lower, s.order = Order::columns;
    if (draw.once_in(3)) s.growth = 0;
    s.grid_rows = 1 + draw.below(2);
    s.grid_cols = 1 + draw.below(3);
    s.flat_trees = draw.once_in(2);
    return s;
  }
  s.op = draw.from({Op::none, Op::none, Op::transpose, Op::conjugate});
  s.diagonal = draw.from({Diagonal::stored, Diagonal::stored, Diagonal::unit});
  s.method = kind == Kind::bands ? Method::superstep
                                 : draw.from({Method::level_row, Method::level_column,
                                              Method::element_row, Method::element_column});
  s.threads = draw.from({32, 32, 64, 128});
  s.bands = 1 + draw.below(9);
  s.levels = draw.from({1, 2, 4, 8, 16});
  s.shared_memory = draw.from({0, 48, 99, 163});
  return s;
}

Call draw_call(Draw& draw, const Abilities& a) {
  Call c;
  if (!a.actions.empty() && draw.once_in(4)) c.action = draw.from(a.actions);
  c.part = draw.from(a.parts);
  c.solver = draw.once_in(4) ? 1 : 0;
  if (!draw.once_in(3)) c.count = 1 + draw.below(draw.once_in(2) ? a.most_count : 4);
  c.count = std::min(c.count, a.most_count);
  if (draw.once_in(40)) c.count = 0;
  if (a.row_major && draw.once_in(2)) c.layout = Layout::row_major;
  if (a.pads && draw.once_in(2)) c.pad_b = draw.below(4), c.pad_x = draw.below(4);
  c.in_place = a.in_place && draw.once_in(3);
  c.poison = a.poison && draw.once_in(25);
  if (a.alpha && draw.once_in(2)) c.alpha = draw.below(4);
  if (a.threads && draw.once_in(2)) c.threads = 1 + draw.below(4);
  if (a.workspaces > 0 && draw.once_in(2)) c.workspace = 1 + draw.below(a.workspaces);
  if (a.sweeps) {
    c.sweeps = draw.below(4);
    c.zero_guess = draw.once_in(3);
  }
  c.on_device = a.on_device && !draw.once_in(3);
  if (a.streams > 1) c.stream = draw.below(a.streams);
  c.seed = static_cast<unsigned>(draw.below(6));
  return c;
}

}  // namespace echelon::test
