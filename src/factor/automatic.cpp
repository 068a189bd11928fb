// factor/automatic.cpp -- chooses a factorization by the matrix, and checks it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  LL', then LDL', then LU, each only if the one before does not fit (decision 0048).  What
// was tried, and why it was left, is the reason of the factors.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "factor/check_factors.hpp"
#include "factor/choose_lu.hpp"
#include "factor/given_order.hpp"
#include "factor/input.hpp"
#include "factor/matching.hpp"
#include "factor/ordering.hpp"
#include "factor/paired_order.hpp"

namespace echelon {
namespace {

constexpr double worth_another_s = 30e-6;  // solves on a GPU for which another LU is tried,
constexpr double worth_another = 0.5;      // if it promises this share of their time
constexpr Offset looks_per_entry = 1000;   // of a matching at each entry, on average

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0e", value);
  return text;
}

std::string text_of(const FactorCheck& check) {
  if (!std::isfinite(check.first)) return "the solution is not finite";
  return "backward error " + short_number(check.first) + ", refined " + short_number(check.refined);
}

template <class T>
class Automatic {
 public:
  Automatic(const MatrixView<T>& a, const FactorOptions& o)
      : input_(a, Half::both, a.order), o_(o) {}

  Factors<T> factor() {
    const HermitianTest test = test_hermitian(a());
    std::optional<Factors<T>> f;
    if (!test.hermitian)
      note("not Hermitian: " + test.why);
    else if (has_package("cholmod"))
      f = factor_hermitian(test);
    else
      note("LL' and LDL': CHOLMOD is not installed");
    if (!f) f = factor_lu();
    f->reason = std::move(reason_);
    return std::move(*f);
  }

 private:
  const MatrixView<T>& a() const { return input_.view(); }

  void note(const std::string& text) { reason_ += (reason_.empty() ? "" : "; ") + text; }

  static bool has_package(const std::string& wanted) {
    const std::vector<std::string> found = factor_packages();
    return std::find(found.begin(), found.end(), wanted) != found.end();
  }

  std::optional<Factors<T>> factor_hermitian(const HermitianTest& test) {
    const GivenOrder given = find_given([&](Ordering& used) {
      return find_order(find_adjacency(a()), o_.order, &used, o_.solve_on);
    });
    if (!test.positive_diagonal) {
      note("LL': " + test.why);
    } else if (std::optional<Factors<T>> f = try_definite(given)) {
      note("the matrix is Hermitian with a positive diagonal");
      return f;
    }
    return try_indefinite(given);
  }

  // Nothing if the matrix is not positive definite.
  std::optional<Factors<T>> try_cholmod(const GivenOrder& given, bool simplicial) {
    FactorOptions o = o_;
    o.simplicial = simplicial;
    try {
      return factor_cholmod_ordered<T>(a(), o, given);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::not_positive_definite &&
          error.code() != ErrorCode::backend_failed)
        throw;
      note((simplicial ? "LDL': " : "LL': ") + std::string(error.what()));
      return {};
    }
  }

  std::optional<Factors<T>> try_definite(const GivenOrder& given) {
    return try_cholmod(given, false);
  }

  // The pivots of LDL' are not exchanged.  Zeros on the diagonal make the second order worth a try.
  std::optional<Factors<T>> try_indefinite(const GivenOrder& given) {
    std::optional<Factors<T>> f = try_checked(given);
    if (f || count_zero_diagonal(a()) == 0) return f;
    const GivenOrder paired =
        find_given([&](Ordering& used) { return find_paired_order(a(), o_, used); });
    if (!paired.order.empty())
      return try_checked({paired.order, paired.name + " of pairs", paired.seconds});
    note("LDL' of pairs: a zero diagonal entry has no partner");
    return {};
  }

  std::optional<Factors<T>> try_checked(const GivenOrder& given) {
    std::optional<Factors<T>> f = try_cholmod(given, true);
    if (!f) return f;
    const FactorCheck check = check_factors(a(), *f);
    note("LDL' with " + given.name + ": " + text_of(check));
    if (!check.good<T>()) return {};
    f->refine_steps = check.needs_no_refinement<T>() ? 0 : 1;
    return f;
  }

  // The packages for LU in the order of preference; the next one if one cannot hold the factors.
  Factors<T> factor_lu() {
    const LuChoice choice = choose_lu(a());
    note(choice.reason);
    for (std::size_t k = 0; k < choice.packages.size(); ++k) {
      try {
        return prefer_shallow(compare_with_others(choice, factor_checked(choice.packages[k], o_)));
      } catch (const Error& error) {
        if (error.code() != ErrorCode::backend_failed || k + 1 == choice.packages.size()) throw;
        note(choice.packages[k] + ": " + error.what());
      }
    }
    throw Error(ErrorCode::backend_missing,
                "there is no package for LU (Debian: libsuperlu-dev or libsuitesparse-dev)");
  }

  // Where pivots have left far more entries than the order promised, KLU may have fewer, and then
  // SuperLU with an order of columns that allows for any pivots.
  Factors<T> compare_with_others(const LuChoice& choice, Factors<T> f) {
    const auto entries = [](const Factors<T>& g) { return g.lower.nonzeros + g.upper.nonzeros; };
    for (const char* other : {"klu", "superlu"}) {
      if (f.package == other || !has_package(other) || !choice.promises_less(entries(f))) continue;
      note("far fewer entries than " + std::to_string(entries(f)) + " were expected");
      Factors<T> g = factor_checked(other, o_);
      if (entries(g) < entries(f)) std::swap(f, g);
      note(g.package + " left, for " + std::to_string(entries(g)) + " entries");
      add_times(f, g);
    }
    return f;
  }
  static void add_times(Factors<T>& kept, const Factors<T>& left) {
    kept.order_s += left.order_s;
    kept.factor_s += left.factor_s;
  }

  // On a GPU: an order of columns for any pivots often leads to one long chain.  With matched rows
  // pivots can stay on the diagonal, in an order whose tree is wide.
  Factors<T> prefer_shallow(Factors<T> f) {
    if (o_.solve_on != Backend::cuda || !has_package("umfpack")) return f;
    const SolveCost cost = find_solve_cost(f);
    if (cost.on_gpu() < worth_another_s) return f;
    const Timer watch;
    const double promised = forecast_matched();
    f.order_s += watch.seconds();
    if (promised > worth_another * cost.on_gpu()) return f;
    note("chains of " + std::to_string(cost.chain) + " columns are long for a GPU");
    FactorOptions o = o_;
    o.match = true;
    Factors<T> g = factor_checked("umfpack", o);
    if (find_solve_cost(g).on_gpu() < cost.on_gpu()) std::swap(f, g);
    note(f.ordering + " kept, with chains of " + std::to_string(find_solve_cost(f).chain));
    add_times(f, g);
    return f;
  }
  // Seconds of solves on a GPU, if the pivots of matched rows stay on the diagonal.
  double forecast_matched() const {
    const SortedInput<T> columns(a(), Half::both, Order::columns);
    const ScaledMatching m =
        find_matching(columns.view(), looks_per_entry * columns.view().nonzeros());
    if (m.row.empty()) return std::numeric_limits<double>::infinity();
    const Adjacency g = find_adjacency(apply_matching(columns.view(), m).pattern());
    const SolveCost one = forecast_factor(g, find_order(g, o_.order, nullptr, o_.solve_on));
    return 2 * one.on_gpu();
  }

  // Prefers the diagonal, for sparse factors; less so if that costs accuracy.
  Factors<T> factor_checked(const std::string& package, FactorOptions o) {
    std::vector<double> thresholds{std::min(o_.pivot_threshold, 0.001),
                                   std::min(o_.pivot_threshold, 0.1), 1};
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    for (std::size_t k = 0;; ++k) {
      o.pivot_threshold = thresholds[k];
      const std::size_t later = thresholds.size() - 1 - k;
      if (later == 0) o.symmetric_mode = false;
      Factors<T> f = factor_by_name<T>(package, a(), o);
      const FactorCheck check = check_factors(a(), f);
      note((k == 0       ? "LU by " + package + " with " + f.ordering
            : later == 0 ? "with partial pivoting"
                         : "with larger pivots") +
           ": " + text_of(check));
      f.refine_steps = check.needs_no_refinement<T>() ? 0 : 1;
      if (later == 0 || (later == 1 ? check.good<T>() : f.refine_steps == 0)) return f;
    }
  }

  SortedInput<T> input_;
  FactorOptions o_;
  std::string reason_;
};

}  // namespace

template <Scalar T>
Factors<T> factor_automatic(const MatrixView<T>& a, const FactorOptions& o) {
  return report_bad_alloc("factorization", [&] { return Automatic<T>(a, o).factor(); });
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_automatic(const MatrixView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
