// tests/distributed/rank_sequence_cases.hpp -- random sequences of calls on distributed solvers.
// SPDX-License-Identifier: BSD-3-Clause
//
// Several solvers live on the same ranks.  Each step makes one, destroys one, moves one, updates
// one, passes factors that are refused, asks for a report, or solves: any number of right-hand
// sides, both layouts, with gaps between vectors, in place or not, A or one triangle, vectors on
// rank 0 or on all.  Every solution is checked with the matrix, or against a solver in one process.
// All ranks draw the same numbers; ECHELON_TEST_SEED sets the seed.
//
// Case: see rank_solver_cases.hpp.
#pragma once

#include <cstdlib>
#include <random>

#include "distributed/rank_solver_cases.hpp"

namespace echelon::test {

template <class Case>
class RankSequence {
  using T = typename Case::Number;
  using Solver = typename Case::Solver;
  using Options = typename Case::Options;

 public:
  explicit RankSequence(unsigned seed) : random_(seed) {
    for (const char* kind : {"cholmod", "ldl", "superlu"}) problems_.emplace_back(kind);
  }
  void run(int steps) {
    for (step_ = 0; step_ < steps && !has_failed(); ++step_) {
      Slot& slot = slots_[draw(static_cast<int>(std::size(slots_)))];
      const int what = slot.solver ? draw(20) : 0;
      SCOPED_TRACE("step " + std::to_string(step_) + " does " + std::to_string(what));
      if (what == 0)
        make(slot);
      else if (what == 1)
        slot.solver.reset();
      else if (what == 2)
        std::swap(slot, slots_[draw(static_cast<int>(std::size(slots_)))]);
      else if (what <= 4)
        update(slot);
      else if (what == 5)
        refuse(slot);
      else if (what == 6)
        EXPECT_EQ(Case::ranks_of(*slot.solver).ranks, size());
      else if (what <= 9)
        solve_triangle(slot);
      else
        solve(slot);
    }
  }

 private:
  // A matrix, and its factors on rank 0.
  struct Linear {
    std::string kind;
    Csr<T> a;
    Factors<T> factors;

    explicit Linear(const char* k)
        : kind(k), a(converted<T>(generate<double>("laplace2d:9x10:5"))) {
      if (kind == "superlu")
        for (std::size_t p = 0; p < a.value.size(); ++p)
          a.value[p] *= number<T>(1 + 0.1 * static_cast<double>(p % 7), 0.05);
      scale(1);
    }
    void scale(double by) {
      for (T& v : a.value) v *= number<T>(by, 0);
      if (rank() != 0) return;
      factors = kind == "superlu" ? factor_superlu<T>(a)
                                  : factor_cholmod<T>(a, {.simplicial = kind == "ldl"});
    }
  };
  struct Slot {
    std::unique_ptr<Solver> solver;
    Options options;
    std::size_t problem = 0;
    double scale = 1;  // of its current values
  };
  // This rank's rows, with gaps between vectors.
  struct Numbers {
    std::vector<T> all;
    Vectors<T> view;
  };

  // True if a check has failed on any rank.
  static bool has_failed() {
    const int mine = testing::Test::HasFailure() ? 1 : 0;
    int any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
  }
  int draw(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  // The system whose factors have the solver's current values.
  Linear& linear_of(const Slot& slot) {
    Linear& linear = problems_[slot.problem];
    double& now = scale_[slot.problem];
    if (now != slot.scale) linear.scale(slot.scale / now);
    now = slot.scale;
    return linear;
  }
  static const Factors<T>* mine(const Linear& linear) {
    return rank() == 0 ? &linear.factors : nullptr;
  }

  void make(Slot& slot) {
    slot.solver.reset();
    const auto variants = Case::variants();
    slot.options = variants[static_cast<std::size_t>(draw(static_cast<int>(variants.size())))];
    slot.options.ranks.mapping = draw(2) == 0 ? Mapping::cyclic : Mapping::subtree;
    slot.options.ranks.tree = draw(2) == 0 ? TreeShape::binary : TreeShape::flat;
    slot.options.ranks.vectors = draw(2) == 0 ? Placement::root : Placement::ranges;
    slot.options.ranks.max_panel_columns = 1 << (3 + draw(3));
    slot.options.ranks.rhs_per_pass = 1 + draw(16);
    slot.problem = static_cast<std::size_t>(draw(static_cast<int>(problems_.size())));
    slot.solver = std::make_unique<Solver>(MPI_COMM_WORLD, mine(linear_of(slot)), slot.options);
  }
  void update(Slot& slot) {
    slot.scale *= draw(2) == 0 ? 2 : 0.5;
    slot.solver->update(mine(linear_of(slot)));
  }
  // The last rank passes factors that only rank 0 should have: the solver keeps its values.
  void refuse(Slot& slot) {
    if (size() == 1) return;
    Slot other{nullptr, slot.options, slot.problem, slot.scale * 4};
    const Factors<T>* given = mine(linear_of(other));
    const Factors<T> none;
    if (rank() == size() - 1) given = &none;
    EXPECT_EQ(refusal([&] { slot.solver->update(given); }).code, ErrorCode::bad_argument);
  }

  Numbers lay_out(const std::vector<T>& whole, Index n, Index count, const RowRange& rows,
                  Layout layout, Index room) {
    const Index have = rows.end - rows.begin;
    const bool by_columns = layout == Layout::column_major;
    const Offset leading = (by_columns ? have : count) + room;
    Numbers out{std::vector<T>(static_cast<std::size_t>(leading * (by_columns ? count : have)),
                               number<T>(-7, 7)),
                {}};
    out.view = Vectors<T>(out.all.data(), have, count, leading, layout);
    for (Index v = 0; v < count; ++v)
      for (Index i = 0; i < have; ++i)
        out.view.data[i * out.view.step() + v * out.view.stride()] =
            whole[static_cast<std::size_t>(v * Offset{n} + rows.begin + i)];
    return out;
  }
  // Gathers the rows of all ranks, vector by vector.
  template <class Call>
  std::vector<T> answers(const Slot& slot, const std::vector<T>& b, Index n, Index count,
                         const Call& call) {
    const RowRange rows = slot.solver->rows();
    const Layout layout = draw(2) == 0 ? Layout::column_major : Layout::row_major;
    const Index room = draw(3);
    Numbers in = lay_out(b, n, count, rows, layout, room);
    Numbers out = lay_out(std::vector<T>(b.size()), n, count, rows, layout, draw(3));
    const Vectors<T> x = draw(3) == 0 ? in.view : out.view;
    call(in.view, x);
    std::vector<T> part;
    for (Index v = 0; v < count; ++v)
      for (Index i = 0; i < x.n; ++i) part.push_back(x.data[i * x.step() + v * x.stride()]);
    return collect(part, n, count, slot.options.ranks.vectors);
  }
  std::vector<T> right_sides(Index n, Index count) {
    return random_vector<T>(static_cast<std::size_t>(n) * count, random_());
  }

  void solve(Slot& slot) {
    const Linear& linear = linear_of(slot);
    const Index n = linear.a.rows, count = 1 + draw(draw(2) == 0 ? 4 : 40);
    const std::vector<T> b = right_sides(n, count);
    const auto x = answers(slot, b, n, count,
                           [&](const auto& in, const auto& out) { slot.solver->solve(in, out); });
    EXPECT_LE(find_backward_errors<T>(linear.a, Vectors<const T>(b.data(), n, count),
                                      Vectors<const T>(x.data(), n, count))
                      .componentwise /
                  std::numeric_limits<Real<T>>::epsilon(),
              accepted)
        << linear.kind << " " << Case::text(slot.options) << " " << count << " vectors";
  }
  void solve_triangle(Slot& slot) {
    const Linear& linear = linear_of(slot);
    const Index n = linear.a.rows, count = 1 + draw(20);
    constexpr Part parts[] = {Part::full, Part::lower, Part::upper, Part::triangles};
    constexpr Op ops[] = {Op::none, Op::transpose, Op::conjugate};
    const SolveOptions<T> how{.alpha = T(2), .part = parts[draw(4)], .op = ops[draw(3)]};
    const std::vector<T> b = right_sides(n, count);
    const auto x = answers(slot, b, n, count, [&](const auto& in, const auto& out) {
      slot.solver->solve(in, out, how);
    });
    if (rank() != 0) return;
    const DirectSolver<T> alone(linear.factors, {.method = Method::tree});
    double difference = 0, largest = 0;
    for (Index v = 0; v < count; ++v) {
      const auto from = b.begin() + v * n;
      const std::vector<T> expected = alone.solve(std::vector<T>(from, from + n), how);
      for (Index i = 0; i < n; ++i) {
        difference = std::max<double>(difference, std::abs(x[v * n + i] - expected[i]));
        largest = std::max<double>(largest, std::abs(expected[i]));
      }
    }
    EXPECT_LE(difference, 1000 * largest * std::numeric_limits<Real<T>>::epsilon())
        << linear.kind << " " << Case::text(slot.options) << " " << count << " vectors";
  }

  std::mt19937 random_;
  std::vector<Linear> problems_;
  double scale_[3] = {1, 1, 1};
  Slot slots_[3];
  int step_ = 0;
};

template <class Case>
class RankSequences : public RankTest<Case> {};
TYPED_TEST_SUITE_P(RankSequences);

TYPED_TEST_P(RankSequences, SolveInAnyOrderOfCalls) {
  const char* const given = std::getenv("ECHELON_TEST_SEED");
  const unsigned first = given != nullptr ? static_cast<unsigned>(std::atoi(given)) : 1;
  for (unsigned seed = first; seed < first + 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RankSequence<TypeParam>(seed).run(100);
  }
}

REGISTER_TYPED_TEST_SUITE_P(RankSequences, SolveInAnyOrderOfCalls);

}  // namespace echelon::test
