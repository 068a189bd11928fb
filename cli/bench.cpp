// cli/bench.cpp -- echelon bench: contenders against each other on matrices, in one run.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <support/cusparse.hpp>
#include <support/read_bandwidth.hpp>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bench_full_report.hpp"
#include "bench_report.hpp"
#include "bench_rounds.hpp"
#include "commands.hpp"
#include "device_facts.hpp"
#include "input.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "options.hpp"

namespace echelon::cli {
namespace {

using Kind = ContenderChoice::Kind;

struct Bench {
  std::vector<std::string> inputs;
  std::string contenders = "all";
  std::string threads;
  std::vector<Part> parts{Part::lower};
  Precision precision = Precision::in_double;
  std::string commit;
  bool json = false;
  BenchPlan plan;
  Index nrhs = 1;         // of a factorization
  FactorRequest factor;   // likewise
  bool by_level = false;  // likewise, on a device

  bool is_full() const { return parts.front() == Part::full; }
};

std::vector<Index> parse_threads(const std::string& list) {
  std::vector<Index> threads;
  const Index cores = available_cores();
  if (list.empty()) return cores > 1 ? std::vector<Index>{1, cores} : std::vector<Index>{1};
  for (const std::string& word : split_list("--threads", list)) {
    const Index count = parse_count("--threads", word, 1, most_threads);
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
      // A deterministic contest leaves out those who are not.
      return plan.settings.options.deterministic && !is_deterministic(choice.method)
                 ? "not deterministic"
                 : "";
    case Kind::cholmod:
      return bench::why_no_cholmod();
    case Kind::superlu:
      return bench::why_no_superlu();
    case Kind::cusparse:
      return bench::why_no_cusparse();
  }
  return "";
}

void say_missing(const Missing& m) {
  std::cerr << "echelon: " << m.contender << " is missing: " << m.reason << '\n';
}

// Takes out of the plan who cannot run here, by name.
std::vector<Missing> remove_missing(BenchPlan& plan) {
  std::vector<Missing> missing;
  std::erase_if(plan.contenders, [&](const ContenderChoice& choice) {
    const std::string reason = why_missing(choice, plan);
    if (!reason.empty()) missing.push_back({choice.name(), reason});
    return !reason.empty();
  });
  for (const Missing& m : missing) say_missing(m);
  if (plan.contenders.empty())
    throw Error(ErrorCode::backend_missing, "no contender is left to run");
  return missing;
}

// What the inputs come to.
struct Results {
  Json runs = Json::array();
  std::vector<Missing> missing;
  std::optional<DeviceFacts> device;  // of backend cuda
  Bandwidths bandwidths;              // of threads in a factorization's benchmark only

  void leave_out(const std::string& input, const std::vector<Missing>& list) {
    for (const Missing& m : list) {
      say_missing(m);
      missing.push_back({m.contender, input + ": " + m.reason});
    }
  }
};

// Both triangles, one after the other; the full matrix goes as soon as it can.
template <Scalar T>
void bench_triangles(const Bench& o, const Input& input, Results& results) {
  Csr<T> a = read_input<T>(input);
  for (const Part part : o.parts) {
    const bench::Task<T> task = make_task(a, uplo_of(part));
    if (part == o.parts.back()) a = {};
    const SystemFacts system = find_system_facts(task, input.name);
    std::vector<Missing> missing;
    const std::vector<BenchRun> runs = run_rounds(task, system, o.plan, missing);
    results.leave_out(input.name, missing);
    for (const BenchRun& run : runs)
      results.runs.push(to_json(system, run, o.precision, results.bandwidths.device));
    if (!o.json) print_runs(std::cout, system, runs);
  }
}

template <Scalar T>
void bench_factors(const Bench& o, const Input& input, Results& results) {
  const FullPlan plan{o.plan.contenders,       o.plan.threads, o.plan.repeat, o.nrhs,
                      o.plan.settings.options, o.factor,       o.by_level};
  const FullResult result = bench_full(input.name, read_input<T>(input), plan);
  results.leave_out(input.name, result.missing);
  for (const FullRun& run : result.runs)
    results.runs.push(to_json(result.system, run, o.precision, results.bandwidths));
  if (!o.json) print_result(std::cout, result, results.bandwidths);
}

void bench_named(const Bench& o, const std::string& name, Results& results) {
  const Input input = open_input(name);
  try {
    with_scalar(o.precision, input.numbers(), [&]<Scalar T>() {
      (o.is_full() ? bench_factors<T> : bench_triangles<T>)(o, input, results);
    });
  } catch (const Error& error) {
    refuse_input(name, error);
  }
}

// Keeps freed memory in the program: the second and third of three timed analyses then find
// pages that are there already, and the median tells of the analysis and not of the system,
// which may take longer to hand a page out than the analysis takes to fill it.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

// A benchmark of triangles and one of factors each take the flags of their own only.
void check_flags(const Bench& o, const CLI::App& app) {
  if (o.is_full()) {
    refuse_flags(app, {"--in-place", "--mkl-library", "--python", "--setups"}, "full");
    if (is_incomplete(o.factor.package))
      throw UsageError("--factor " + o.factor.package +
                       " solves no A x = b: bench takes cholmod or superlu");
  } else {
    refuse_flags(app, {"--nrhs", "--by-level"}, name(o.parts.back()));
    refuse_factor_options(app, name(o.parts.back()));
  }
  const Options& options = o.plan.settings.options;
  if (options.backend != Backend::cpu && o.plan.settings.in_place)
    throw UsageError("--in-place is for backend cpu");
  if (options.backend == Backend::cpu && o.by_level)
    throw UsageError("--by-level is told by the events of a GPU: use --backend cuda");
  check_solver_options(options);
}

void print_json(const Bench& o, const Results& results) {
  Json missing = Json::array();
  for (const Missing& m : results.missing)
    missing.push(Json::object().set("contender", m.contender).set("reason", m.reason));
  Json document = Json::object();
  document.set("machine", describe_machine())
      .set("date", date_now())
      .set("version", ECHELON_VERSION)
      .set("commit", o.commit)
      .set("device", to_json(results.device));
  if (o.is_full()) {
    Json bandwidths = Json::object();
    for (const auto& [threads, rate] : results.bandwidths.threads)
      bandwidths.set(std::to_string(threads), rate / 1e9);
    document.set("read_gb_per_s", std::move(bandwidths));
  } else {
    document.set("in_place", o.plan.settings.in_place);
  }
  print(document.set("missing", std::move(missing)).set("runs", results.runs));
}

void run(Bench& o, const CLI::App& app) {
  keep_freed_memory();
  check_flags(o, app);
  const Backend backend = o.plan.settings.options.backend;
  o.plan.contenders =
      parse_contenders(o.contenders, o.is_full() ? Arena::factors : Arena::triangle, backend);
  o.plan.threads = parse_threads(o.threads);
  for (const std::string& name : o.inputs) open_input(name);  // a slip is better found now
  Results results;
  results.device = find_device_facts(backend);
  if (results.device) results.bandwidths.device = results.device->copy_bandwidth;
  if (results.device && !o.json) std::cout << "on " << description(*results.device) << '\n';
  results.missing = remove_missing(o.plan);
  if (o.is_full())
    for (const Index threads : o.plan.threads)
      results.bandwidths.threads[threads] = bench::read_bandwidth(threads);
  for (const std::string& name : o.inputs) bench_named(o, name, results);
  if (o.json) print_json(o, results);
}

void set_parts(std::vector<Part>& parts, CLI::App& app) {
  add_choice<std::vector<Part>>(app, "--part", parts,
                                {{"lower", {Part::lower}},
                                 {"upper", {Part::upper}},
                                 {"both", {Part::lower, Part::upper}},
                                 {"full", {Part::full}}},
                                "which triangle, or those of the matrix's factorization [lower]");
}

}  // namespace

Command add_bench(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("bench", "time all methods and other libraries against each other");
  const auto o = std::make_shared<Bench>();
  bench::Settings& settings = o->plan.settings;
  if (const char* library = std::getenv("ECHELON_MKL_LIBRARY")) settings.mkl_library = library;
  app->add_option("INPUT", o->inputs, "matrix files or recipes")->required();
  app->add_option("--contenders", o->contenders,
                  "all, or of: echelon (all its methods), echelon:METHOD; eigen, mkl, scipy; with "
                  "--part full cholmod, superlu; with --backend cuda cusparse [all]")
      ->type_name("LIST");
  app->add_option("--threads", o->threads, "numbers of threads [1 and all cores]")
      ->type_name("LIST");
  add_count(*app, "--repeat", o->plan.repeat, {1, 100000}, "timed rounds [9]");
  add_count(*app, "--setups", settings.setups, {1, 100},
            "how often analyses and updates are timed [3 and up to 5]");
  set_parts(o->parts, *app);
  add_count(*app, "--nrhs", o->nrhs, {1, 4096}, "right-hand sides solved together, of factors [1]");
  app->add_flag("--by-level", o->by_level,
                "time each level too, of factors on a GPU by methods that launch them one by one");
  add_precision(*app, o->precision);
  app->add_flag("--in-place", settings.in_place, "solve in place, as Eigen always does");
  app->add_option("--mkl-library", settings.mkl_library,
                  "path of libmkl_rt [$ECHELON_MKL_LIBRARY, or where the loader finds it]")
      ->type_name("FILE");
  app->add_option("--python", settings.python, "the Python that has SciPy [python3]")
      ->type_name("FILE");
  app->add_option("--commit", o->commit, "what to note as the version measured")->type_name("TEXT");
  add_json(*app, o->json);
  add_factor_flags(*app, o->factor);
  add_solver_options(*app, settings.options, {"method", "cpu.threads"});
  return {app, [o, app] { run(*o, *app); }};
}

}  // namespace echelon::cli
