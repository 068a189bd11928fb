// numeric/pack_blocks.cpp -- copies panels into strips; checks them, and inverts those whose
// inverse is accurate.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  D^-1 is computed by halves, P D^-1 by blocks, both with matrix products.  An inverse is
// trusted if Skeel's condition number | |D^-1| |D| |_inf, which row scaling does not change, is
// below a bound: a product with D^-1 then loses at most that many digits compared with a solve with
// D.  An inverse is not trusted if D^-1 or P D^-1 overflows.
//
// Cost.  About a third of the factorization's operations.  All threads share each of the few
// largest panels, one panel at a time; the others are distributed panel by panel, largest first.
//
// Reference.  Higham and Pothen, Stability of the partitioned inverse method, SIAM J. Sci.
// Comput. 15 (1994), 139-148.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/blas_threads.hpp"
#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/parallel.hpp"
#include "echelon/numeric.hpp"
#include "numeric/dense_lower.hpp"
#include "numeric/growth.hpp"

namespace echelon {
namespace {

// Work memory for one panel, by columns.
template <class T>
struct PanelScratch {
  PanelScratch(Index threads, VectorUnit unit) : dense(threads, unit) {}

  Buffer<T> panel, triangle;  // triangle: the panel before inversion
  DenseSpace<T> dense;
  Buffer<Index> where;
  Buffer<double> sum;
};

// Throws if columns [from, to) have a zero diagonal or a value that is not finite: 0*v is 0 for a
// finite v, NaN otherwise.
template <class T>
void check_columns(const BlockPlan& plan, Index s, Index from, Index to, const T* columns,
                   Offset ld) {
  const Index first = plan.supernodes.first[s];
  for (Index j = from; j < to; ++j) {
    const T* const column = columns + (j - from) * ld;
    T probe{};
    for (Offset i = j; i < ld; ++i) probe += column[i] * Real<T>(0);
    if (!is_finite(probe))
      throw Error(ErrorCode::not_finite, "row or column " +
                                             std::to_string(plan.unknown(first + j)) +
                                             " of the triangle has an entry that is not finite");
    if (column[j] == T(0))
      throw Error(
          ErrorCode::zero_diagonal,
          "the diagonal entry of row " + std::to_string(plan.unknown(first + j)) + " is zero");
  }
}

// Throws if a value overflows in low precision, or a diagonal entry underflows.
template <class T>
void check_low(const BlockPlan& plan, Index s, const T* panel, Offset ld) {
  using R = Real<Low<T>>;
  const auto size = [](T v) { return static_cast<double>(std::abs(v)); };
  constexpr double most = std::numeric_limits<R>::max(), least = std::numeric_limits<R>::min();
  for (Index j = 0; j < plan.supernodes.width(s); ++j) {
    const T* const column = panel + j * ld;
    double largest = 0;
    for (Offset i = j; i < ld; ++i) largest = std::max(largest, size(column[i]));
    if (largest > most || size(column[j]) < least)
      throw Error(ErrorCode::not_finite,
                  "single precision cannot hold row or column " +
                      std::to_string(plan.unknown(plan.supernodes.first[s] + j)) +
                      " of the triangle, or its inverse; keep the values in double precision");
  }
}

// Copies rows [j, rows) of each column j, between panels with the same ld.
template <class T>
void copy_columns(Index w, Index rows, Offset ld, const T* from, T* to) {
  for (Index j = 0; j < w; ++j) std::copy_n(from + j * ld + j, rows - j, to + j * ld + j);
}

template <class T>
bool all_finite(Index w, Index h, const T* columns, Offset ld) {
  T probe{};
  for (Index j = 0; j < w; ++j)
    for (Index i = 0; i < h; ++i) probe += columns[j * ld + i] * Real<T>(0);
  return is_finite(probe);
}

// Converts the panel to the requested form; leaves it unchanged if the inverse is not trusted.
template <class T>
BlockForm invert_panel(Index w, Index h, BlockForm wanted, double most, PanelScratch<T>& scratch,
                       double& growth) {
  if (wanted == BlockForm::triangle) return wanted;
  const Index ld = w + h, changed = wanted == BlockForm::inverse ? ld : w;
  T* const panel = scratch.panel.data();
  scratch.triangle.resize(static_cast<std::size_t>(ld) * w);
  T* const before = scratch.triangle.data();  // the original
  copy_columns(w, changed, Offset{ld}, panel, before);
  invert_lower(w, panel, Offset{ld}, scratch.dense);
  growth = find_growth(w, panel, before, ld, scratch.sum);
  bool trusted = growth <= most && std::isfinite(growth);
  if (trusted && changed > w) {
    multiply_right_lower(h, w, panel, Offset{ld}, panel + w, Offset{ld}, scratch.dense);
    trusted = all_finite(w, h, panel + w, Offset{ld});
  }
  if (trusted) return wanted;
  copy_columns(w, changed, Offset{ld}, before, panel);
  return BlockForm::triangle;
}

// Copies rows [begin, begin+rows) of a column into groups of eight; real and imaginary parts apart.
template <class T, class S>
S* store_rows(const T* column, Index begin, Index rows, Index limit, S* out) {
  constexpr Index group = PanelShape::group;
  const auto at = [&](Index i) { return i < limit ? column[i] : T(0); };
  for (Index g = begin; g < begin + rows; g += group) {
    if constexpr (is_complex<T>) {
      auto* const part = reinterpret_cast<Real<S>*>(out);
      for (Index i = 0; i < group; ++i) {
        part[i] = static_cast<Real<S>>(at(g + i).real());
        part[group + i] = static_cast<Real<S>>(at(g + i).imag());
      }
    } else if (g + group <= limit) {
      for (Index i = 0; i < group; ++i) out[i] = static_cast<S>(column[g + i]);
    } else {
      for (Index i = 0; i < group; ++i) out[i] = static_cast<S>(at(g + i));
    }
    out += group;
  }
  return out;
}

struct PanelSize {
  Index w, h;
};
// Copies columns [from, to) of a panel; entries above the diagonal become zero.
template <class T, class S>
void store_columns(PanelLayout layout, PanelSize size, Index from, Index to, T* columns, S* out) {
  const auto [w, h] = size;
  const Index ld = w + h;
  for (Index j = from; j < to; ++j) std::fill_n(columns + Offset{j - from} * ld, j, T(0));
  if (layout == PanelLayout::plain) {
    for (Offset p = 0; p < Offset{ld} * (to - from); ++p)
      out[Offset{from} * ld + p] = static_cast<S>(columns[p]);
    return;
  }
  for (Index k = from / PanelShape::strip; k < strip_count(w, h); ++k) {
    const Strip strip = strip_of(w, h, k);
    S* next = out + strip.column(from);
    for (Index j = from; j < std::min(to, strip.full + strip.stair); ++j) {
      const Index skip = strip.top(j);
      next = store_rows(columns + Offset{j - from} * ld, strip.begin + skip, strip.rows - skip, ld,
                        next);
    }
  }
}
template <class T, class S>
void store_panel(PanelLayout layout, Index w, Index h, T* panel, S* out) {
  store_columns(layout, {w, h}, 0, w, panel, out);
}

// Copies and checks columns [from, to) of panel k in execution order.
template <class T>
T* fetch_columns(const BlockPlan& plan, const FillPanel<T>& fill, Index k, Index from, Index to,
                 PanelScratch<T>& mine) {
  const Index t = plan.order[k];
  const Offset ld = Offset{plan.supernodes.width(t)} + plan.supernodes.height(t);
  mine.where.resize(2 * static_cast<std::size_t>(plan.n));
  mine.panel.resize(static_cast<std::size_t>(ld * (to - from)));
  fill(t, from, to, mine.panel.data(), ld, mine.where.data());
  check_columns(plan, t, from, to, mine.panel.data(), ld);
  return mine.panel.data();
}
template <class T>
T* fetch_panel(const BlockPlan& plan, const FillPanel<T>& fill, Index k, PanelScratch<T>& mine) {
  return fetch_columns(plan, fill, k, 0, plan.supernodes.width(plan.order[k]), mine);
}

// Panels by falling cost, so that the last panels to finish are small.
struct Ranking {
  Buffer<Index> panel;
  Index large = 0;  // panels that all threads share
};

Ranking rank_panels(const BlockPlan& plan, Index threads) {
  const Supernodes& s = plan.supernodes;
  Ranking ranking;
  ranking.panel.resize(plan.order.size());
  std::iota(ranking.panel.begin(), ranking.panel.end(), 0);
  Buffer<double> cost(plan.order.size());
  double sum = 0;
  for (const Index k : ranking.panel) {
    const double w = s.width(plan.order[k]), h = s.height(plan.order[k]);
    sum += cost[k] = w * (w * (w / 3 + h) + 16 * (w + h));
  }
  std::stable_sort(ranking.panel.begin(), ranking.panel.end(),
                   [&](Index a, Index b) { return cost[a] > cost[b]; });
  if (threads > 1)
    while (ranking.large < static_cast<Index>(cost.size()) &&
           cost[ranking.panel[ranking.large]] > sum / (4 * threads))
      ++ranking.large;
  return ranking;
}

}  // namespace

template <Scalar T>
void count_forms(BlockForm wanted, std::span<const double> growth, BlockValues<T>& out) {
  out.uninverted_blocks = 0;
  out.largest_growth = 0;
  for (std::size_t k = 0; k < out.form.size(); ++k)
    if (out.form[k] == BlockForm::triangle && wanted != BlockForm::triangle)
      ++out.uninverted_blocks;
    else
      out.largest_growth = std::max(out.largest_growth, growth[k]);
  out.all_inverse = wanted == BlockForm::inverse && out.uninverted_blocks == 0;
}

template <Scalar T>
// NOLINTNEXTLINE(readability-function-size): the last two have defaults
void pack_blocks(const BlockPlan& plan, const FillPanel<T>& fill, BlockForm wanted,
                 const NumericOptions& o, BlockValues<T>& out, Index threads, VectorUnit unit) {
  const Supernodes& s = plan.supernodes;
  const bool low = o.low_precision && !std::same_as<T, Low<T>>;
  out.value.resize(low ? 0 : static_cast<std::size_t>(plan.values()));
  out.low.resize(low ? static_cast<std::size_t>(plan.values()) : 0);
  out.form.resize(plan.order.size());
  Buffer<double> growth(plan.order.size(), 0);
  threads = thread_count(threads);
  const auto pack = [&](Index k, PanelScratch<T>& mine) {
    const Index t = plan.order[k], w = s.width(t), h = s.height(t);
    T* const panel = fetch_panel(plan, fill, k, mine);
    out.form[k] = invert_panel(w, h, wanted, o.largest_growth, mine, growth[k]);
    if (low) {
      check_low(plan, t, panel, w + h);
      store_panel(plan.layout, w, h, panel, out.low.data() + plan.value_start[k]);
    } else {
      store_panel(plan.layout, w, h, panel, out.value.data() + plan.value_start[k]);
    }
  };
  const Ranking ranking = rank_panels(plan, wanted == BlockForm::triangle ? 1 : threads);
  const OneBlasThread quiet;
  PanelScratch<T> at_once(threads, unit);
  for (Index item = 0; item < ranking.large; ++item) pack(ranking.panel[item], at_once);
  std::vector<PanelScratch<T>> scratch(static_cast<std::size_t>(threads), PanelScratch<T>(1, unit));
  const auto panels = static_cast<Index>(plan.order.size());
  parallel_items(panels - ranking.large, threads, [&](Index item, Index thread) {
    pack(ranking.panel[ranking.large + item], scratch[thread]);
  });
  count_forms<T>(wanted, growth, out);
}

template <Scalar T>
void pack_triangles(const BlockPlan& plan, const FillPanel<T>& fill, Index begin, Index end,
                    std::span<T> out, Index threads) {
  // Columns that fit in a thread's cache, and are few enough that threads end at the same time.
  constexpr Offset at_once = 1 << 16;
  struct Item {
    Index k, from, to;
  };
  std::vector<Item> items;
  for (Index k = begin; k < end; ++k) {
    const Index t = plan.order[k], w = plan.supernodes.width(t);
    const auto columns =
        static_cast<Index>(std::max(at_once / (w + plan.supernodes.height(t)), Offset{1}));
    for (Index j = 0; j < w; j += columns) items.push_back({k, j, std::min(j + columns, w)});
  }
  threads = thread_count(threads);
  std::vector<PanelScratch<T>> scratch(static_cast<std::size_t>(threads),
                                       PanelScratch<T>(1, VectorUnit::automatic));
  parallel_items(static_cast<Index>(items.size()), threads, [&](Index item, Index thread) {
    const auto [k, from, to] = items[item];
    const Index t = plan.order[k];
    T* const columns = fetch_columns(plan, fill, k, from, to, scratch[thread]);
    store_columns(plan.layout, {plan.supernodes.width(t), plan.supernodes.height(t)}, from, to,
                  columns, out.data() + (plan.value_start[k] - plan.value_start[begin]));
  });
}

template <Scalar T>
void store_rectangle(Index w, Index h, const T* columns, Offset ld, T* out) {
  for (Index k = 0; k * PanelShape::strip < h; ++k) {
    const Strip strip = rectangle_strip(w, h, k);
    for (Index j = 0; j < w; ++j)
      store_rows(columns + j * ld, strip.begin, strip.rows, h,
                 out + strip.start + Offset{j} * strip.rows);
  }
}

template <Scalar T>
struct PanelPacker<T>::Scratch : PanelScratch<T> {
  using PanelScratch<T>::PanelScratch;
};
template <Scalar T>
PanelPacker<T>::PanelPacker(Index threads)
    : scratch_(std::make_unique<Scratch>(thread_count(threads), VectorUnit::automatic)) {}
template <Scalar T>
PanelPacker<T>::PanelPacker(PanelPacker&&) noexcept = default;
template <Scalar T>
PanelPacker<T>::~PanelPacker() = default;

template <Scalar T>
// NOLINTNEXTLINE(readability-function-size): one panel in, one out
BlockForm PanelPacker<T>::pack(Index w, Index h, BlockForm wanted, const NumericOptions& o,
                               Buffer<T>& columns, bool below, T* out, double& growth) {
  const OneBlasThread quiet;
  PanelScratch<T>& mine = *scratch_;
  std::swap(mine.panel, columns);
  const BlockForm form = invert_panel(w, h, wanted, o.largest_growth, mine, growth);
  std::swap(mine.panel, columns);
  if (below)
    store_rectangle(w, h, columns.data() + w, Offset{w} + h, out);
  else
    store_panel(PanelLayout::strips, w, h, columns.data(), out);
  return form;
}

#define ECHELON_INSTANTIATE(T)                                                                    \
  template class PanelPacker<T>;                                                                  \
  template void pack_blocks(const BlockPlan&, const FillPanel<T>&, BlockForm,                     \
                            const NumericOptions&, BlockValues<T>&, Index, VectorUnit);           \
  template void store_rectangle(Index, Index, const T*, Offset, T*);                              \
  template void count_forms(BlockForm, std::span<const double>, BlockValues<T>&);                 \
  template void pack_triangles(const BlockPlan&, const FillPanel<T>&, Index, Index, std::span<T>, \
                               Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
