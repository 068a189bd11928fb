// tests/docs/test_method.cpp -- compares the drawings of docs/method.md with the library's results.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each test computes a drawing as text and looks for it in the page.  Runs of blanks count as one,
// and a full stop or comma after a word does not count.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "echelon/dist.hpp"
#include "echelon/io.hpp"
#include "echelon/solver.hpp"
#include "numeric/read_panel.hpp"

namespace echelon {
namespace {

const std::string root = ECHELON_SOURCE_DIR;

// Words with one blank between them, and one around the whole.
std::string squeezed(const std::string& text) {
  std::istringstream words(text);
  std::string out = " ";
  for (std::string word; words >> word;) {
    if (word.size() > 1 && (word.back() == '.' || word.back() == ',')) word.pop_back();
    out += word + ' ';
  }
  return out;
}

void expect_drawn(const std::string& text) {
  std::ifstream page(root + "/docs/method.md");
  ASSERT_TRUE(page);
  std::ostringstream all;
  all << page.rdbuf();
  EXPECT_NE(squeezed(all.str()).find(squeezed(text)), std::string::npos)
      << "docs/method.md does not have: " << text;
}

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

template <class Range>
std::string list(const Range& range, const char* between = " ") {
  std::ostringstream out;
  const char* gap = "";
  for (const auto& value : range) out << std::exchange(gap, between) << value;
  return out.str();
}

Csr<double> example() { return read_matrix<double>(root + "/examples/lower.mtx"); }

// With the entry (5, 4), as chapters 12 to 16 have it.
Csr<double> filled() {
  Csr<double> a = example();
  a.index.insert(a.index.end() - 1, 4);
  a.value.insert(a.value.end() - 1, 1.0);
  ++a.start.back();
  return a;
}

Supernodes supernodes(const Csr<double>& a) {
  return find_supernodes(find_dependency_graph(lower(a), Order::columns));
}

std::string row_text(const Csr<double>& a, Index i) {
  std::ostringstream out;
  out << i << " [";
  auto p = a.start[i];
  for (Index j = 0; j <= i; ++j)
    if (a.index[p] == j)
      out << ' ' << a.value[p++];
    else
      out << " .";
  out << " ]";
  return out.str();
}

// "{3 4 5}"
std::string braces(const Supernodes& s, Index k) {
  std::vector<Index> columns;
  for (Index j = s.first[k]; j < s.first[k + 1]; ++j) columns.push_back(j);
  return "{" + list(columns) + "}";
}

TEST(MethodPage, TheTriangleAndItsAnswer) {
  const Csr<double> a = example();
  const std::vector<double> x = Solver(lower(a)).solve(std::vector<double>(6, 1.0));
  for (Index i = 0; i < 6; ++i) {
    std::string sum = "1";
    for (auto p = a.start[i]; a.index[p] < i; ++p)
      sum += text(" - ", a.value[p] == 1 ? "" : text(a.value[p], ' '), "x(", a.index[p], ")");
    if (sum != "1") sum = "(" + sum + ")";
    expect_drawn(text(row_text(a, i), " x(", i, ") = ", sum, " / ", a.value[a.start[i + 1] - 1],
                      " = ", x[i]));
  }
}

TEST(MethodPage, TheGraphAndItsLevels) {
  const Csr<double> a = example();
  const DependencyGraph g = find_dependency_graph(lower(a), Order::rows);
  for (Index i = 2; i < 6; ++i) expect_drawn(text(i, " needs ", list(g.list(i), " and ")));
  const LevelSets levels = find_level_sets(g);
  for (Index l = 0; l < levels.count(); ++l)
    expect_drawn(text("level ", l, ": ", list(levels.rows(l))));
  expect_drawn(text(levels.count(), " levels for"));
}

TEST(MethodPage, SuperstepsAndThePackedPattern) {
  const Csr<double> a = example();
  DependencyGraph g = find_dependency_graph(lower(a), Order::rows);
  Supersteps s =
      find_supersteps(g, find_level_sets(g), 2, {.hop = 1, .task_work = 1, .run_work = 0});
  const auto task = [&](Index k) {
    return list(std::span(s.order.data() + s.start[k], s.order.data() + s.start[k + 1]));
  };
  for (Index step = 0; step < s.count; ++step)
    expect_drawn(text("superstep ", step, ' ', task(2 * step), ' ', task(2 * step + 1)));
  expect_drawn(text(s.total_work, " / ", s.makespan, " = 1.53"));
  EXPECT_NEAR(s.speedup(), 1.53, 0.005);

  expect_drawn(text(s.waits.size(), " wait: task (1, 0) waits until thread ", s.waits[0].part,
                    " has finished superstep ", s.waits[0].step));
  EXPECT_EQ(s.wait_start[2], 0);  // of task (1, 0)
  EXPECT_EQ(s.wait_start[3], 1);

  const PackedPattern packed = pack_pattern(std::move(g), std::move(s.order));
  std::string needs = "index", source = "source";
  for (Index k = 0; k < 6; ++k) {
    const Index* const of = packed.index.data();
    const std::span needed(of + packed.start[k], of + packed.start[k + 1]);
    needs += " " + (needed.empty() ? "." : list(needed));
    source += text(' ', packed.source[packed.order[k]]);
  }
  expect_drawn("order " + list(packed.order));
  expect_drawn(needs);
  expect_drawn(source);
}

TEST(MethodPage, Bands) {
  const Csr<double> a = example();
  const DependencyGraph g = find_dependency_graph(lower(a), Order::rows);
  const BandLayout bands = lay_bands(g, find_levels(g), 2);
  ASSERT_EQ(bands.count(), 2);
  for (Index band = 0; band < 2; ++band) {
    std::string drawn = text("band ", band, ":");
    for (Index k = bands.first[band]; k < bands.first[band + 1]; ++k) {
      if (k > bands.first[band] && bands.level[k] > bands.level[k - 1]) drawn += " |";
      drawn += text(' ', bands.order[k]);
    }
    expect_drawn(drawn);
  }
}

TEST(MethodPage, SupernodesFoundAndMerged) {
  const Csr<double> a = filled();
  const DependencyGraph g = find_dependency_graph(lower(a), Order::columns);
  const Supernodes s = supernodes(a);
  for (Index j = 0; j < 6; ++j) {
    const bool reaches = g.length[j] > 0;
    expect_drawn(text(row_text(a, j), ' ', j, ' ', reaches ? list(g.list(j)) : "-",
                      j < s.count() ? ' ' + braces(s, j) : ""));
  }
  expect_drawn(text("has ", find_levels(g).count, " levels: 5 waits"));
  const LevelSets levels = find_level_sets(s);
  for (Index l = 0; l < levels.count(); ++l) {
    std::string drawn = text("level ", l, ":");
    for (const Index k : levels.rows(l)) drawn += ' ' + braces(s, k);
    expect_drawn(drawn);
  }

  EXPECT_EQ(merge_supernodes(s, Merging::same).count(), s.count());
  const Supernodes merged =
      merge_supernodes(s, Merging::amalgamate, {.panel_work = 1, .row_work = 1});
  expect_drawn(">-- " + braces(merged, 2));
  expect_drawn(text(find_level_sets(merged).count(), " levels instead of ", levels.count()));
  expect_drawn(text(merged.entries() - s.entries(), " explicit zeros ", merged.entries(),
                    " stored numbers instead of ", s.entries()));
  const Supernodes all = merge_supernodes(s, Merging::amalgamate);
  EXPECT_EQ(all.count(), 1);
  expect_drawn(text("one panel with ", all.entries() - s.entries(), " explicit zeros"));
}

// The panels of the supernodes found, in one form: each w + h rows by columns.
struct Panels {
  BlockPlan plan;
  BlockValues<double> values;

  explicit Panels(BlockForm form) {
    const Csr<double> a = filled();
    SupernodeReport report;
    plan = plan_blocks(supernodes(a), {.form = form}, {}, report);
    Buffer<Index> order(6);
    for (Index i = 0; i < 6; ++i) order[i] = i;
    const PackedPattern pattern =
        pack_pattern(find_dependency_graph(lower(a), Order::columns), std::move(order));
    pack_blocks(plan, fill_from_lists<double>(plan, pattern, a.value, false), form, {}, values, 1);
  }
  std::vector<double> panel(Index k) const {
    const Index w = plan.supernodes.width(k), h = plan.supernodes.height(k);
    std::vector<double> out(w * (w + h));
    read_panel(w, h, values.value.data() + plan.value_start[k], out.data());
    return out;
  }
};

TEST(MethodPage, InvertedPanels) {
  const Panels given(BlockForm::triangle), inverse(BlockForm::inverse);
  for (Index k = 0; k < 3; ++k) {
    const std::vector<double> d = given.panel(k), e = inverse.panel(k);
    expect_drawn(text(braces(given.plan.supernodes, k), ' ', d[0], ' ', d[1], ' ',
                      given.plan.supernodes.rows(k)[0], ' ', e[0], ' ', e[1]));
  }
  const Csr<double> a = filled();
  const std::vector<double> x = Solver(lower(a)).solve(std::vector<double>(6, 1.0));
  const std::vector<double> d = given.panel(3), e = inverse.panel(3);
  const double own[] = {1 - 2 * x[1], 1 - x[2], 1};
  for (Index i = 0; i < 3; ++i) {
    std::string before, after;
    for (Index j = 0; j <= i; ++j) {
      before += text(' ', d[3 * j + i]);
      after += text(' ', e[3 * j + i]);
    }
    expect_drawn(text(3 + i, " [", before, " ] [", after, " ] [ ", own[i], " ] [ ", x[3 + i],
                      " ] x(", 3 + i, ")"));
  }
}

TEST(MethodPage, TheSpmvForm) {
  Panels p(BlockForm::inverse);
  make_spmv_form(p.plan, Sweep::forward, p.values, 1);
  const LevelMatrices<double>& m = p.values.spmv.forwards;
  for (Index l = 0; l < m.levels(); ++l) {
    std::string drawn = text("level ", l);
    for (Index r = m.level_start[l]; r < m.level_start[l + 1]; ++r) {
      drawn += m.row[r] < 6 ? text(" b(", m.row[r], ") +=") : text(" x(", m.row[r] - 6, ") =");
      const char* gap = " ";
      for (Offset q = m.start[r]; q < m.start[r + 1]; ++q)
        drawn += text(std::exchange(gap, " + "), m.value[q], " b(", m.index[q], ")");
    }
    expect_drawn(drawn);
  }
}

TEST(MethodPage, BlocksOfTwoRanks) {
  const Supernodes s = supernodes(filled());
  const BlockList blocks = find_blocks(s);
  const ProcessGrid grids[] = {{1, 2}, {2, 1}};
  for (Index i = 0; i < s.count(); ++i) {
    std::string drawn;
    for (const ProcessGrid& grid : grids) {
      const BlockMap map = map_blocks(s, grid, Mapping::cyclic);
      drawn += text(' ', "ABCE"[i], " [");
      for (Index k = 0; k < i; ++k) {
        bool stored = false;
        for (const auto& block : blocks.column(k)) stored = stored || block.row == i;
        drawn += stored ? text(' ', map.owner(i, k)) : " .";
      }
      drawn += text(' ', map.root(i), " ]");
    }
    expect_drawn(drawn);
  }
  for (const ProcessGrid& grid : grids) {
    Index messages = 0;
    const BlockMap map = map_blocks(s, grid, Mapping::cyclic);
    for (const LocalPlan& plan : make_local_plans(s, map, TreeShape::binary, 1))
      for (const Index sent : count_traffic(plan, Sweep::forward).sent.messages) messages += sent;
    expect_drawn(text("either grid needs ", messages, " message."));
  }
}

}  // namespace
}  // namespace echelon
