// numeric/spmv_form.cpp -- the partitioned inverse as one sparse matrix per level.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  With z = [b; x], where b is updated as parts of x are solved, a level of supernodes [D;
// P] is
//   forwards:   x(own) += D^-1 b(own),   b(below) -= P D^-1 b(own)
//   backwards:  x(own) += D^-T b(own) - (P D^-1)' x(below)
// and both have the form z += M z with a sparse M that reads nothing it changes.  A line of a panel
// (forwards a row, backwards a column) is part of one row of M; lines of one level with the same
// target form one row.  A supernode whose inverse is not trusted stays a triangle and takes one
// level per row: x(j) += (b(j) - D(j,:) x) / d(j); forwards, P follows the last.
//
// Cost.  O(entries) and a sort of the lines of each level; each panel is read twice per pass.
//
// Reference.  Alvarado, Pothen and Schreiber, Highly parallel sparse triangular solution, IMA
// Volumes 56 (1993), 141-157.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/finite.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "numeric/read_panel.hpp"

namespace echelon {
namespace {

// A panel by columns, read by lines.
template <class T>
struct Lines {
  bool forwards;
  Index n, w, h, first;
  std::span<const Index> below;
  bool triangle;
  const T* value;

  Index count() const { return forwards ? w + h : w; }
  Index position(Index i) const { return i < w ? first + i : below[i - w]; }
  // The place in z that a line is added to: an unknown, or a right-hand side below.
  Index target(Index line) const { return line < w ? n + first + line : below[line - w]; }
  // The matrix of the level that the line belongs to.
  Index stage(Index line) const {
    if (!triangle) return 0;
    return forwards ? std::min(line, w) : w - 1 - line;
  }
  T at(Index i, Index j) const { return value[Offset{j} * (w + h) + i]; }

  // Calls visit(place in z, value) for each entry of a line.
  template <class Visit>
  void for_each_entry(Index line, const Visit& visit) const {
    const Index begin = forwards ? 0 : line, end = forwards ? std::min(line + 1, w) : w + h;
    for (Index k = begin; k < end; ++k) {
      const T a = forwards ? at(line, k) : at(k, line);
      if (a == T(0)) continue;
      if (triangle)
        visit_of_triangle(line, k, a, visit);
      else if (line < w && k < w)
        visit(first + k, a);
      else
        visit(k < w ? first + k : n + below[k - w], -a);
    }
  }

 private:
  template <class Visit>
  void visit_of_triangle(Index line, Index k, T a, const Visit& visit) const {
    if (k == line)
      visit(first + k, T(1) / a);
    else
      visit(n + position(k), line < w ? -a / at(line, line) : -a);
  }
};

// Reads the panels of a plan with one supernode per task; open(task) returns its lines.
template <class T>
class PanelReader {
 public:
  PanelReader(const BlockPlan& plan, const BlockValues<T>& values, bool forwards, Index threads)
      : plan_(plan), values_(values), forwards_(forwards), scratch_(threads) {}

  Lines<T> open(Index t, Index thread) {
    const Supernodes& s = plan_.supernodes;
    const Index node = plan_.order[t], w = s.width(node), h = s.height(node);
    Buffer<T>& panel = scratch_[thread];
    panel.resize(static_cast<std::size_t>(w + h) * w);
    if (values_.low.empty())
      read_panel(w, h, values_.value.data() + plan_.value_start[t], panel.data());
    else
      read_panel(w, h, values_.low.data() + plan_.value_start[t], panel.data());
    return shape(t, panel.data());
  }
  // The lines, without values unless `panel` is given.
  Lines<T> shape(Index t, const T* panel = nullptr) const {
    const Supernodes& s = plan_.supernodes;
    const Index node = plan_.order[t];
    return {forwards_,
            plan_.n,
            s.width(node),
            s.height(node),
            s.first[node],
            s.rows(node),
            values_.form[t] == BlockForm::triangle,
            panel};
  }
  bool forwards() const { return forwards_; }
  // The global number of a task's first line.
  Offset first_line(Index t) const {
    return forwards_ ? plan_.space_start[t] : Offset{plan_.supernodes.first[plan_.order[t]]};
  }
  Offset lines() const { return forwards_ ? plan_.space() : Offset{plan_.n}; }

 private:
  const BlockPlan& plan_;
  const BlockValues<T>& values_;
  bool forwards_;
  std::vector<Buffer<T>> scratch_;
};

template <class T>
Buffer<Offset> count_entries(const BlockPlan& plan, PanelReader<T>& reader, Index threads) {
  Buffer<Offset> count(static_cast<std::size_t>(reader.lines()), 0);
  parallel_items(plan.tasks(), threads, [&](Index t, Index thread) {
    const Lines<T> lines = reader.open(t, thread);
    for (Index line = 0; line < lines.count(); ++line)
      lines.for_each_entry(line, [&](Index, T) { ++count[reader.first_line(t) + line]; });
  });
  return count;
}

// Gathers lines into rows: replaces the counts by each line's place among the entries.
template <class T>
void find_rows(const BlockPlan& plan, const PanelReader<T>& reader, Buffer<Offset>& count,
               LevelMatrices<T>& out) {
  using Line = std::tuple<Index, Index, Offset>;  // stage, target, number
  Buffer<Line> level;
  Offset place = 0;
  for (Index l = 0; l < plan.levels(); ++l) {
    const Index at = reader.forwards() ? l : plan.levels() - 1 - l;
    level.clear();
    for (Index t = plan.level_start[at]; t < plan.level_start[at + 1]; ++t) {
      const Lines<T> lines = reader.shape(t);
      for (Index line = 0; line < lines.count(); ++line)
        if (const Offset number = reader.first_line(t) + line; count[number] > 0)
          level.push_back({lines.stage(line), lines.target(line), number});
    }
    std::sort(level.begin(), level.end());
    for (std::size_t k = 0; k < level.size(); ++k) {
      const auto [stage, target, number] = level[k];
      const bool same_stage = k > 0 && std::get<0>(level[k - 1]) == stage;
      if (k > 0 && !same_stage) out.level_start.push_back(static_cast<Index>(out.row.size()));
      if (!same_stage || std::get<1>(level[k - 1]) != target) {
        if (!out.row.empty()) out.start.push_back(place);
        out.row.push_back(target);
      }
      place += std::exchange(count[number], place);
    }
    out.level_start.push_back(static_cast<Index>(out.row.size()));
  }
  if (!out.row.empty()) out.start.push_back(place);
}

[[noreturn]] void refuse_entry(const BlockPlan& plan, Index position) {
  throw Error(ErrorCode::bad_argument,
              "row or column " + std::to_string(plan.unknown(position)) +
                  " has an inverse that overflows; method spmv cannot hold it");
}

template <class T, class S>
void write_entries(const BlockPlan& plan, PanelReader<T>& reader, const Buffer<Offset>& place,
                   Index threads, Index* index, S* value) {
  parallel_items(plan.tasks(), threads, [&](Index t, Index thread) {
    const Lines<T> lines = reader.open(t, thread);
    for (Index line = 0; line < lines.count(); ++line) {
      Offset p = place[reader.first_line(t) + line];
      lines.for_each_entry(line, [&](Index from, T v) {
        index[p] = from;
        value[p] = static_cast<S>(v);
        if (!is_finite(value[p])) refuse_entry(plan, lines.position(line));
        ++p;
      });
    }
  });
}

template <class T>
LevelMatrices<T> make_matrices(const BlockPlan& plan, const BlockValues<T>& values, bool forwards,
                               Index threads) {
  LevelMatrices<T> out;
  if (plan.n == 0) return out;
  PanelReader<T> reader(plan, values, forwards, threads);
  Buffer<Offset> place = count_entries(plan, reader, threads);
  find_rows(plan, reader, place, out);
  const auto size = static_cast<std::size_t>(out.start.back());
  out.index.resize(size);
  if (values.low.empty()) {
    out.value.resize(size);
    write_entries(plan, reader, place, threads, out.index.data(), out.value.data());
  } else {
    out.low.resize(size);
    write_entries(plan, reader, place, threads, out.index.data(), out.low.data());
  }
  return out;
}

}  // namespace

template <Scalar T>
void make_spmv_form(const BlockPlan& plan, Passes passes, BlockValues<T>& values, Index threads) {
  if (plan.n >= Index{1} << 30)
    throw Error(ErrorCode::bad_argument, "method spmv is for fewer than 2^30 unknowns");
  threads = thread_count(threads);
  values.spmv = {};
  if (passes != Passes::backwards)
    values.spmv.forwards = make_matrices(plan, values, true, threads);
  if (passes != Passes::forwards)
    values.spmv.backwards = make_matrices(plan, values, false, threads);
  values.value = {};
  values.low = {};
}

#define ECHELON_INSTANTIATE(T) \
  template void make_spmv_form(const BlockPlan&, Passes, BlockValues<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
