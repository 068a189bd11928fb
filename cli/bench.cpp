// cli/bench.cpp -- echelon bench: contenders against each other on matrices, in one run.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bench_report.hpp"
#include "bench_rounds.hpp"
#include "commands.hpp"
#include "input.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "options.hpp"

namespace echelon::cli {
namespace {

using Kind = ContenderChoice::Kind;

struct Missing {
  std::string contender;
  std::string reason;
};

struct Bench {
  std::vector<std::string> inputs;
  std::string contenders = "all";
  std::string threads;
  std::vector<Uplo> parts{Uplo::lower};
  Precision precision = Precision::in_double;
  std::string commit;
  bool json = false;
  BenchPlan plan;
};

constexpr std::array<Method, 7> methods{
    Method::serial,         Method::level_row, Method::level_column, Method::element_row,
    Method::element_column, Method::superstep, Method::automatic};

std::vector<ContenderChoice> echelon_choices() {
  std::vector<ContenderChoice> choices;
  choices.reserve(methods.size());
  for (const Method method : methods) choices.push_back({Kind::echelon, method});
  return choices;
}

std::vector<ContenderChoice> all_choices() {
  std::vector<ContenderChoice> choices = echelon_choices();
  for (const Kind kind : {Kind::eigen, Kind::mkl, Kind::scipy}) choices.push_back({kind});
  return choices;
}

std::vector<ContenderChoice> parse_contender(const std::string& word) {
  if (word == "all") return all_choices();
  if (word == "echelon" || word == "echelon:all") return echelon_choices();
  std::vector<std::string> names{"all", "echelon", "echelon:all"};
  for (const ContenderChoice& choice : all_choices()) {
    if (choice.name() == word) return {choice};
    names.push_back(choice.name());
  }
  if (word.starts_with("echelon:")) {
    try {
      return {{Kind::echelon, parse_method(word.substr(8))}};
    } catch (const Error& error) {
      throw UsageError(error.what() + suggestion(word, names));
    }
  }
  throw UsageError("there is no contender '" + word +
                   "'; there are all, echelon, echelon:METHOD, eigen, mkl and scipy" +
                   suggestion(word, names));
}

std::vector<ContenderChoice> parse_contenders(const std::string& list) {
  std::vector<ContenderChoice> chosen;
  for (const std::string& word : split_list("--contenders", list))
    for (const ContenderChoice& choice : parse_contender(word)) {
      const bool is_new = std::none_of(chosen.begin(), chosen.end(), [&](const auto& other) {
        return other.name() == choice.name();
      });
      if (is_new) chosen.push_back(choice);
    }
  return chosen;
}

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
  }
  return "";
}

// Takes out of the plan who cannot run here, by name.
std::vector<Missing> remove_missing(BenchPlan& plan) {
  std::vector<Missing> missing;
  std::erase_if(plan.contenders, [&](const ContenderChoice& choice) {
    const std::string reason = why_missing(choice, plan);
    if (!reason.empty()) missing.push_back({choice.name(), reason});
    return !reason.empty();
  });
  for (const Missing& m : missing)
    std::cerr << "echelon: " << m.contender << " is missing: " << m.reason << '\n';
  if (plan.contenders.empty())
    throw Error(ErrorCode::backend_missing, "no contender is left to run");
  return missing;
}

// Both triangles, one after the other; the full matrix goes as soon as it can.
template <Scalar T>
void bench_input(const Bench& o, const Input& input, Json& runs) {
  Csr<T> a = read_input<T>(input);
  for (const Uplo part : o.parts) {
    const bench::Task<T> task = make_task(a, part);
    if (part == o.parts.back()) a = {};
    const SystemFacts system = find_system_facts(task, input.name);
    const std::vector<BenchRun> results = run_rounds(task, system, o.plan);
    for (const BenchRun& run : results) runs.push(to_json(system, run, o.precision));
    if (!o.json) print_runs(std::cout, system, results);
  }
}

void bench_named(const Bench& o, const std::string& name, Json& runs) {
  const Input input = open_input(name);
  try {
    with_scalar(o.precision, input.numbers(), [&]<Scalar T>() { bench_input<T>(o, input, runs); });
  } catch (const Error& error) {
    const std::string text = error.what();
    throw Error(error.code(), text.starts_with(name) ? text : name + ": " + text);
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

void run(Bench& o) {
  keep_freed_memory();
  o.plan.contenders = parse_contenders(o.contenders);
  o.plan.threads = parse_threads(o.threads);
  check_solver_options(o.plan.settings.options);
  for (const std::string& name : o.inputs) open_input(name);  // a slip is better found now
  const std::vector<Missing> missing = remove_missing(o.plan);
  Json runs = Json::array();
  for (const std::string& name : o.inputs) bench_named(o, name, runs);
  if (!o.json) return;
  Json missing_json = Json::array();
  for (const Missing& m : missing)
    missing_json.push(Json::object().set("contender", m.contender).set("reason", m.reason));
  print(Json::object()
            .set("machine", describe_machine())
            .set("date", date_now())
            .set("version", ECHELON_VERSION)
            .set("commit", o.commit)
            .set("in_place", o.plan.settings.in_place)
            .set("missing", missing_json)
            .set("runs", runs));
}

void set_parts(std::vector<Uplo>& parts, CLI::App& app) {
  add_choice<std::vector<Uplo>>(
      app, "--part", parts,
      {{"lower", {Uplo::lower}}, {"upper", {Uplo::upper}}, {"both", {Uplo::lower, Uplo::upper}}},
      "which triangle [lower]");
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
                  "all, or of: echelon (all its methods), echelon:METHOD, eigen, mkl, scipy [all]")
      ->type_name("LIST");
  app->add_option("--threads", o->threads, "numbers of threads [1 and all cores]")
      ->type_name("LIST");
  add_count(*app, "--repeat", o->plan.repeat, {1, 100000}, "timed rounds [9]");
  set_parts(o->parts, *app);
  add_precision(*app, o->precision);
  app->add_flag("--in-place", settings.in_place, "solve in place, as Eigen always does");
  app->add_option("--mkl-library", settings.mkl_library,
                  "path of libmkl_rt [$ECHELON_MKL_LIBRARY, or where the loader finds it]")
      ->type_name("FILE");
  app->add_option("--python", settings.python, "the Python that has SciPy [python3]")
      ->type_name("FILE");
  app->add_option("--commit", o->commit, "what to note as the version measured")->type_name("TEXT");
  add_json(*app, o->json);
  add_solver_options(*app, settings.options, {"method", "cpu.threads"});
  return {app, [o] { run(*o); }};
}

}  // namespace echelon::cli
