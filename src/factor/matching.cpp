// factor/matching.cpp -- finds the rows and scalings that put the largest entries on the diagonal.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The cost of an entry is the logarithm of the largest entry of its column over it.  A
// matching of least cost has row potentials u and column potentials v with u + v at most the cost,
// and equal to it where rows are matched: exp(u) and exp(v) scale.  Columns that find no free row
// at no cost are matched one after the other along a shortest path (Dijkstra) of reduced costs.
//
// Reference.  Duff and Koster, SIAM J. Matrix Anal. Appl. 22 (2001), 973-996.
#include "factor/matching.hpp"

#include <cmath>
#include <functional>
#include <queue>

#include "base/instantiate.hpp"

namespace echelon {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The costs of all entries, by columns; that of a zero is infinite.
class Matcher {
 public:
  Matcher(const Pattern& a, std::vector<double>&& cost, Offset most_looks)
      : a_(a),
        cost_(std::move(cost)),
        looks_left_(most_looks),
        u_(size(), infinite),
        v_(size(), 0),
        row_of_(size(), -1),
        column_of_(size(), -1),
        place_(size(), -1),
        distance_(size(), infinite),
        from_(size(), -1) {}

  // Whether every column has a row.
  bool match() {
    start();
    for (Index j = 0; j < a_.cols; ++j)
      if (row_of_[j] < 0 && !augment(j)) return false;
    return true;
  }
  const std::vector<Index>& rows() const { return row_of_; }
  const std::vector<double>& u() const { return u_; }
  const std::vector<double>& v() const { return v_; }

 private:
  using Near = std::pair<double, Index>;  // distance and row

  std::size_t size() const { return static_cast<std::size_t>(a_.cols); }
  double reduced(Offset p, Index j) const { return cost_[p] - u_[a_.index[p]] - v_[j]; }

  // Potentials under which some entry of each column costs nothing, and the free rows of these.
  void start() {
    for (Offset p = 0; p < a_.nonzeros(); ++p)
      u_[a_.index[p]] = std::min(u_[a_.index[p]], cost_[p]);
    for (double& u : u_)
      if (u == infinite) u = 0;
    for (Index j = 0; j < a_.cols; ++j) {
      double least = infinite;
      for (Offset p = a_.start[j]; p < a_.start[j + 1]; ++p) least = std::min(least, reduced(p, j));
      v_[j] = least == infinite ? 0 : least;
      for (Offset p = a_.start[j]; p < a_.start[j + 1] && row_of_[j] < 0; ++p)
        if (column_of_[a_.index[p]] < 0 && reduced(p, j) <= 0) pair(a_.index[p], j, p);
    }
  }
  void pair(Index row, Index column, Offset place) {
    row_of_[column] = row;
    column_of_[row] = column;
    place_[column] = place;
  }

  // Matches column `first` along a shortest path to a free row.
  bool augment(Index first) {
    std::priority_queue<Near, std::vector<Near>, std::greater<>> near;
    std::vector<Index> reached, settled;
    double length = 0, shortest = infinite;
    Index end = -1;
    for (Index j = first;;) {
      looks_left_ -= a_.start[j + 1] - a_.start[j];
      if (looks_left_ < 0) return false;
      for (Offset p = a_.start[j]; p < a_.start[j + 1]; ++p) {
        const Index i = a_.index[p];
        const double d = length + std::max(reduced(p, j), 0.0);
        if (!(d < shortest) || !(d < distance_[i])) continue;
        if (distance_[i] == infinite) reached.push_back(i);
        distance_[i] = d;
        from_[i] = p;
        by_[i] = j;
        if (column_of_[i] >= 0) {
          near.push({d, i});
        } else {
          shortest = d;
          end = i;
        }
      }
      while (!near.empty() && near.top().first > distance_[near.top().second]) near.pop();
      if (near.empty() || near.top().first >= shortest) break;
      length = near.top().first;
      const Index row = near.top().second;
      near.pop();
      settled.push_back(row);
      j = column_of_[row];
    }
    if (end >= 0) finish(first, end, shortest, settled);
    for (const Index i : reached) distance_[i] = infinite;
    return end >= 0;
  }

  // New potentials, then new pairs along the path.
  void finish(Index first, Index end, double shortest, const std::vector<Index>& settled) {
    for (const Index i : settled) u_[i] += distance_[i] - shortest;
    std::vector<Index> columns;
    columns.reserve(settled.size() + 1);
    for (const Index i : settled) columns.push_back(column_of_[i]);
    for (Index i = end;;) {
      const Index j = by_[i], next = row_of_[j];
      pair(i, j, from_[i]);
      if (j == first) break;
      i = next;
    }
    columns.push_back(first);
    for (const Index j : columns) v_[j] = cost_[place_[j]] - u_[row_of_[j]];
  }

  const Pattern a_;
  std::vector<double> cost_;
  Offset looks_left_;
  std::vector<double> u_, v_;
  std::vector<Index> row_of_, column_of_;  // by column, by row
  std::vector<Offset> place_;              // by column: its matched entry
  std::vector<double> distance_;           // by row
  std::vector<Offset> from_;               // by row: the entry through which it was reached
  std::vector<Index> by_ = std::vector<Index>(size());  // and the column of that entry
};

// The power of two next to exp(x).
double power_of_two(double x) { return std::exp2(std::round(x / std::log(2.0))); }

}  // namespace

template <Scalar T>
ScaledMatching find_matching(const MatrixView<T>& a, Offset most_looks) {
  std::vector<double> cost(static_cast<std::size_t>(a.nonzeros())), largest;
  for (Index j = 0; j < a.cols; ++j) {
    double most = 0;
    for (Offset p = a.start[j]; p < a.start[j + 1]; ++p)
      most = std::max(most, static_cast<double>(std::abs(a.value[p])));
    largest.push_back(std::log(most));
    for (Offset p = a.start[j]; p < a.start[j + 1]; ++p)
      cost[p] = a.value[p] == T(0)
                    ? infinite
                    : largest[j] - std::log(static_cast<double>(std::abs(a.value[p])));
  }
  Matcher matcher(a, std::move(cost), most_looks);
  if (!matcher.match()) return {};
  ScaledMatching m;
  for (Index k = 0; k < a.cols; ++k) {
    m.row_scale.push_back(power_of_two(matcher.u()[k]));
    m.col_scale.push_back(power_of_two(matcher.v()[k] - largest[k]));
    for (const double scale : {m.row_scale.back(), m.col_scale.back()})
      if (!std::isnormal(static_cast<Real<T>>(scale))) return {};
  }
  m.row = matcher.rows();
  return m;
}

template <Scalar T>
Csc<T> apply_matching(const MatrixView<T>& a, const ScaledMatching& m) {
  std::vector<Index> place(static_cast<std::size_t>(a.rows));
  for (Index j = 0; j < a.cols; ++j) place[m.row[j]] = j;
  Csc<T> b{a.rows, a.cols, Buffer<Offset>(1, 0), {}, {}};
  std::vector<std::pair<Index, T>> column;
  for (Index j = 0; j < a.cols; ++j) {
    column.clear();
    for (Offset p = a.start[j]; p < a.start[j + 1]; ++p) {
      const auto scale = static_cast<Real<T>>(m.row_scale[a.index[p]]);
      column.push_back(
          {place[a.index[p]], a.value[p] * scale * static_cast<Real<T>>(m.col_scale[j])});
    }
    std::sort(column.begin(), column.end(),
              [](const auto& x, const auto& y) { return x.first < y.first; });
    for (const auto& [row, value] : column) {
      b.index.push_back(row);
      b.value.push_back(value);
    }
    b.start.push_back(static_cast<Offset>(b.index.size()));
  }
  return b;
}

#define ECHELON_INSTANTIATE(T)                                         \
  template ScaledMatching find_matching(const MatrixView<T>&, Offset); \
  template Csc<T> apply_matching(const MatrixView<T>&, const ScaledMatching&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
