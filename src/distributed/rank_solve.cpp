// distributed/rank_solve.cpp -- solves on many ranks: sends right-hand sides to their owners, runs
// the passes, returns the answers.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "distributed/rank_solver.hpp"

namespace echelon {

template <Scalar T>
void RankSolver<T>::refuse_when_broken() const {
  if (comm_.broken()) refuse("an earlier call of this solver failed and left ranks apart");
}

// Checks that all ranks ask for the same solve, each with vectors of its own rows.
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

// A route refers to places of the lower plan.
template <Scalar T>
void RankSolver<T>::fetch(const VectorRoute& route, bool conjugated, Index part, T alpha,
                          const Vectors<const T>& b, std::span<const Real<T>> scale) {
  const Index count = b.count;
  const Index first = rows().begin;
  T* const right = backend_->right(0);
  const Offset ld = plan_[0].size();
  carrier_->in(
      route, count,
      [&](Index v, Index row) {
        const T a = alpha * b.data[row * b.step() + v * b.stride()];
        return conjugate_if(conjugated, scale.empty() ? a : a * scale[first + row]);
      },
      [&](Index v, Index place, T a) { right[v * ld + place] = a; });
  if (part != 0)
    hand_over(right, 0, backend_->right(part), part, count, [](Index, T a) { return a; });
}

template <Scalar T>
bool RankSolver<T>::deliver(const VectorRoute& route, bool conjugated, Index part,
                            const Vectors<T>& x, std::span<const Real<T>> scale) {
  const Index count = x.count;
  bool finite = true;
  const Index first = rows().begin;
  T* const answer = backend_->answer(0);
  if (part != 0)
    hand_over(backend_->answer(part), part, answer, 0, count, [](Index, T a) { return a; });
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

// op(L D U), with permutations and scalings if A is meant.  U is stored as its transpose, or is the
// conjugate transpose of L.  A solve with conj(N) is a solve with N between conjugated vectors; a
// solve with the conjugate transpose follows from the transpose in the same way.
template <Scalar T>
bool RankSolver<T>::solve_both(const SolveOptions<T>& o, const Vectors<const T>& b,
                               const Vectors<T>& x) {
  const bool plain = o.op == Op::none, whole = o.part == Part::full;
  const Stage lower{0, plain ? Sweep::forward : Sweep::backward, false};
  const Stage upper{upper_part(), plain ? Sweep::backward : Sweep::forward, factors_.symmetric};
  const Stage& first = plain ? lower : upper;
  const Stage& second = plain ? upper : lower;
  const VectorRoute& in = !whole ? *route_plain_ : plain ? *route_in_ : *route_out_;
  const VectorRoute& out = !whole ? *route_plain_ : plain ? *route_out_ : *route_in_;
  using Scale = std::span<const Real<T>>;
  const Scale rows = whole ? Scale(factors_.row_scale) : Scale();
  const Scale columns = whole ? Scale(factors_.col_scale) : Scale();
  const bool between_conjugates = o.op == Op::conjugate;
  fetch(in, between_conjugates != first.conjugated, first.part, o.alpha, b, plain ? rows : columns);
  backend_->run(first.part, first.sweep, b.count);
  hand_over(backend_->answer(first.part), first.part, backend_->right(second.part), second.part,
            b.count, [&](Index position, T a) {
              a = conjugate_if(first.conjugated, a);
              if (!factors_.diagonal.empty()) a /= factors_.diagonal[position];
              return conjugate_if(second.conjugated, a);
            });
  backend_->run(second.part, second.sweep, b.count);
  return deliver(out, between_conjugates != second.conjugated, second.part, x,
                 plain ? columns : rows);
}

// op(L) or op(U), in factor order.
template <Scalar T>
bool RankSolver<T>::solve_one(const SolveOptions<T>& o, const Vectors<const T>& b,
                              const Vectors<T>& x) {
  const bool of_upper = o.part == Part::upper;
  const Index part = of_upper ? upper_part() : 0;
  const bool conjugated = (o.op == Op::conjugate) != (of_upper && factors_.symmetric);
  fetch(*route_plain_, conjugated, part, o.alpha, b, {});
  backend_->run(part, (o.op == Op::none) != of_upper ? Sweep::forward : Sweep::backward, b.count);
  return deliver(*route_plain_, conjugated, part, x, {});
}

template <Scalar T>
void RankSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x,
                          const SolveOptions<T>& o) {
  const Claim claim(busy_, "solver");
  refuse_when_broken();
  const Call call(comm_);
  begin_solve(3 * static_cast<int>(o.part) + static_cast<int>(o.op), b, x);
  const bool both = o.part == Part::full || o.part == Part::triangles;
  bool finite = true;
  for (Index v = 0; v < b.count; v += options_.rhs_per_pass) {
    const Index count = std::min(options_.rhs_per_pass, b.count - v);
    const Vectors<const T> some = b.slice(v, count);
    finite &= both ? solve_both(o, some, x.slice(v, count)) : solve_one(o, some, x.slice(v, count));
  }
  end_solve(finite, b.count);
}

// Instantiates the members of this file; rank_setup.cpp has the others.
#define ECHELON_INSTANTIATE(T)                                                   \
  template void RankSolver<T>::refuse_when_broken() const;                       \
  template void RankSolver<T>::solve(const Vectors<const T>&, const Vectors<T>&, \
                                     const SolveOptions<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
