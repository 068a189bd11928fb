// direct/choose_way.cpp -- panels or rows for one triangle of a factorization: by estimates, and by
// timing what these cannot tell apart.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The way whose setup and expected solves should take least is prepared first and timed.
// Rows have a lower bound, which needs no schedule: the time to read the triangle, and the longest
// path.  If that bound is below the time of the best way so far, and the expected solves pay for
// it, rows are scheduled, which gives an estimate.  A way whose estimate is less than three times
// the best time is prepared and timed too; on a machine that was faster than its first estimate,
// all estimates shrink as that one.  So a bad estimate of the first way (blocks cut into many
// parts, many small levels) costs one preparation, not every solve.  If nothing is to be timed, the
// estimates alone decide.
#include "direct/choose_way.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "direct/factor_plan.hpp"
#include "direct/time_way.hpp"
#include "echelon/tools/units.hpp"
#include "solver/row_analysis.hpp"

namespace echelon {
namespace {

constexpr double clearly = 0.95;       // share of the time so far at which a way replaces another
constexpr double timing_solves = 20;   // cost of timing a way, in its solves
constexpr double estimate_error = 3;   // a way may take this much less than its estimate
constexpr double near_rows = 2;        // rows that take so many times as long as panels may win
                                       // the other way
constexpr double thin_panels = 3;      // times that panels should take as long as rows
constexpr double many_solves = 2000;   // that pay for trying sparse matrices, some 200 solves
constexpr double waiting_share = 0.1;  // of the expected solves, spent waiting for threads
constexpr double most_waiting_s = 0.1;
constexpr double least_timed_s = 5e-6;  // shorter solves differ by less than their timing

std::string threads_text(Index threads) {
  return threads == 1 ? "" : " on " + std::to_string(threads) + " threads";
}

template <Scalar T>
class Chooser {
 public:
  Chooser(const Side<T>& side, const Options& o, Way<T>& shared)
      : side_(side), o_(o), shared_(shared) {}

  Way<T> choose() {
    if (o_.method != Method::automatic) return given();
    std::vector<Candidate> others;
    is_thin_ = look();
    Candidate best = is_thin_ ? rows(Method::automatic) : panels(open_method());
    if (!is_thin_ && may_use_rows() && cost(bound_of_rows(), rows_setup_s()) < cost(best)) {
      others.push_back(rows(Method::automatic));
      if (cost(others.front()) < cost(best)) std::swap(others.front(), best);
    }
    describe(best);
    load(best);
    if (o_.measures() && best.solve_s >= least_timed_s) time_all(best, others);
    return best.way;
  }

 private:
  // Whether panels are so narrow that not even a plan of them pays: diagonals, chains, circuits.
  // On a GPU narrow panels are merged until they pay, but for diagonals.
  bool look() {
    const PanelWorkload w = facts_.workload = look_at(side_.factor, side_.n);
    if (!may_use_rows()) return false;
    if (o_.backend == Backend::cuda) return w.nonzeros == w.n;
    return estimate_solve(Method::tree, w, 0, 1, o_.backend) > thin_panels * bound_of_rows(1);
  }

  struct Candidate {
    Way<T> way;
    double solve_s = 0;  // estimated, then measured
    double setup_s = 0;  // estimated
    bool loaded = false;
  };

  // Setup and the expected solves.
  double cost(double solve_s, double setup_s) const {
    return setup_s + o_.expected_solves * solve_s;
  }
  double cost(const Candidate& c) const { return cost(c.solve_s, c.loaded ? 0 : c.setup_s); }

  // --- Ways.

  Way<T> given() {
    Candidate c = is_supernodal(o_.method) ? panels(o_.method) : rows(o_.method);
    c.way.reason = "it was asked for";
    load(c);
    return c.way;
  }
  Method open_method() const {
    const bool tree =
        o_.backend == Backend::cpu || fits_shared_memory(Method::tree, shared_memory_for(o_.cuda));
    return tree ? Method::tree : Method::invert_off;
  }
  // Low precision is for panels only.
  bool may_use_rows() const { return !o_.numeric.low_precision; }
  bool worth_matrices() const {
    return o_.backend == Backend::cpu && may_use_rows() && side_.factor.in_panels() &&
           worth_sparse_inverse(facts_.workload, o_.expected_solves);
  }

  // The panels of the other triangle if they serve this one too.
  Candidate panels(Method method) {
    Candidate c;
    if (shared_.triangle && shared_.method == method) {
      c.way = shared_;
      c.way.load_s = 0;
      c.loaded = true;
    } else {
      const FactorPlan planned =
          plan_factor(side_.factor, side_.symmetric, method, o_, c.way.supernodes);
      c.way.method = method;
      c.way.threads = planned.plan->threads;
      c.way.facts = planned.facts;
      c.way.triangle = std::make_shared<PreparedTriangle<T>>(planned.plan, o_);
    }
    c.way.op = side_.op;
    facts_ = c.way.facts;
    c.solve_s = facts_.solve_s;
    c.setup_s = facts_.setup_s;
    return c;
  }
  Candidate rows(Method method) const {
    Candidate c;
    Options o = o_;
    o.method = method;
    const RowAnalysis r = RowAnalysis::make(side_.by_columns(o_.cpu.threads), o);
    const AnalysisReport& report = r.analysis.report();
    c.way.by_rows = true;
    c.way.method = report.method;
    c.way.threads = report.threads;
    c.way.reason = report.reason;
    c.way.supernodes.nonzeros = side_.factor.nonzeros;
    c.way.supernodes.levels = c.way.supernodes.levels_found = report.levels;
    c.way.triangle = std::make_shared<PreparedTriangle<T>>(r.analysis);
    c.solve_s = r.solve_s;
    c.setup_s = rows_setup_s();
    return c;
  }
  double rows_setup_s() const { return estimate_rows_setup(facts_.workload, o_.backend); }
  double bound_of_rows() const { return bound_of_rows(thread_count(o_.cpu.threads)); }
  double bound_of_rows(Index threads) const {
    return least_rows_s(facts_.workload, facts_.path_columns, threads, o_.backend);
  }

  void load(Candidate& c) {
    if (!c.loaded) {
      const Timer timer;
      c.way.load(side_, o_.cpu.threads);
      c.way.triangle->report_parts(c.way.supernodes);
      c.way.load_s = timer.seconds();
      c.loaded = true;
    }
    if (!c.way.by_rows) shared_ = c.way;
  }

  void describe(Candidate& c) const {
    if (c.way.by_rows)
      c.way.reason =
          "row by row, as its supernodes are too small for panels to pay; " + c.way.reason;
    else if (o_.backend == Backend::cuda)
      c.way.reason = choose_supernodal_on_device(c.way.method == Method::tree).reason;
    else
      c.way.reason =
          "each thread solves subtrees, then all share the top: the fewest bytes and barriers for "
          "a complete factor";
  }

  // --- Timing.

  // Whether the expected solves pay for preparing and timing a way, if a solve takes solve_s.
  bool pays(const Candidate& best, double solve_s, double setup_s) const {
    return cost(solve_s, setup_s) + timing_solves * solve_s < cost(best);
  }
  // The same for a way whose estimate may be wrong.
  bool pays(const Candidate& best, const Candidate& c) const {
    return pays(best, pace_ * c.solve_s / estimate_error, c.setup_s);
  }

  // Replaces `best` by a faster way.
  void time_all(Candidate& best, std::vector<Candidate>& others) {
    SolveClock<T> clock(facts_.workload.n, o_.backend);
    const std::string because = best.way.reason;
    const Method first = best.way.method;
    const double estimate_s = best.solve_s;
    std::string times = time(best, clock);
    if (estimate_s > 0) pace_ = std::min(best.solve_s / estimate_s, 1.0);
    Method by_rows = first;  // the last way by rows that was timed, if there is one
    double rows_s = best.way.by_rows ? best.solve_s : std::numeric_limits<double>::infinity();
    const auto try_way = [&](Candidate&& c) {
      if (!pays(best, c)) return;
      load(c);
      times += ", " + time(c, clock);
      if (c.way.by_rows) {
        by_rows = c.way.method;
        rows_s = c.solve_s;
      }
      if (c.solve_s < clearly * best.solve_s) best = std::move(c);
    };
    if (others.empty() && may_use_rows() && !best.way.by_rows &&
        pays(best, bound_of_rows(), rows_setup_s()))
      others.push_back(rows(Method::automatic));
    for (Candidate& c : others) try_way(std::move(c));
    if (o_.backend == Backend::cuda && rows_s < near_rows * best.solve_s)
      try_way(other_rows(by_rows, best.solve_s));
    for (const Method method : further_methods(best, estimate_s)) try_way(panels(method));
    best.way.reason =
        (best.way.method == first ? because + "; timed" : "timed") + " at setup: " + times;
  }
  std::string time(Candidate& c, SolveClock<T>& clock) const {
    time_threads(c, clock);
    return std::string(name(c.way.method)) + threads_text(c.way.threads) + " " +
           time_text(c.solve_s);
  }
  // Rows on a GPU the other way: in bands, or each as soon as it can be.
  Candidate other_rows(Method timed, double solve_s) const {
    Candidate c = rows(timed == Method::element_row ? Method::superstep : Method::element_row);
    c.solve_s = solve_s;  // as likely
    return c;
  }
  // Methods on supernodes that may win where panels are thin, or took much longer than expected.
  std::vector<Method> further_methods(const Candidate& best, double estimate_s) const {
    if (o_.backend == Backend::cpu) {
      const bool many = may_use_rows() && o_.expected_solves >= many_solves;
      return !is_thin_ && (many || worth_matrices()) ? std::vector{Method::spmv}
                                                     : std::vector<Method>{};
    }
    if (!best.way.by_rows && best.solve_s > estimate_error * estimate_s)
      return {Method::invert_off, Method::spmv};
    return {};
  }

  // With all threads of the plan, and with one; several have to be clearly faster.  If the workers
  // have no cores now, the estimate decides: this says nothing about the solves to come.
  void time_threads(Candidate& c, SolveClock<T>& clock) const {
    const Index planned = o_.backend == Backend::cpu ? c.way.triangle->plan().threads : 1;
    const Index estimated = c.way.by_rows ? planned : std::min(planned, c.way.facts.threads);
    const bool compares =
        planned > 1 &&
        wait_for_help(planned, std::min(most_waiting_s, waiting_share * cost(c.solve_s, 0)));
    if (!compares) {
      c.way.threads = estimated;
      c.solve_s = clock.time({{c.way, estimated}}).front();
      return;
    }
    const auto compare = [&] {
      const std::vector<double> seconds = clock.time({{c.way, 1}, {c.way, planned}});
      c.way.threads = seconds[1] > clearly * seconds[0] ? 1 : planned;
      c.solve_s = std::min(seconds[0], seconds[1]);
    };
    compare();
    if (c.way.threads < estimated) compare();  // a worker may just have lost its core
  }

  const Side<T>& side_;
  const Options& o_;
  Way<T>& shared_;
  FactorFacts facts_;  // of the last plan in panels, or what a look at the factor says
  bool is_thin_ = false;
  double pace_ = 1;  // times measured over estimated, if they are shorter
};

}  // namespace

template <Scalar T>
Way<T> choose_way(const Side<T>& side, const Options& options, Way<T>& shared) {
  return Chooser<T>(side, options, shared).choose();
}

#define ECHELON_INSTANTIATE(T) template Way<T> choose_way(const Side<T>&, const Options&, Way<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
