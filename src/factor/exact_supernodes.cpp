// factor/exact_supernodes.cpp -- splits panels where their zeros show that columns differ.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Packages relax supernodes: columns with different rows share a panel that is filled up
// with zeros.  A panel is read column by column, each as a mask of its nonzero rows.  A column
// joins the group before it if the trapezoid of the new group (its triangle and the union of all
// rows below) has at most zeros_allowed zeros; otherwise it begins a new group.  Without any
// allowed zeros, the groups would be the fundamental supernodes of the values.  Some zeros are
// allowed because entries can be exactly zero by chance or by a symmetry of the problem.  These
// must not split a large dense panel, or make three panels where one costs less.
//
// Cost.  One pass over the values; the work on the masks is 1/64 of that.
#include "factor/exact_supernodes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

using Word = std::uint64_t;
constexpr Index word_bits = 64;
constexpr Offset values_grain = 1 << 16;  // fewer are not worth a thread

// Which of `count` values (at most 64) are not zero.  First one byte each, in a loop that
// vectorizes, then eight bytes to eight bits at a time: the product moves bit 8k to bit 56+k.
template <class T>
Word nonzero_mask(const T* value, Index count) {
  std::array<std::uint8_t, word_bits> flag;
  if (count < word_bits) flag.fill(0);
  for (Index k = 0; k < count; ++k) flag[k] = value[k] != T(0) ? 1 : 0;
  Word mask = 0;
  for (Index byte = 0; byte < word_bits / 8; ++byte) {
    Word eight;
    std::memcpy(&eight, flag.data() + 8 * byte, sizeof eight);
    mask |= (eight * 0x0102040810204080) >> 56 << (8 * byte);
  }
  return mask;
}

// The groups that one thread has found in its panels.
struct Groups {
  std::vector<Index> end;       // one past the last column
  std::vector<Offset> row_end;  // end in row
  std::vector<Index> row;
  Offset nonzeros = 0;
};

// Cuts one panel after another into groups.
template <class T>
class Splitter {
 public:
  Splitter(const Panels<T>& panels, Groups& out) : panels_(panels), out_(out) {}

  void split(Index s) {
    width_ = panels_.first[s + 1] - panels_.first[s];
    const Index rows = panels_.rows(s);
    column_.assign(static_cast<std::size_t>((rows + word_bits - 1) / word_bits), 0);
    group_.assign(column_.size(), 0);
    begin_ = 0;
    nonzeros_ = 0;
    for (Index j = 0; j < width_; ++j) {
      const Offset start = panels_.value_start[s] + Offset{j} * rows;
      const Offset count = 1 + read_column(panels_.value.data() + start, j, rows);
      if (j > begin_ && !fits(j, count)) finish(s, j);
      join(j, count);
    }
    finish(s, width_);
  }

 private:
  // Reads the rows of column j below the diagonal as a mask; returns their number.
  Offset read_column(const T* value, Index j, Index rows) {
    Offset count = 0;
    for (Index k = j + 1; k < rows;) {
      const Index word = k / word_bits;
      const Index end = std::min(rows, (word + 1) * word_bits);
      column_[word] = nonzero_mask(value + k, end - k) << (k % word_bits);
      count += std::popcount(column_[word]);
      k = end;
    }
    return count;
  }

  // Calls body(word number, mask of its rows from k on) for all nonzero words.
  template <class Body>
  void each_word_from(Index k, const Body& body) const {
    const auto words = static_cast<Index>(column_.size());
    Word all = ~Word{0} << (k % word_bits);
    for (Index w = k / word_bits; w < words; ++w, all = ~Word{0}) body(w, all);
  }

  // Whether column j with `count` nonzeros may join the group.
  bool fits(Index j, Offset count) const {
    Offset below = 0;
    each_word_from(
        j + 1, [&](Index w, Word all) { below += std::popcount((group_[w] | column_[w]) & all); });
    const Offset width = j + 1 - begin_;
    const Offset entries = width * (width + 1) / 2 + width * below;
    return entries - nonzeros_ - count <= zeros_allowed(entries);
  }

  void join(Index j, Offset count) {
    each_word_from(j + 1, [&](Index w, Word all) { group_[w] |= column_[w] & all; });
    nonzeros_ += count;
  }

  // Stores the group that ends before column `end`, and begins an empty one.
  void finish(Index s, Index end) {
    const Index* const row = panels_.row.data() + panels_.row_start[s];
    const auto before = static_cast<std::ptrdiff_t>(out_.row.size());
    each_word_from(end, [&](Index w, Word all) {
      for (Word rest = group_[w] & all; rest != 0; rest &= rest - 1)
        out_.row.push_back(row[w * word_bits + std::countr_zero(rest)]);
    });
    if (!std::is_sorted(out_.row.begin() + before, out_.row.end()))
      std::sort(out_.row.begin() + before, out_.row.end());
    out_.end.push_back(panels_.first[s] + end);
    out_.row_end.push_back(static_cast<Offset>(out_.row.size()));
    out_.nonzeros += nonzeros_;
    std::fill(group_.begin(), group_.end(), Word{0});
    begin_ = end;
    nonzeros_ = 0;
  }

  const Panels<T>& panels_;
  Groups& out_;
  std::vector<Word> column_, group_;  // one bit per row of the panel
  Index width_ = 0;                   // of the panel
  Index begin_ = 0;                   // first column of the group
  Offset nonzeros_ = 0;               // of the group
};

// The first panel of each part; parts have about the same number of values.
template <class T>
std::vector<Index> cut_panels(const Panels<T>& panels, Index parts) {
  const auto total = static_cast<Offset>(panels.value.size());
  std::vector<Index> cut(static_cast<std::size_t>(parts) + 1, panels.count());
  for (Index part = 0; part < parts; ++part) {
    const auto& start = panels.value_start;
    cut[part] = static_cast<Index>(
        std::lower_bound(start.begin(), start.end(), piece_begin(total, part, parts)) -
        start.begin());
  }
  return cut;
}

// Concatenates the groups of all parts.
ExactSupernodes gather(Index n, const std::vector<Groups>& parts) {
  ExactSupernodes exact;
  Supernodes& s = exact.supernodes;
  s.n = n;
  std::vector<std::size_t> first(parts.size() + 1, 0), row(parts.size() + 1, 0);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    first[p + 1] = first[p] + parts[p].end.size();
    row[p + 1] = row[p] + parts[p].row.size();
    exact.nonzeros += parts[p].nonzeros;
  }
  s.first.resize(first.back() + 1);
  s.row_start.resize(first.back() + 1);
  s.row.resize(row.back());
  s.first[0] = 0;
  s.row_start[0] = 0;
  const auto count = static_cast<Index>(parts.size());
  parallel_pieces(count, 1, count, [&](Offset, Offset, Index p) {
    const Groups& groups = parts[p];
    std::copy(groups.end.begin(), groups.end.end(), s.first.begin() + first[p] + 1);
    std::copy(groups.row.begin(), groups.row.end(), s.row.begin() + row[p]);
    std::transform(groups.row_end.begin(), groups.row_end.end(), s.row_start.begin() + first[p] + 1,
                   [&](Offset end) { return end + static_cast<Offset>(row[p]); });
  });
  return exact;
}

}  // namespace

template <Scalar T>
ExactSupernodes find_exact_supernodes(const Panels<T>& panels, Index threads) {
  const Index n = panels.count() == 0 ? 0 : panels.first[panels.count()];
  const auto parts = static_cast<Index>(std::clamp<Offset>(
      static_cast<Offset>(panels.value.size()) / values_grain, 1, thread_count(threads)));
  const std::vector<Index> cut = cut_panels(panels, parts);
  std::vector<Groups> groups(static_cast<std::size_t>(parts));
  parallel_pieces(parts, 1, parts, [&](Offset, Offset, Index part) {
    Splitter<T> splitter(panels, groups[part]);
    for (Index s = cut[part]; s < cut[part + 1]; ++s) splitter.split(s);
  });
  return gather(n, groups);
}

#define ECHELON_INSTANTIATE(T) \
  template ExactSupernodes find_exact_supernodes(const Panels<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
