// exec/mpi/rank_solve.cpp -- right-hand sides to the ranks, passes, and answers back.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/conjugate.hpp"
#include "base/finite.hpp"
#include "base/instantiate.hpp"
#include "exec/mpi/rank_solver.hpp"

namespace echelon {

template <Scalar T>
void RankSolver<T>::refuse_when_broken() const {
  if (comm_.broken()) refuse("an earlier call of this solver failed and left ranks apart");
}

// What every rank must have asked for, and each with vectors of its own rows.
template <Scalar T>
void RankSolver<T>::begin_solve(int what, const Vectors<const T>& b, const Vectors<T>& x) {
  const RowRange mine = rows();
  const Index have = mine.end - mine.begin;
  const std::uint64_t sum =
      mix(mix(3, static_cast<std::uint64_t>(what)), static_cast<std::uint64_t>(b.count));
  std::string wrong;
  try {
    if (!ready_) refuse("the last update failed; this solver has no values");
    // A rank without rows need not have vectors.
    if (have > 0)
      check_vectors(have, b, x);
    else if (b.count != x.count)
      refuse("b and x are not as many vectors");
  } catch (const Error& e) {
    wrong = e.what();
  }
  comm_.require_same(sum, "what they ask for: the triangle, or how many right-hand sides", wrong);
}

template <Scalar T>
void RankSolver<T>::end_solve(bool finite, Index count) {
  const bool bad = comm_.any(!finite);
  solves_ += count;
  if (bad)
    throw Error(ErrorCode::not_finite,
                "the answer is not finite: the right-hand side is not, or the solve overflowed");
}

template <Scalar T>
template <class Change>
void RankSolver<T>::hand_over(const T* from, Index part, T* to, Index other, Index count,
                              const Change& change) {
  const LocalPlan &a = plan_[part], &b = plan_[other];
  for (Index c = 0; c < a.nodes(); ++c) {
    if (a.diagonal[c] < 0) continue;
    const Index s = a.node[c], there = b.start[b.local_of[s]];
    for (Index v = 0; v < count; ++v)
      for (Index i = 0; i < a.width(c); ++i)
        to[v * Offset{b.size()} + there + i] =
            change(a.first[s] + i, from[v * Offset{a.size()} + a.start[c] + i]);
  }
}

// Routes know places of the lower plan.
template <Scalar T>
void RankSolver<T>::fetch(const VectorRoute& route, bool conjugated, Index part, Index count,
                          const Vectors<const T>& b, std::span<const Real<T>> scale) {
  const Index first = rows().begin;
  T* const right = machine_->right(0);
  const Offset ld = plan_[0].size();
  carrier_->in(
      route, count,
      [&](Index v, Index row) {
        const T a = b.data[row * b.step() + v * b.stride()];
        return conjugate_if(conjugated, scale.empty() ? a : a * scale[first + row]);
      },
      [&](Index v, Index place, T a) { right[v * ld + place] = a; });
  if (part != 0)
    hand_over(right, 0, machine_->right(part), part, count, [](Index, T a) { return a; });
}

template <Scalar T>
bool RankSolver<T>::deliver(const VectorRoute& route, Index part, bool conjugated, Index count,
                            const Vectors<T>& x, std::span<const Real<T>> scale) {
  bool finite = true;
  const Index first = rows().begin;
  T* const answer = machine_->answer(0);
  if (part != 0)
    hand_over(machine_->answer(part), part, answer, 0, count, [](Index, T a) { return a; });
  const Offset ld = plan_[0].size();
  carrier_->out(
      route, count,
      [&](Index v, Index place) {
        const T a = answer[v * ld + place];
        finite = finite && is_finite(a);
        return conjugate_if(conjugated, a);
      },
      [&](Index v, Index row, T a) {
        x.data[row * x.step() + v * x.stride()] = scale.empty() ? a : a * scale[first + row];
      });
  return finite;
}

template <Scalar T>
void RankSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x) {
  refuse_when_broken();
  const Call call(comm_);
  begin_solve(0, b, x);
  bool finite = true;
  const bool conjugated = factors_.symmetric;
  const Index up = upper_part();
  for (Index v = 0; v < b.count; v += options_.together) {
    const Index count = std::min(options_.together, b.count - v);
    fetch(*route_in_, false, 0, count, b.slice(v, count), factors_.row_scale);
    machine_->run(0, Way::forwards, count);
    hand_over(machine_->answer(0), 0, machine_->right(up), up, count, [&](Index position, T a) {
      if (!factors_.diagonal.empty()) a /= factors_.diagonal[position];
      return conjugate_if(conjugated, a);
    });
    machine_->run(up, Way::backwards, count);
    finite &= deliver(*route_out_, up, conjugated, count, x.slice(v, count), factors_.col_scale);
  }
  end_solve(finite, b.count);
}

template <Scalar T>
void RankSolver<T>::solve(Uplo side, Op op, const Vectors<const T>& b, const Vectors<T>& x) {
  refuse_when_broken();
  const Call call(comm_);
  begin_solve(1 + 3 * static_cast<int>(side) + static_cast<int>(op), b, x);
  // U is kept as its transpose, or as the conjugate transpose of L.
  const bool of_upper = side == Uplo::upper;
  const Index part = of_upper ? upper_part() : 0;
  const bool plain = op == Op::none;
  const Way way = plain != of_upper ? Way::forwards : Way::backwards;
  const bool conjugated = (op == Op::conjugate) != (of_upper && factors_.symmetric);
  bool finite = true;
  for (Index v = 0; v < b.count; v += options_.together) {
    const Index count = std::min(options_.together, b.count - v);
    fetch(*route_plain_, conjugated, part, count, b.slice(v, count), {});
    machine_->run(part, way, count);
    finite &= deliver(*route_plain_, part, conjugated, count, x.slice(v, count), {});
  }
  end_solve(finite, b.count);
}

// The members of this file; the others are in rank_setup.cpp.
#define ECHELON_INSTANTIATE(T)                                                    \
  template void RankSolver<T>::refuse_when_broken() const;                        \
  template void RankSolver<T>::solve(const Vectors<const T>&, const Vectors<T>&); \
  template void RankSolver<T>::solve(Uplo, Op, const Vectors<const T>&, const Vectors<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
