// numeric/full_inverse.cpp -- computes the inverse of a whole triangle as one sparse matrix.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Columns of the inverse are solutions for unit vectors.  Up to 32 columns of one
// supernode are solved together, through the supernodes they reach, in rising order.
//
// Cost.  For each column, the panels it reaches; the inverse may have n(n+1)/2 entries.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "base/blas.hpp"
#include "base/blas_threads.hpp"
#include "base/finite.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "echelon/numeric.hpp"

namespace echelon {
namespace {

constexpr Index most_columns = 32;  // solved together: enough for BLAS-3

// Columns [begin, end) of the inverse, all in supernode `node`, stored column by column.
template <class T>
struct Group {
  Index node, begin, end;
  Buffer<Index> row;
  Buffer<T> value;
  Buffer<Offset> count;  // by column
};

template <class T>
std::vector<Group<T>> make_groups(const Supernodes& s) {
  std::vector<Group<T>> groups;
  for (Index t = 0; t < s.count(); ++t)
    for (Index j = s.first[t]; j < s.first[t + 1]; j += most_columns)
      groups.push_back({t, j, std::min(j + most_columns, s.first[t + 1]), {}, {}, {}});
  return groups;
}

// The panels, and the supernode of each row.
template <class T>
struct PlainPanels {
  explicit PlainPanels(const BlockPlan& plan, const BlockValues<T>& values)
      : s(plan.supernodes), panel(static_cast<std::size_t>(s.count())), owner(s.n) {
    for (std::size_t k = 0; k < plan.order.size(); ++k)
      panel[plan.order[k]] = values.value.data() + plan.value_start[k];
    for (Index t = 0; t < s.count(); ++t)
      std::fill(owner.begin() + s.first[t], owner.begin() + s.first[t + 1], t);
  }
  const Supernodes& s;
  std::vector<const T*> panel;
  Buffer<Index> owner;
};

template <class T>
struct InverseScratch {
  Buffer<T> x, product;  // n and h numbers per column
  std::vector<char> reached;
};

// Solves for the group's unit vectors, in scratch.x.
template <class T>
void solve_group(const PlainPanels<T>& panels, const Group<T>& group, InverseScratch<T>& scratch) {
  const Supernodes& s = panels.s;
  const Index k = group.end - group.begin;
  scratch.x.assign(static_cast<std::size_t>(s.n) * k, T(0));
  scratch.reached.assign(static_cast<std::size_t>(s.count()), 0);
  for (Index c = 0; c < k; ++c) scratch.x[Offset{c} * s.n + group.begin + c] = T(1);
  scratch.reached[group.node] = 1;
  for (Index t = group.node; t < s.count(); ++t) {
    if (!scratch.reached[t]) continue;
    const Index w = s.width(t), h = s.height(t);
    T* const own = scratch.x.data() + s.first[t];
    blas_solve_lower(false, w, k, panels.panel[t], w + h, own, s.n);
    if (h == 0) continue;
    scratch.product.resize(static_cast<std::size_t>(h) * k);
    blas_multiply<T>({false, h, w, k, T(1), panels.panel[t] + w, w + h, own, s.n, T(0),
                      scratch.product.data(), h});
    const auto rows = s.rows(t);
    for (Index i = 0; i < h; ++i) {
      scratch.reached[panels.owner[rows[i]]] = 1;
      for (Index c = 0; c < k; ++c)
        scratch.x[Offset{c} * s.n + rows[i]] -= scratch.product[Offset{c} * h + i];
    }
  }
}

// |N| e: the sums of the absolute values of each row of N.
template <class T>
Buffer<double> row_sums(const PlainPanels<T>& panels) {
  const Supernodes& s = panels.s;
  Buffer<double> sum(s.n, 0);
  for (Index t = 0; t < s.count(); ++t) {
    const Index w = s.width(t), h = s.height(t);
    const auto rows = s.rows(t);
    for (Index j = 0; j < w; ++j) {
      const T* const column = panels.panel[t] + Offset{j} * (w + h);
      for (Index i = j; i < w; ++i) sum[s.first[t] + i] += static_cast<double>(std::abs(column[i]));
      for (Index i = 0; i < h; ++i) sum[rows[i]] += static_cast<double>(std::abs(column[w + i]));
    }
  }
  return sum;
}

// | |X| |N| |_inf for the inverse X.
template <class T>
double find_growth(const Csc<T>& inverse, const Buffer<double>& sum) {
  Buffer<double> row(inverse.rows, 0);
  for (Index j = 0; j < inverse.cols; ++j)
    for (Offset p = inverse.start[j]; p < inverse.start[j + 1]; ++p)
      row[inverse.index[p]] += static_cast<double>(std::abs(inverse.value[p])) * sum[j];
  double growth = 0;
  for (const double r : row) growth = r <= growth ? growth : r;  // keeps NaN
  return growth;
}

template <class T>
void keep_nonzeros(const BlockPlan& plan, const Buffer<T>& x, Group<T>& group) {
  for (Index j = group.begin; j < group.end; ++j) {
    const T* const column = x.data() + Offset{j - group.begin} * plan.n;
    const auto before = static_cast<Offset>(group.row.size());
    for (Index i = j; i < plan.n; ++i) {
      if (column[i] == T(0)) continue;
      if (!is_finite(column[i]))
        throw Error(ErrorCode::not_finite, "row or column " + std::to_string(plan.unknown(j)) +
                                               " of the inverse is not finite");
      group.row.push_back(i);
      group.value.push_back(column[i]);
    }
    group.count.push_back(static_cast<Offset>(group.row.size()) - before);
  }
}

template <class T>
Csc<T> gather(Index n, std::vector<Group<T>>&& groups) {
  Csc<T> inverse;
  inverse.rows = inverse.cols = n;
  for (const Group<T>& group : groups)
    for (const Offset count : group.count) inverse.start.push_back(inverse.start.back() + count);
  inverse.index.resize(static_cast<std::size_t>(inverse.nonzeros()));
  inverse.value.resize(inverse.index.size());
  for (Group<T>& group : groups) {
    std::copy(group.row.begin(), group.row.end(),
              inverse.index.begin() + inverse.start[group.begin]);
    std::copy(group.value.begin(), group.value.end(),
              inverse.value.begin() + inverse.start[group.begin]);
    group = {};
  }
  return inverse;
}

[[noreturn]] void refuse_inverse(double growth, double most) {
  std::ostringstream text;
  text.precision(2);
  text << "the inverse of the whole triangle cannot be trusted: its condition estimate is "
       << growth << ", above numeric.largest_growth = " << most << "; take another method";
  throw Error(ErrorCode::bad_argument, text.str());
}

// x(k) += list k times b.
template <class T, Order order>
LevelMatrices<T> one_level(Compressed<T, order>&& a) {
  LevelMatrices<T> m;
  for (Index k = 0; k < a.rows; ++k) m.row.push_back(a.rows + k);
  m.level_start.push_back(a.rows);
  m.start = std::move(a.start);
  m.index = std::move(a.index);
  m.value = std::move(a.value);
  return m;
}

}  // namespace

template <Scalar T>
void make_full_inverse(const BlockPlan& plan, Passes passes, double largest_growth,
                       BlockValues<T>& values, Index threads) {
  threads = thread_count(threads);
  std::vector<Group<T>> groups = make_groups<T>(plan.supernodes);
  Buffer<double> sum;
  {
    const PlainPanels<T> panels(plan, values);
    sum = row_sums(panels);
    std::vector<InverseScratch<T>> scratch(static_cast<std::size_t>(threads));
    const OneBlasThread quiet;
    parallel_items(static_cast<Index>(groups.size()), threads, [&](Index item, Index thread) {
      solve_group(panels, groups[item], scratch[thread]);
      keep_nonzeros(plan, scratch[thread].x, groups[item]);
    });
  }
  values.value = {};
  Csc<T> inverse = gather(plan.n, std::move(groups));
  values.largest_growth = find_growth(inverse, sum);
  if (!(values.largest_growth <= largest_growth))
    refuse_inverse(values.largest_growth, largest_growth);
  values.spmv = {};
  if (passes != Passes::backwards) values.spmv.forwards = one_level(to_csr(CscView<T>(inverse)));
  if (passes != Passes::forwards) values.spmv.backwards = one_level(std::move(inverse));
}

#define ECHELON_INSTANTIATE(T) \
  template void make_full_inverse(const BlockPlan&, Passes, double, BlockValues<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
