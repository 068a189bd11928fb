// exec/mpi/mpi_state.hpp -- what a rank's solver holds, and how it solves.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "base/conjugate.hpp"
#include "base/finite.hpp"
#include "exec/mpi/mpi_exchange.hpp"
#include "exec/mpi/mpi_options.hpp"
#include "exec/mpi/scatter.hpp"
#include "exec/mpi/vector_route.hpp"

namespace echelon {

template <Scalar T>
struct MpiSolver<T>::State {
  // A triangle of this rank.
  struct Part {
    LocalPlan plan;
    LocalValues<T> values;
    std::unique_ptr<RankPass<T>> pass;
  };

  MpiOptions options;
  NumericOptions numeric;
  Communicator comm;
  RankFactors<T> factors;  // the rows are not kept
  BlockMap map;
  Part lower, upper;
  std::unique_ptr<MpiExchange<T>> exchange;
  std::unique_ptr<VectorCarrier<T>> carrier;
  std::unique_ptr<VectorRoute> route_in, route_out, route_plain;
  MpiReport report;
  bool ready = false;
  Offset solves = 0;
  PassTimes before;  // of the last report

  State(MPI_Comm c, const MpiOptions& o, const NumericOptions& n)
      : options(o), numeric(n), comm(c, o.timeout_s) {
    comm.together([&] {
      check_options(options);
      map.grid = choose_grid(options, comm.size());
    });
    OptionsSum sum;
    options.visit(sum);
    comm.require_same(sum.sum, "the options of the solver");
  }

  const Part& upper_part() const { return factors.symmetric ? lower : upper; }

  // --- Setup.

  void plan(const BlockMap* given) {
    comm.together([&] {
      check_supernodes(factors.lower);
      if (given != nullptr && given->grid.size() != comm.size())
        refuse("the factors lie on " + std::to_string(given->grid.size()) + " ranks, not " +
               std::to_string(comm.size()));
      map = given != nullptr ? *given : map_blocks(factors.lower, map.grid, options.mapping);
      lower.plan = make_local_plan(factors.lower, map, comm.rank(), options.tree);
      if (!factors.symmetric)
        upper.plan = make_local_plan(factors.upper, map.transposed(), comm.rank(), options.tree);
      const LocalPlan& p = lower.plan;
      route_in = std::make_unique<VectorRoute>(p, factors.row_order, options.vectors);
      route_out = std::make_unique<VectorRoute>(p, factors.col_order, options.vectors);
      route_plain = std::make_unique<VectorRoute>(p, std::span<const Index>(), options.vectors);
      const auto [begin, end] = row_range(factors.n, comm.rank(), comm.size(), options.vectors);
      carrier = std::make_unique<VectorCarrier<T>>(
          comm, Offset{options.together} * std::max(end - begin, p.size()));
    });
  }
  void make_ready() {
    comm.together([&] {
      lower.pass = std::make_unique<RankPass<T>>(lower.plan, lower.values, options.together);
      if (!factors.symmetric)
        upper.pass = std::make_unique<RankPass<T>>(upper.plan, upper.values, options.together);
    });
    std::vector<const LocalPlan*> plans = {&lower.plan};
    if (!factors.symmetric) plans.push_back(&upper.plan);
    comm.together([&] {
      exchange = make_exchange<T>(options.engine, comm, plans, options.together, options.shake_us);
    });
    exchange->open();
    ready = true;
  }
  void pack(Part& part, const FillRows<T>& fill) {
    pack_local(part.plan, fill, numeric, part.values, comm.threads());
  }
  // Of rank 0's factors.
  void scatter(const FillRows<T>& lower_rows, const FillRows<T>& upper_rows) {
    ready = false;
    scatter_rows<T>(comm, factors.lower, map, options.tree, lower.plan, lower_rows,
                    [&](const FillRows<T>& fill) { pack(lower, fill); });
    if (!factors.symmetric)
      scatter_rows<T>(comm, factors.upper, map.transposed(), options.tree, upper.plan, upper_rows,
                      [&](const FillRows<T>& fill) { pack(upper, fill); });
  }

  // --- Solving.

  // What every rank must have asked for, and each with vectors of its own rows.
  void begin_solve(int what, const Vectors<const T>& b, const Vectors<T>& x) {
    const RowRange mine = row_range(factors.n, comm.rank(), comm.size(), options.vectors);
    const Index have = mine.end - mine.begin;
    const std::uint64_t sum =
        mix(mix(3, static_cast<std::uint64_t>(what)), static_cast<std::uint64_t>(b.count));
    std::string wrong;
    try {
      if (!ready) refuse("the last update failed; this solver has no values");
      // A rank without rows need not have vectors.
      if (have > 0)
        check_vectors(have, b, x);
      else if (b.count != x.count)
        refuse("b and x are not as many vectors");
    } catch (const Error& e) {
      wrong = e.what();
    }
    comm.require_same(sum, "what they ask for: the triangle, or how many right-hand sides", wrong);
  }

  void require_whole() const {
    if (comm.broken()) refuse("an earlier call of this solver failed and left ranks apart");
  }

  // The diagonal blocks of one part's vectors to another's, changed on the way.
  template <class Change>
  void hand_over(const T* from, const LocalPlan& a, T* to, const LocalPlan& b, Index count,
                 const Change& change) const {
    for (Index c = 0; c < a.nodes(); ++c) {
      if (a.diagonal[c] < 0) continue;
      const Index s = a.node[c], there = b.start[b.local_of[s]];
      for (Index v = 0; v < count; ++v)
        for (Index i = 0; i < a.width(c); ++i)
          to[v * Offset{b.size()} + there + i] =
              change(a.first[s] + i, from[v * Offset{a.size()} + a.start[c] + i]);
    }
  }

  void run(const Part& part, Way way, Index count) try {
    exchange->begin(&part == &upper ? 1 : 0, way, count);
    part.pass->run(way, count, *exchange);
    exchange->end();
  } catch (...) {
    comm.set_broken();  // others are in the midst of it
    throw;
  }

  // x = answers of `part`, by a route; false if one is not finite.
  bool deliver(const VectorRoute& route, const Part& part, bool conjugated, Index count,
               const Vectors<T>& x, std::span<const Real<T>> scale) {
    const LocalPlan& p = part.plan;
    const T* const answer = part.pass->answer();
    bool finite = true;
    // Routes know places of the lower plan.
    const Index first = row_range(factors.n, comm.rank(), comm.size(), options.vectors).begin;
    const bool moved = &part == &upper;
    if (moved)
      hand_over(answer, p, lower.pass->answer(), lower.plan, count, [](Index, T a) { return a; });
    const T* const from = moved ? lower.pass->answer() : answer;
    const Offset ld = lower.plan.size();
    carrier->out(
        route, count,
        [&](Index v, Index place) {
          const T a = from[v * ld + place];
          finite = finite && is_finite(a);
          return conjugate_if(conjugated, a);
        },
        [&](Index v, Index row, T a) {
          x.data[row * x.step() + v * x.stride()] = scale.empty() ? a : a * scale[first + row];
        });
    return finite;
  }
  void fetch(const VectorRoute& route, bool conjugated, const Part& part, Index count,
             const Vectors<const T>& b, std::span<const Real<T>> scale) {
    const Index first = row_range(factors.n, comm.rank(), comm.size(), options.vectors).begin;
    T* const right = lower.pass->right();
    const Offset ld = lower.plan.size();
    carrier->in(
        route, count,
        [&](Index v, Index row) {
          const T a = b.data[row * b.step() + v * b.stride()];
          return conjugate_if(conjugated, scale.empty() ? a : a * scale[first + row]);
        },
        [&](Index v, Index place, T a) { right[v * ld + place] = a; });
    if (&part == &upper)
      hand_over(right, lower.plan, upper.pass->right(), upper.plan, count,
                [](Index, T a) { return a; });
  }

  void end_solve(bool finite, Index count) {
    const bool bad = comm.any(!finite);
    solves += count;
    if (bad)
      throw Error(ErrorCode::not_finite,
                  "the answer is not finite: the right-hand side is not, or the solve overflowed");
  }

  void solve(const Vectors<const T>& b, const Vectors<T>& x) {
    require_whole();
    const Call call(comm);
    begin_solve(0, b, x);
    bool finite = true;
    const bool conjugated = factors.symmetric;
    for (Index v = 0; v < b.count; v += options.together) {
      const Index count = std::min(options.together, b.count - v);
      fetch(*route_in, false, lower, count, b.slice(v, count), factors.row_scale);
      run(lower, Way::forwards, count);
      const Part& up = upper_part();
      hand_over(lower.pass->answer(), lower.plan, up.pass->right(), up.plan, count,
                [&](Index position, T a) {
                  if (!factors.diagonal.empty()) a /= factors.diagonal[position];
                  return conjugate_if(conjugated, a);
                });
      run(up, Way::backwards, count);
      finite &= deliver(*route_out, up, conjugated, count, x.slice(v, count), factors.col_scale);
    }
    end_solve(finite, b.count);
  }

  void solve(Uplo side, Op op, const Vectors<const T>& b, const Vectors<T>& x) {
    require_whole();
    const Call call(comm);
    begin_solve(1 + 3 * static_cast<int>(side) + static_cast<int>(op), b, x);
    // U is kept as its transpose, or as the conjugate transpose of L.
    const bool of_upper = side == Uplo::upper;
    const Part& part = of_upper ? upper_part() : lower;
    const bool plain = op == Op::none;
    const Way way = plain != of_upper ? Way::forwards : Way::backwards;
    const bool conjugated = (op == Op::conjugate) != (of_upper && factors.symmetric);
    bool finite = true;
    for (Index v = 0; v < b.count; v += options.together) {
      const Index count = std::min(options.together, b.count - v);
      fetch(*route_plain, conjugated, part, count, b.slice(v, count), {});
      run(part, way, count);
      finite &= deliver(*route_plain, part, conjugated, count, x.slice(v, count), {});
    }
    end_solve(finite, b.count);
  }

  // --- Report.

  Spread spread(double mine) {
    double sum = 0, least = 0, most = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get());
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, comm.get());
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, comm.get());
    return {least, sum / comm.size(), most};
  }
  Offset stored(const Part& p) const {
    return p.values.diagonals.panel_bytes() +
           static_cast<Offset>(p.values.value.size() * sizeof(T));
  }
  PassTimes times() const {
    PassTimes all = lower.pass->times();
    if (upper.pass) {
      const PassTimes up = upper.pass->times();
      all = {all.compute_s + up.compute_s, all.all_s + up.all_s, all.messages + up.messages,
             all.numbers + up.numbers};
    }
    return all;
  }
  MpiReport make_report() {
    require_whole();
    report.n = factors.n;
    report.ranks = comm.size();
    report.grid = map.grid;
    report.engine = options.engine;
    report.tree = options.tree;
    report.mapping = options.mapping;
    report.package = factors.package;
    report.kind = factors.kind;
    report.ordering = factors.ordering;
    report.supernodes = factors.lower.count();
    report.levels = find_level_sets(factors.lower).count();
    report.entries = factors.lower.entries() + factors.upper.entries();
    report.kept_triangles = static_cast<Index>(
        spread(lower.values.diagonals.kept_triangles + upper.values.diagonals.kept_triangles).mean *
            comm.size() +
        0.5);
    report.setup_s = spread(report.setup_s).most;
    report.stored_bytes = spread(static_cast<double>(stored(lower) + stored(upper)));
    report.window_bytes = spread(static_cast<double>(exchange->window_bytes()));
    const PassTimes now = times();
    report.solves = solves;
    report.solve_s = spread(now.all_s - before.all_s);
    report.compute_s = spread(now.compute_s - before.compute_s);
    report.communicate_s = spread(now.all_s - before.all_s - (now.compute_s - before.compute_s));
    report.messages = spread(static_cast<double>(now.messages - before.messages));
    report.message_bytes = spread(static_cast<double>(now.numbers - before.numbers) * sizeof(T));
    before = now;
    solves = 0;
    return report;
  }
};

}  // namespace echelon
