// cli/bench.cpp -- echelon bench: times solvers against each other on matrices, in one run.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <support/cusparse.hpp>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bench_full_report.hpp"
#include "bench_report.hpp"
#include "bench_rounds.hpp"
#include "commands.hpp"
#include "device_facts.hpp"
#include "echelon/device.hpp"
#include "echelon/tools/calibrate.hpp"
#include "input.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "out_file.hpp"
#include "progress.hpp"
#include "system.hpp"
#include "turn.hpp"

namespace echelon::cli {
namespace {

using Kind = ContenderChoice::Kind;

struct Bench {
  std::vector<std::string> inputs;
  std::string contenders = "all";
  std::string threads;
  std::vector<Part> parts;  // empty: chosen per matrix
  Precision precision = Precision::in_double;
  std::string commit;
  std::string out;
  bool json = false;
  BenchPlan plan;         // without the contenders
  FactorRequest factor;   // for factors
  bool by_level = false;  // for factors on a device
  bool whole = false;     // for factors: also A x = b
  bool solves_only = false;
  double most_s = 0;  // 0: no limit
  std::string turn;   // file of a lock, or empty

  const Options& options() const { return plan.settings.options; }
};

std::vector<Index> parse_threads(const std::string& list) {
  std::vector<Index> threads;
  const Index cores = available_cores();
  if (list.empty()) return cores > 1 ? std::vector<Index>{1, cores} : std::vector<Index>{1};
  for (const std::string& word : split_list("--threads", list)) {
    const Index given = parse_count("--threads", word, 0, CpuOptions::most_threads);
    const Index count = given > 0 ? given : cores;
    if (std::find(threads.begin(), threads.end(), count) == threads.end()) threads.push_back(count);
  }
  return threads;
}

std::string why_missing(const ContenderChoice& choice, const BenchPlan& plan) {
  switch (choice.kind) {
    case Kind::eigen:
      return bench::why_no_eigen();
    case Kind::mkl:
      return bench::why_no_mkl(plan.settings);
    case Kind::scipy:
      return bench::why_no_scipy(plan.settings);
    case Kind::echelon:
      // With --deterministic, methods that are not deterministic are left out.
      return plan.settings.options.deterministic && !is_deterministic(choice.method)
                 ? "not deterministic"
                 : "";
    case Kind::cholmod:
      return bench::why_no_cholmod();
    case Kind::superlu:
      return bench::why_no_superlu();
    case Kind::umfpack:
      return bench::why_no_umfpack();
    case Kind::klu:
      return bench::why_no_klu();
    case Kind::pardiso:
      return bench::why_no_pardiso(plan.settings.mkl_library);
    case Kind::cusparse:
      return bench::why_no_cusparse();
    case Kind::cudss:
      return bench::why_no_cudss(plan.settings.cudss_library);
  }
  return "";
}

void say_missing(const Missing& m) {
  std::cerr << "echelon: " << m.contender << " is missing: " << m.reason << '\n';
}

// The results of all inputs.
struct Results {
  Json runs = Json::array();
  std::vector<Missing> missing;
  std::optional<DeviceFacts> device;  // with backend cuda
  Bandwidths bandwidths;              // those of threads only when factors are timed
  std::map<Arena, std::vector<ContenderChoice>> contenders;  // that can run here

  void leave_out(const std::string& input, const std::vector<Missing>& list) {
    for (const Missing& m : list) {
      say_missing(m);
      missing.push_back({m.contender, input.empty() ? m.reason : input + ": " + m.reason});
    }
  }
};

// Rejects flags that do not apply to triangles, or to factors.
void check_arena(const Bench& o, Arena arena, const CLI::App& app, const std::string& system) {
  if (arena == Arena::triangle)
    return refuse_flags(app, {"--by-level", "--whole", "--solves-only", "--most-seconds", "--turn"},
                        system);
  refuse_flags(app, {"--in-place"}, system);
  if (is_incomplete(o.factor.package))
    throw UsageError("--factor " + o.factor.package +
                     " is incomplete and does not solve A x = b: use cholmod or superlu");
}

// The requested contenders that can run here; the others are reported as missing.  Computed once
// per arena.
const std::vector<ContenderChoice>& find_contenders(const Bench& o, Arena arena, Results& results) {
  const auto [place, fresh] = results.contenders.try_emplace(arena);
  if (!fresh) return place->second;
  place->second = parse_contenders(o.contenders, arena, o.options().backend);
  std::vector<Missing> missing;
  std::erase_if(place->second, [&](const ContenderChoice& choice) {
    const std::string reason = why_missing(choice, o.plan);
    if (!reason.empty()) missing.push_back({choice.name(), reason});
    return !reason.empty();
  });
  results.leave_out("", missing);
  if (place->second.empty())
    throw Error(ErrorCode::backend_missing, "none of the contenders can run here");
  if (arena == Arena::factors && !o.solves_only)
    for (const Index threads : o.plan.threads)
      results.bandwidths.threads[threads] =
          as_phase("measuring the read bandwidth", [&] { return read_bandwidth(threads); });
  return place->second;
}

// Both triangles, one after the other; frees the full matrix as early as possible.
template <Scalar T>
void bench_triangles(const Bench& o, const Input& input, Csr<T>&& a, const std::vector<Part>& parts,
                     Results& results) {
  BenchPlan plan = o.plan;
  plan.contenders = find_contenders(o, Arena::triangle, results);
  for (const Part part : parts) {
    const bench::Task<T> task =
        as_phase("preparing " + input.name, [&] { return make_task(a, uplo_of(part), plan.nrhs); });
    if (part == parts.back()) a = {};
    const SystemFacts system = find_system_facts(task, input.name);
    std::vector<Missing> missing;
    const std::vector<BenchRun> runs = run_rounds(task, system, plan, missing);
    results.leave_out(input.name, missing);
    for (const BenchRun& run : runs)
      results.runs.push(to_json(system, run, o.precision, results.bandwidths.device));
    if (!o.json) print_runs(std::cout, system, runs);
  }
}

template <Scalar T>
void bench_factors(const Bench& o, const Input& input, const Csr<T>& a, Results& results) {
  const FullPlan plan{find_contenders(o, Arena::factors, results),
                      o.plan.threads,
                      o.plan.repeat,
                      o.plan.settings.setups,
                      o.plan.nrhs,
                      o.options(),
                      o.factor,
                      o.plan.settings.mkl_library,
                      o.plan.settings.cudss_library,
                      o.most_s,
                      o.turn,
                      o.whole,
                      !o.solves_only,
                      o.by_level};
  const FullResult result = bench_full(input.name, a, plan);
  results.leave_out(input.name, result.missing);
  for (const FullRun& run : result.runs)
    results.runs.push(to_json(result.system, run, o.precision, results.bandwidths));
  if (!o.json) print_result(std::cout, result, results.bandwidths);
}

Arena arena_of(Part part) { return part == Part::full ? Arena::factors : Arena::triangle; }

template <Scalar T>
void bench_matrix(const Bench& o, const Input& input, const CLI::App& app, Results& results) {
  Csr<T> a = read_input<T>(input);
  const std::vector<Part> parts = o.parts.empty() ? std::vector{part_of(a.pattern())} : o.parts;
  const Arena arena = arena_of(parts.front());
  check_arena(o, arena, app, described(input.name, parts.back(), !o.parts.empty()));
  if (arena == Arena::factors)
    bench_factors<T>(o, input, a, results);
  else
    bench_triangles<T>(o, input, std::move(a), parts, results);
}

void bench_named(const Bench& o, const std::string& name, const CLI::App& app, Results& results) {
  const Input input = open_input(name);
  try {
    with_scalar(o.precision, input.numbers(),
                [&]<Scalar T>() { bench_matrix<T>(o, input, app, results); });
  } catch (const Error& error) {
    refuse_input(name, error);
  }
}

// Keeps freed memory in the process: the second and third of three timed analyses then reuse mapped
// pages.  Otherwise the median could measure the page faults of the system, not the analysis.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

// Reports mistakes before a matrix is read.
void check_flags(Bench& o, const CLI::App& app) {
  std::optional<Part> part;
  if (!o.parts.empty()) part = o.parts.back();
  part = part_asked_for(part, app);
  if (part && o.parts.empty()) o.parts = {*part};
  if (part) check_arena(o, arena_of(*part), app, described("", *part, true));
  if (o.options().backend != Backend::cpu && o.plan.settings.in_place)
    throw UsageError("--in-place needs --backend cpu");
  if (o.options().backend == Backend::cpu && o.by_level)
    throw UsageError("--by-level needs a GPU: use --backend cuda");
  check_solver_options(o.options());
  if (part) parse_contenders(o.contenders, arena_of(*part), o.options().backend);
  check_out(o.out);
}

Json to_json(const Bench& o, const Results& results) {
  return begin_document("echelon", "bench")
      .set("commit", o.commit)
      .set("device", to_json(results.device))
      .set("in_place", o.plan.settings.in_place)
      .set("missing", to_json(results.missing))
      .set("runs", results.runs)
      .set("out", or_null(o.out));
}

void run(Bench& o, const CLI::App& app) {
  keep_freed_memory();
  check_flags(o, app);
  const DeviceScope there(o.options().device());
  o.plan.threads = parse_threads(o.threads);
  for (const std::string& name : o.inputs) open_input(name);  // report a wrong name early
  Results results;
  if (o.options().backend == Backend::cuda) find_device();  // starts CUDA before the turn
  {
    const Turn turn(o.turn);
    results.device = find_device_facts(o.options().backend);
  }
  if (results.device) results.bandwidths.device = results.device->copy_bandwidth;
  if (results.device && !o.json) std::cout << "on " << description(*results.device) << '\n';
  for (const std::string& name : o.inputs) bench_named(o, name, app, results);
  hand_out(to_json(o, results), o.out, o.json);
}

// The parts that can be timed: one, or both triangles in turn.
enum class TimedPart { lower, upper, both, full };
constexpr auto names(TimedPart) {
  return name_table<TimedPart>({{TimedPart::lower, name(Part::lower)},
                                {TimedPart::upper, name(Part::upper)},
                                {TimedPart::both, "both"},
                                {TimedPart::full, name(Part::full)}});
}

void set_parts(std::vector<Part>& parts, CLI::App& app) {
  const auto set = [&parts](TimedPart timed) {
    parts = timed == TimedPart::both ? std::vector{Part::lower, Part::upper}
                                     : std::vector{parse<Part>("--part", name(timed))};
  };
  add_choice_function<TimedPart>(app, "--part", set,
                                 "triangle of the matrix, or full: those of its factorization [a "
                                 "triangular matrix as it is, else full]");
}

}  // namespace

Command add_bench(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("bench", "time all methods and other libraries against each other");
  const auto o = std::make_shared<Bench>();
  bench::Settings& settings = o->plan.settings;
  if (const char* library = std::getenv("ECHELON_MKL_LIBRARY")) settings.mkl_library = library;
  if (const char* library = std::getenv("ECHELON_CUDSS_LIBRARY")) settings.cudss_library = library;
  app->add_option("INPUT", o->inputs, "matrix files or recipes")->required();
  app->add_option(
         "--contenders", o->contenders,
         "all, or a list of: echelon (all its methods), echelon:METHOD; eigen, mkl, scipy; with "
         "--part full cholmod, superlu, umfpack, klu, pardiso; with --backend cuda cusparse, and "
         "with "
         "--part full cudss [all]")
      ->type_name("LIST");
  app->add_option(
         "--threads", o->threads,
         "largest number of threads, 0 for all; a list times each number in turn [1 and all]")
      ->type_name("LIST");
  add_repeat(*app, o->plan.repeat);
  add_setups(*app, settings.setups);
  set_parts(o->parts, *app);
  add_nrhs(*app, o->plan.nrhs);
  app->add_flag("--by-level", o->by_level,
                "also time each level of factors on a GPU, for methods with one launch per level");
  app->add_flag("--whole", o->whole,
                "of factors, also time A x = b, with permutations and scaling");
  app->add_flag("--solves-only", o->solves_only,
                "of factors, measure neither updates with new values nor the read bandwidth");
  app->add_option("--most-seconds", o->most_s,
                  "of factors: begin no further round after this time, but run at least three")
      ->check(CLI::NonNegativeNumber)
      ->type_name("S");
  app->add_option("--turn", o->turn,
                  "of factors: lock this file after factoring, so that processes take turns")
      ->type_name("FILE");
  add_precision(*app, o->precision);
  app->add_flag("--in-place", settings.in_place, "solve in place, as Eigen always does");
  app->add_option("--mkl-library", settings.mkl_library,
                  "path of libmkl_rt [$ECHELON_MKL_LIBRARY, else found by the loader]")
      ->type_name("FILE");
  app->add_option("--cudss-library", settings.cudss_library,
                  "path of libcudss [$ECHELON_CUDSS_LIBRARY, else found by the loader]")
      ->type_name("FILE");
  app->add_option("--python", settings.python, "Python interpreter that has SciPy [python3]")
      ->type_name("FILE");
  app->add_option("--commit", o->commit, "version of the code, recorded in the document")
      ->type_name("TEXT");
  add_out(*app, o->out, "write the JSON document");
  add_json(*app, o->json);
  add_factor_flags(*app, o->factor);
  add_solver_options(*app, settings.options, {"method", "cpu.threads"});
  return {app, [o, app] { run(*o, *app); }};
}

}  // namespace echelon::cli
