// smoother/row_form.cpp -- the passes of sweeps, and the vectors that each reads and saves.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A full pass over L needs U x of the old x.  In place, the pass reads the old values from
// x itself.  Otherwise old and new x are two vectors, swapped after each sweep, so that the last
// sweep writes to x.
// A pass that starts from zero needs no U x.
//
// In a symmetric sweep the backward pass needs L x of the x that the forward pass left, row by row
// the sum that pass has just made.  So each pass saves b less that sum, the next one starts from
// there and reads its own triangle only; on its way it reads no old x but that of its own row, and
// is in place for every pattern.  Each pass of k symmetric sweeps reads half of A; only the first
// one reads all of it.
//
// References.  Niethammer (1964) and Conrad and Wallach (1979) for the saved sums.
#include "smoother/row_form.hpp"

#include <algorithm>

#include "base/instantiate.hpp"

namespace echelon {
namespace {

template <class T>
Offset bytes_read(const PackedPattern& pattern, const PackedValues<T>& values) {
  return pattern.start.bytes() +
         static_cast<Offset>(pattern.index.size() * (sizeof(Index) + sizeof(T)) +
                             values.diagonal.size() * (sizeof(Index) + sizeof(T)));
}

// The e-th work vector, in x's shape.
template <class T>
Vectors<T> extra_of(const Vectors<T>& x, T* room, Index e) {
  return {room + Offset{e} * x.n * x.count, x.n, x.count, 0, x.layout};
}

}  // namespace

template <Scalar T>
RowForm<T>::RowForm(const SmootherAnalysis& analysis) : analysis_(analysis) {
  for (const Analysis& side : plan().sides) {
    Side s;
    s.executor = make_executor<T>(side.plan().method, side.options().backend);
    sides_.push_back(std::move(s));
  }
}

template <Scalar T>
void RowForm<T>::pack(std::span<const T> values) {
  const Index threads = plan().options.solver.cpu.threads;
  for (std::size_t k = 0; k < sides_.size(); ++k)
    pack_values(plan().sides[k].plan().pattern, values, plan().stored_count, false,
                sides_[k].values, threads);
  pack_values(plan().across, values, plan().stored_count, false, across_, threads);
}

template <Scalar T>
void RowForm<T>::prepare(SmootherSpace<T>& space) const {
  for (std::size_t k = 0; k < sides_.size(); ++k)
    space.passes.push_back(sides_[k].executor->make_workspace(plan().sides[k].plan()));
}

template <Scalar T>
bool RowForm<T>::run_pass(const Pass& pass, const SweepTerms<T>& terms,
                          const Vectors<const T>& from, const Vectors<T>& x) const {
  const Side& side = sides_[pass.side];
  const Plan& p = plan().sides[pass.side].plan();
  SolveJob<T> job{p,    side.values,
                  T(1), from,
                  x,    pass.threads == 0 ? p.threads : std::min(pass.threads, p.threads)};
  job.sweep = &terms;
  return side.executor->solve(job, pass.workspace);
}

template <Scalar T>
bool RowForm<T>::sweep_one_way(SmootherSpace<T>& space, const Vectors<const T>& b,
                               const Vectors<T>& x, const SweepOptions& o) const {
  const bool in_place = plan().report.vectors == 1;
  const Vectors<T> second = in_place ? x : extra_of(x, space.room.data(), 0);
  const auto target = [&](Index sweep) { return (o.sweeps - 1 - sweep) % 2 == 0 ? x : second; };
  const auto omega = static_cast<Real<T>>(plan().options.omega);
  bool finite = true;
  for (Index s = 0; s < o.sweeps; ++s) {
    SweepTerms<T> terms{.weight = T(omega)};
    if (s > 0 || o.guess == Guess::given) {
      terms.across = &plan().across;
      terms.across_values = &across_;
      terms.keep = T(1 - omega);
      const bool copies = s == 0 && !in_place && target(0).data == x.data;
      if (copies) copy_vectors<T>(x, second, plan().threads());
      terms.old = copies ? second : s == 0 ? x : target(s - 1);
    }
    finite = run_pass({0, *space.passes[0], o.threads}, terms, b, target(s)) && finite;
  }
  return finite;
}

template <Scalar T>
bool RowForm<T>::sweep_both_ways(SmootherSpace<T>& space, const Vectors<const T>& b,
                                 const Vectors<T>& x, const SweepOptions& o) const {
  const bool in_place = plan().report.vectors == 1;
  const Vectors<T> saved = extra_of(x, space.room.data(), 0);
  const auto omega = static_cast<Real<T>>(plan().options.omega);
  const Offset passes = 2 * Offset{o.sweeps};
  bool finite = true;
  for (Offset p = 0; p < passes; ++p) {
    SweepTerms<T> terms{.old = x, .weight = T(omega), .keep = T(1 - omega)};
    if (p == 0 && o.guess == Guess::zero) terms.keep = T(0);
    if (p == 0 && o.guess == Guess::given) {
      terms.across = &plan().across;
      terms.across_values = &across_;
      if (!in_place) {
        const Vectors<T> second = extra_of(x, space.room.data(), 1);
        copy_vectors<T>(x, second, plan().threads());
        terms.old = second;
      }
    }
    if (p + 1 < passes) {
      terms.right = b;
      terms.saved = saved;
    }
    const Vectors<const T> from = p == 0 ? b : saved;
    const auto side = static_cast<std::size_t>(p % 2);
    finite = run_pass({side, *space.passes[side], o.threads}, terms, from, x) && finite;
  }
  return finite;
}

template <Scalar T>
bool RowForm<T>::smooth(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
                        const SweepOptions& o) const {
  return sides_.size() == 2 ? sweep_both_ways(space, b, x, o) : sweep_one_way(space, b, x, o);
}

template <Scalar T>
Index RowForm<T>::extra_vectors() const {
  return static_cast<Index>(sides_.size()) - 1 + plan().report.vectors - 1;
}

template <Scalar T>
SplitMatrix<T> RowForm<T>::matrix() const {
  return {plan().near(), sides_.front().values, plan().across, across_};
}

template <Scalar T>
Offset RowForm<T>::matrix_bytes() const {
  Offset bytes = bytes_read(plan().across, across_);
  for (std::size_t k = 0; k < sides_.size(); ++k)
    bytes += bytes_read(plan().sides[k].plan().pattern, sides_[k].values);
  return bytes;
}

#define ECHELON_INSTANTIATE(T) template class RowForm<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
