// numeric/trusted_parts.cpp -- cuts supernodes whose diagonal block cannot be inverted accurately
// into parts that can.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The sums of the rows of |D^-1| |D| are those of each leading block, too.  So one inverse
// tells how many leading columns can be trusted, and the next part begins after them.  As every
// block inside a trusted block is trusted, these are the fewest parts.  The number of columns that
// are inverted at a time doubles while they can all be trusted, so the cost is that of the parts.
#include <algorithm>

#include "base/blas_threads.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "echelon/numeric.hpp"
#include "numeric/dense_lower.hpp"
#include "numeric/growth.hpp"

namespace echelon {
namespace {

constexpr Index first_look = 16;  // columns
// A part costs a step of the solve.  With fewer columns per part on average, substitution is as
// fast.
constexpr Index least_part = 4;
constexpr Index least_cut = 9;  // and in a panel with fewer columns

// Finds the parts of one panel after the other.
template <class T>
class PartFinder {
 public:
  PartFinder(const BlockPlan& plan, const FillPanel<T>& fill, double most)
      : s_(plan.supernodes), fill_(fill), most_(most), dense_(1, VectorUnit::automatic) {}

  // The first columns of the parts of supernode t; its own first column alone if parts do not pay.
  const Buffer<Index>& find(Index t) {
    const Index w = s_.width(t), first = s_.first[t];
    const Offset ld = Offset{w} + s_.height(t);
    where_.resize(2 * static_cast<std::size_t>(s_.n));
    panel_.resize(static_cast<std::size_t>(ld * w));
    fill_(t, 0, w, panel_.data(), ld, where_.data());
    begin_.clear();
    Index look = first_look;
    for (Index j = 0; j < w;) {
      begin_.push_back(first + j);
      Index columns = std::min(look, w - j), trusted = 0;
      while ((trusted = count_trusted(j, columns, ld)) == columns && columns < w - j)
        columns = std::min(2 * columns, w - j);
      j += std::max(trusted, Index{1});
      look = std::max(2 * trusted, first_look);
    }
    if (static_cast<Index>(begin_.size()) * least_part > w) begin_.resize(1);
    return begin_;
  }

 private:
  // Leading columns of the `columns` from j on whose inverse is trusted.
  Index count_trusted(Index j, Index columns, Offset ld) {
    const T* const d = panel_.data() + j * ld + j;
    inverse_.resize(static_cast<std::size_t>(ld * columns));
    for (Index k = 0; k < columns; ++k)
      std::copy_n(d + k * ld + k, columns - k, inverse_.data() + k * ld + k);
    invert_lower(columns, inverse_.data(), ld, dense_);
    const double* const row = find_row_growth(columns, inverse_.data(), d, ld, sum_);
    return static_cast<Index>(
        std::find_if(row, row + columns, [&](double r) { return !(r <= most_); }) - row);
  }

  const Supernodes& s_;
  const FillPanel<T>& fill_;
  double most_;
  DenseSpace<T> dense_;
  Buffer<T> panel_, inverse_;
  Buffer<Index> where_, begin_;
  Buffer<double> sum_;
};

}  // namespace

template <Scalar T>
Buffer<Index> find_trusted_parts(const BlockPlan& plan, const FillPanel<T>& fill,
                                 std::span<const BlockForm> form, const NumericOptions& o,
                                 Index threads) {
  const Supernodes& s = plan.supernodes;
  Buffer<Index> panels;
  for (std::size_t k = 0; k < form.size(); ++k)
    if (form[k] == BlockForm::triangle && s.width(plan.order[k]) >= least_cut)
      panels.push_back(plan.order[k]);
  Buffer<char> begins(static_cast<std::size_t>(s.n), 0);  // by position
  for (Index t = 0; t < s.count(); ++t)
    if (s.width(t) > 0) begins[s.first[t]] = 1;
  const OneBlasThread quiet;
  threads = thread_count(threads);
  std::vector<PartFinder<T>> finders(static_cast<std::size_t>(threads),
                                     PartFinder<T>(plan, fill, o.largest_growth));
  parallel_items(static_cast<Index>(panels.size()), threads, [&](Index item, Index thread) {
    for (const Index position : finders[thread].find(panels[item])) begins[position] = 1;
  });
  Buffer<Index> first;
  for (Index i = 0; i < s.n; ++i)
    if (begins[i]) first.push_back(i);
  first.push_back(s.n);
  return first;
}

#define ECHELON_INSTANTIATE(T)                                                                 \
  template Buffer<Index> find_trusted_parts(const BlockPlan&, const FillPanel<T>&,             \
                                            std::span<const BlockForm>, const NumericOptions&, \
                                            Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
