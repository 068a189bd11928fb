// tests/supernode/test_merge_supernodes.cpp -- merging by hand, against the rule on plain sets, and
// its effect on the levels of a factor.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "supernode/patterns.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

using test::plain;
using test::PlainSupernodes;

Supernodes found_in(const Csr<double>& a) {
  return find_supernodes(find_dependency_graph(lower(a), Order::columns));
}

// A panel of the rule below.
struct Panel {
  Index first, last;
  std::set<Index> rows;
  Offset zeros;
  Offset entries() const {
    const Offset w = last - first;
    return w * (w + 1) / 2 + w * static_cast<Offset>(rows.size());
  }
};

// The rule on sets: each supernode absorbs the one before while it can.
PlainSupernodes merged(const Supernodes& s, Merging merging, const SupernodeOptions& o) {
  std::vector<Panel> panels;
  for (Index t = 0; t < s.count(); ++t) {
    panels.push_back({s.first[t], s.first[t + 1], {s.rows(t).begin(), s.rows(t).end()}, 0});
    while (panels.size() > 1) {
      const Panel &c = panels[panels.size() - 2], &p = panels.back();
      if (c.rows.empty() || *c.rows.begin() >= p.last) break;
      Panel both{c.first, p.last, p.rows, 0};
      both.rows.insert(c.rows.lower_bound(p.last), c.rows.end());
      const Offset added = both.entries() - c.entries() - p.entries();
      both.zeros = c.zeros + p.zeros + added;
      const auto saving = o.panel_work + o.row_work * static_cast<double>(c.rows.size());
      const bool pays =
          merging == Merging::amalgamate && static_cast<double>(added) <= saving &&
          static_cast<double>(both.zeros) <= o.merge_zeros * static_cast<double>(both.entries());
      if (added > 0 && !pays) break;
      panels.pop_back();
      panels.back() = both;
    }
  }
  PlainSupernodes result{{0}, {}};
  for (const Panel& p : panels) {
    result.first.push_back(p.last);
    result.rows.push_back(p.rows);
  }
  return result;
}

// Supernodes {0 1} {2} {3} {4 5} with rows {3 5} {4 5} {5} {}.  {3} adds one zero, then {2}
// another: 2 of 10.  {0 1} would give 6 of 21, too many.
TEST(MergeSupernodes, ParentsTakeTheChildrenBeforeThemWhileZerosAreFew) {
  const auto s = found_in(test::picture<double>(R"( x . . . . .
                                                    x x . . . .
                                                    . . x . . .
                                                    x x . x . .
                                                    . . x . x .
                                                    x x x x x x )"));
  EXPECT_EQ(plain(merge_supernodes(s, Merging::same)), plain(s));
  EXPECT_EQ(plain(merge_supernodes(s, Merging::amalgamate, {.merge_zeros = 0.25})),
            (PlainSupernodes{{0, 2, 6}, {{3, 5}, {}}}));
  EXPECT_EQ(plain(merge_supernodes(s, Merging::amalgamate, {.merge_zeros = 0.3})),
            (PlainSupernodes{{0, 6}, {{}}}));
  EXPECT_EQ(
      plain(merge_supernodes(s, Merging::amalgamate, {.panel_work = 0.5, .row_work = 0})).first,
      plain(s).first);
}

TEST(MergeSupernodes, RowsThatDoNotNestAreUnited) {
  const auto s = found_in(test::picture<double>(R"( x . . . . .
                                                    x x . . . .
                                                    . x x . . .
                                                    x . . x . .
                                                    . . x . x .
                                                    . . . . . x )"));
  EXPECT_EQ(plain(s).rows, (test::Sets{{1, 3}, {2}, {4}, {}, {}, {}}));
  EXPECT_EQ(plain(merge_supernodes(s, Merging::amalgamate, {.merge_zeros = 0.5})),
            (PlainSupernodes{{0, 5, 6}, {{}, {}}}));
  EXPECT_EQ(plain(merge_supernodes(s, Merging::amalgamate, {.merge_zeros = 0.3})),
            merged(s, Merging::amalgamate, {.merge_zeros = 0.3}));
}

TEST(MergeSupernodes, WhatDoesNotTouchStaysApart) {
  const auto s = found_in(test::picture<double>("x . . .\n . x . .\n . . x .\n . . . x"));
  const SupernodeOptions any{.merge_zeros = 1, .panel_work = 1e9};
  EXPECT_EQ(plain(merge_supernodes(s, Merging::amalgamate, any)), plain(s));
  EXPECT_EQ(plain(merge_supernodes(Supernodes(), Merging::amalgamate)), plain(Supernodes()));
}

// {0} {1} {2} have rows in {3 4}: the parent absorbs {2} only, or the three are merged first.
TEST(MergeSupernodes, SiblingsAreMergedWhereThatIsAskedFor) {
  const auto s = found_in(test::picture<double>(R"( x . . . . . .
                                                    . x . . . . .
                                                    . . x . . . .
                                                    . . . x . . .
                                                    x . x . x . .
                                                    . x x . x x .
                                                    . . . x x x x )"));
  SupernodeOptions o{.merge_zeros = 0.6, .panel_work = 3, .row_work = 0};
  const auto alone = merge_supernodes(s, Merging::amalgamate, o);
  o.merge_siblings = true;
  const auto merged_too = merge_supernodes(s, Merging::amalgamate, o);
  EXPECT_LT(merged_too.count(), alone.count());
  check_supernodes(merged_too);
  EXPECT_EQ(plain(merge_supernodes(s, Merging::same, o)), plain(s));
}

// A merged chain is all zeros except two diagonals, so the limit of a quarter is soon reached.
TEST(MergeSupernodes, AChainStopsWhereZerosFillUp) {
  const Index n = 40;
  test::Sets columns(n);
  for (Index j = 0; j + 1 < n; ++j) columns[j] = {j + 1};
  const auto a = test::from_columns(columns);
  const Supernodes s = find_supernodes(test::graph_of(a));
  const SupernodeOptions quarter{.merge_zeros = 0.25};
  const Supernodes m = merge_supernodes(s, Merging::amalgamate, quarter);
  EXPECT_EQ(plain(m), merged(s, Merging::amalgamate, quarter));
  for (Index t = 0; t + 1 < m.count(); ++t) EXPECT_LE(m.width(t), 3);
  const SupernodeOptions any{.merge_zeros = 1, .panel_work = 1e9};
  EXPECT_EQ(merge_supernodes(s, Merging::amalgamate, any).count(), 1);
}

// The next unknown of a chain adds as many zeros as the panel before it has columns.
TEST(MergeSupernodes, LevelsOfDeepFactorsMayCostZeros) {
  const auto chains = [](Index first, Index second) {
    test::Sets columns(static_cast<std::size_t>(first + second));
    for (Index j = 0; j + 1 < first + second; ++j)
      if (j + 1 != first) columns[j] = {j + 1};
    return find_supernodes(test::graph_of(test::from_columns(columns)));
  };
  const SupernodeOptions o{.merge_zeros = 0, .panel_work = 0, .row_work = 0, .level_work = 50};
  const Supernodes s = chains(510, 120);
  const Supernodes m = merge_supernodes(s, Merging::amalgamate, o);
  check_supernodes(m);
  for (Index t = 0; t < 9; ++t) EXPECT_EQ(m.width(t), 51) << "the longest path: " << t;
  EXPECT_EQ(m.first[10], 510);
  EXPECT_EQ(m.count(), 10 + 119) << "the other chain has time to spare";
  const Supernodes both = merge_supernodes(chains(510, 510), Merging::amalgamate, o);
  EXPECT_EQ(both.width(0), 26) << "two paths share the cost of a level";
  const Supernodes shallow = chains(90, 30);
  EXPECT_EQ(plain(merge_supernodes(shallow, Merging::amalgamate, o)), plain(shallow));
  EXPECT_EQ(plain(merge_supernodes(s, Merging::same, o)), plain(s));
}

TEST(MergeSupernodes, TheRuleOnPlainSetsGivesTheSame) {
  const SupernodeOptions few{.merge_zeros = 0.1, .panel_work = 2, .row_work = 1};
  const SupernodeOptions many{.merge_zeros = 0.6, .panel_work = 30, .row_work = 3};
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Index n = 3 + 5 * static_cast<Index>(seed);
    const Index width = 2 + static_cast<Index>(seed % 7);
    const auto a = test::random_matrix<double>(
        {.n = n, .per_row = 3, .bandwidth = std::min(width, n - 1), .seed = seed});
    const auto g =
        find_dependency_graph(lower(a, {.outside = OutsideEntries::ignore}), Order::columns);
    const Supernodes s = find_supernodes(g);
    for (const SupernodeOptions& o : {few, SupernodeOptions(), many})
      for (const Merging merging : {Merging::same, Merging::amalgamate}) {
        const Supernodes m = merge_supernodes(s, merging, o);
        check_supernodes(m);
        EXPECT_EQ(plain(m), merged(s, merging, o)) << "seed " << seed;
        EXPECT_EQ(test::count_uncovered(test::columns_of(g), m), 0);
      }
  }
}

TEST(MergeSupernodes, AFactorIsMergedByTheRuleAndStaysCovered) {
  const auto columns = test::dissected_grid(33, 29);
  const auto a = test::from_columns(columns);
  const Supernodes s = find_supernodes(test::graph_of(a));
  const Supernodes m = merge_supernodes(s, Merging::amalgamate);
  check_supernodes(m);
  EXPECT_EQ(plain(m), merged(s, Merging::amalgamate, {}));
  EXPECT_EQ(test::count_uncovered(columns, m), 0);
  EXPECT_LT(m.count(), s.count() * 2 / 3);
  EXPECT_LT(static_cast<double>(m.entries()), 1.25 / 0.75 * static_cast<double>(s.entries()));
  EXPECT_LT(find_level_sets(m).count(), find_level_sets(s).count());
}

// The paper's Figure 5: a factorization splits wide separators into chains of supernodes; merging
// those of the same structure rejoins them, and the levels halve.
TEST(MergeSupernodes, CutSeparatorsGrowTogetherAndTheLevelsHalve) {
  const auto a = test::from_columns(test::dissected_grid(63, 63));
  const auto g = test::graph_of(a);
  const Supernodes s = find_supernodes(g);
  const Supernodes cut = find_supernodes(g, test::cut_supernodes(s, 4));
  EXPECT_GT(cut.count(), s.count());
  const Supernodes m = merge_supernodes(cut, Merging::same);
  EXPECT_EQ(plain(m), plain(s));
  EXPECT_EQ(m.entries(), s.entries());
  EXPECT_LE(2 * find_level_sets(m).count(), find_level_sets(cut).count());
}

TEST(MergeSupernodes, ADenseTriangleCutAnywhereIsOneAgain) {
  test::Sets columns(50);
  for (Index j = 0; j < 50; ++j)
    for (Index i = j + 1; i < 50; ++i) columns[j].insert(i);
  const auto a = test::from_columns(columns);
  const Supernodes cut =
      find_supernodes(test::graph_of(a), std::vector<Index>{0, 1, 2, 17, 40, 49, 50});
  EXPECT_EQ(find_level_sets(cut).count(), 6);
  for (const Merging merging : {Merging::same, Merging::amalgamate})
    EXPECT_EQ(merge_supernodes(cut, merging).count(), 1);
}

}  // namespace
}  // namespace echelon
