// cli/model.cpp -- echelon model: predicts the time of a solve on other ranks or GPUs.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "factor_flags.hpp"
#include "input.hpp"
#include "model_pictures.hpp"
#include "model_report.hpp"
#include "open_machine.hpp"
#include "options.hpp"
#include "out_file.hpp"
#include "progress.hpp"
#include "system.hpp"

namespace echelon::cli {
namespace {

constexpr Index most_ranks = 65536;
constexpr Index most_lanes = 64;  // ranks in a timeline
constexpr Index widest_on_gpus = 1024, widest_coupled = 128, widest_on_ranks = 128;
constexpr Index widest_on_one = 512;
constexpr Offset tile_bytes = 32768;  // part of a panel that one thread block reads at a time

struct Model {
  std::string input, machine, ranks, gpus, grid, engine, folder, measured;
  SystemRequest system;
  Precision precision = Precision::in_double;
  std::optional<Mapping> mapping;
  std::optional<TreeShape> shape;
  Index max_panel_columns = 0, nrhs = 1;
  bool coupled = false, simulate = false, levels = false, json = false;
  std::string out;

  void run(const CLI::App& app) {
    check_system_flags(app, system);
    check_out(out);
    if (!folder.empty()) check_folder(folder);
    if (!measured.empty() && folder.empty())
      throw UsageError("--measured is drawn in a picture: use --pictures");
    if (levels && !json && out.empty())
      throw UsageError("--levels adds to the JSON document: use --json or -o");
    parse_measured(measured);
    const Machine m = open_machine(machine);
    const std::vector<Index> counts = parse_counts(m);
    const std::vector<std::string> engines = parse_engines(m, counts);
    const Input in = open_input(input);
    with_scalar(precision, in.numbers(), [&]<Scalar T>() { run_on<T>(in, m, counts, engines); });
  }

  // --- Flags.

  std::vector<Index> parse_counts(const Machine& m) const {
    const bool on_gpus = m.kind == MachineKind::gpu;
    if (!(on_gpus ? ranks : gpus).empty())
      throw UsageError(std::string(on_gpus ? "--ranks" : "--gpus") + " does not go with " + m.name +
                       ", a machine of " + (on_gpus ? "GPUs" : "cores"));
    const std::string& text = on_gpus ? gpus : ranks;
    if (!on_gpus && coupled) throw UsageError("--coupled is for machines of GPUs");
    if (text.empty()) {
      if (!grid.empty() && grid != "all") {
        const ProcessGrid one = parse_one_grid();
        return {one.size()};
      }
      return on_gpus ? std::vector<Index>{1, 2, 4, 8} : std::vector<Index>{1, 4, 16, 64, 256};
    }
    std::vector<Index> counts;
    const char* const flag = on_gpus ? "--gpus" : "--ranks";
    for (const std::string& word : split_list(flag, text))
      counts.push_back(parse_count(flag, word, 1, most_ranks));
    return counts;
  }
  std::vector<std::string> parse_engines(const Machine& m, const std::vector<Index>& counts) const {
    if (m.kind == MachineKind::gpu) {
      if (!engine.empty() && engine != "all" && engine != "put_signal")
        throw UsageError("--engine on GPUs is put_signal; --coupled sends sums by put_thread");
      return {"put_signal"};
    }
    std::vector<std::string> names;
    if (engine.empty() || engine == "all") {
      for (const auto& [name, cost] : m.messages) names.push_back(name);
    } else {
      names = split_list("--engine", engine);
    }
    const bool alone = std::all_of(counts.begin(), counts.end(), [](Index c) { return c == 1; });
    if (names.empty() && alone) return {"-"};
    for (const std::string& name : names) check_engine(m, name);
    if (names.empty())
      throw UsageError("machine '" + m.name +
                       "' has no message times: calibrate it with echelon-mpi");
    return names;
  }
  static void check_engine(const Machine& m, const std::string& name) {
    try {
      m.message(name, true);
    } catch (const Error& error) {
      throw UsageError(std::string("--engine: ") + error.what());
    }
  }
  Mapping mapping_on(const Machine& m) const {
    return mapping.value_or(m.kind == MachineKind::gpu ? Mapping::balanced : Mapping::subtree);
  }
  TreeShape tree_on(const Machine& m) const {
    return shape.value_or(m.kind == MachineKind::gpu && !coupled ? TreeShape::flat
                                                                 : TreeShape::binary);
  }
  ProcessGrid parse_one_grid() const {
    ProcessGrid g;
    parse_grid(grid, g.rows, g.cols);
    return g;
  }
  std::vector<ProcessGrid> grids_of(Index count) const {
    if (grid == "all") {
      std::vector<ProcessGrid> grids;
      for (Index rows = 1; rows <= count; ++rows)
        if (count % rows == 0) grids.push_back({rows, count / rows});
      return grids;
    }
    if (!grid.empty()) {
      const ProcessGrid g = parse_one_grid();
      if (g.size() != count)
        throw UsageError("--grid " + grid + " has " + std::to_string(g.size()) + " places, not " +
                         std::to_string(count));
      return {g};
    }
    if (mapping == Mapping::cyclic) return {square_grid(count)};  // default of the solvers
    return {{1, count}};
  }

  Index widest_on(const Machine& m, Index count) const {
    if (max_panel_columns > 0) return max_panel_columns;
    if (m.kind != MachineKind::gpu) return count == 1 ? widest_on_one : widest_on_ranks;
    if (coupled) return widest_coupled;
    return count == 1 ? 4 * widest_on_gpus : widest_on_gpus;
  }
  template <Scalar T>
  SolveProblem problem_on(const Machine& m, Phase phase, const RankFactors<T>& shared) const {
    SolveProblem p;
    if (phase != Phase::upper) p.lower = &shared.lower;
    if (phase != Phase::lower) p.upper = shared.symmetric ? &shared.lower : &shared.upper;
    p.mapping = mapping_on(m);
    p.tree = tree_on(m);
    p.value_bytes = sizeof(T);
    p.vectors = nrhs;
    if (coupled) p.sum_engine = "put_thread";
    return p;
  }

  // --- Work.

  template <Scalar T>
  void run_on(const Input& in, const Machine& m, const std::vector<Index>& counts,
              const std::vector<std::string>& engines) const {
    const Csr<T> a = read_input<T>(in);
    const RankSystem<T> solved = make_system(system, a, input);
    const bool tiles = m.kind == MachineKind::gpu && !coupled;
    const SupernodeOptions merging = tiles ? for_tiles(SupernodeOptions()) : SupernodeOptions();
    std::map<Index, RankFactors<T>> by_width;
    const std::vector<Trial> trials =
        try_all(m, counts, engines, solved.phase, [&](Index w) -> const RankFactors<T>& {
          const auto [place, fresh] = by_width.try_emplace(w);
          if (fresh)
            place->second = as_phase("dividing the factors", [&] {
              return distribute_factors(solved.factors, w, merging);
            });
          return place->second;
        });
    const RankFactors<T>& last = by_width.at(widest_on(m, counts.back()));
    report(solved, nonzeros_of(a.pattern(), solved.part), last, m, trials);
  }

  // Every number of ranks, on every grid, with every engine; divided(w) has blocks of w columns.
  template <class Divided>
  std::vector<Trial> try_all(const Machine& m, const std::vector<Index>& counts,
                             const std::vector<std::string>& engines, Phase phase,
                             const Divided& divided) const {
    const bool tiles = m.kind == MachineKind::gpu && !coupled;
    Progress progress(simulate ? "modelling and simulating" : "modelling");
    std::size_t points = 0;
    for (const Index count : counts)
      points += grids_of(count).size() * (count == 1 ? 1 : engines.size());
    std::vector<Trial> trials;
    double one_s = 0;
    for (const Index count : counts) {
      SolveProblem p = problem_on(m, phase, divided(widest_on(m, count)));
      const SimulationOptions o{.timeline = !folder.empty() && count <= most_lanes,
                                .piece_bytes = tiles ? tile_bytes : 0};
      for (const ProcessGrid& g : grids_of(count))
        for (const std::string& name : engines) {
          p.engine = name;
          progress.update(static_cast<double>(trials.size()) / static_cast<double>(points));
          trials.push_back(try_grid(p, g, m, simulate, one_s, o));
          if (count == 1) {
            one_s = trials.back().model_s() / static_cast<double>(trials.back().model.size());
            break;  // one rank sends no messages
          }
        }
    }
    return trials;
  }
  void draw(const Machine& m, const std::vector<Trial>& trials, const Trial& fastest) const {
    write_to_folder(draw_trials(input + " on " + m.name, trials, parse_measured(measured)), folder,
                    "scaling");
    const Trial* drawn = nullptr;  // the fastest, or one with few enough ranks to be drawn
    for (const Trial& t : trials)
      if (t.grid.size() <= std::min(most_lanes, fastest.grid.size()) && !t.simulation.empty() &&
          (drawn == nullptr || t.grid.size() > drawn->grid.size() ||
           (t.grid.size() == drawn->grid.size() && t.seconds() < drawn->seconds())))
        drawn = &t;
    if (drawn == nullptr) return;
    std::string title = input + " on " + std::to_string(drawn->grid.size());
    title += m.kind == MachineKind::gpu ? " GPUs" : " ranks";
    title += ", " + drawn->engine + ", simulated";
    write_to_folder(draw_timeline(timeline_of(*drawn), title), folder, "timeline");
  }

  template <Scalar T>
  void report(const RankSystem<T>& solved, Offset nonzeros, const RankFactors<T>& shared,
              const Machine& m, const std::vector<Trial>& trials) const {
    ModelFacts facts;
    facts.input = input;
    facts.part = name(solved.part);
    facts.phase = name(solved.phase);
    facts.precision = name(precision);
    facts.n = shared.n;
    facts.nonzeros = nonzeros;
    facts.package = shared.package;
    facts.kind = shared.kind;
    facts.ordering = shared.ordering;
    facts.blocks = shared.lower.count();
    if (solved.phase != Phase::upper) facts.entries += shared.lower.entries();
    if (solved.phase != Phase::lower)
      facts.entries += (shared.symmetric ? shared.lower : shared.upper).entries();
    facts.mapping = name(mapping_on(m));
    facts.tree = name(tree_on(m));
    facts.vectors = nrhs;
    const RankAdvice advice = advise_ranks(trials, m.kind);
    if (!folder.empty()) draw(m, trials, trials[advice.fastest]);
    hand_out(to_json(facts, m, trials, advice, levels).set("out", or_null(out)), out, json);
    if (!json) print_model_table(facts, m, trials, advice);
  }
};

}  // namespace

Command add_model(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "model", "predict solves on ranks or GPUs, and advise how many to use");
  const auto m = std::make_shared<Model>();
  app->add_option("INPUT", m->input, "a matrix file or a recipe")->required();
  app->add_option("--machine", m->machine, "name of a machine, or a file of echelon calibrate");
  app->add_option("--ranks", m->ranks, "numbers of ranks, a list [1,4,16,64,256]");
  app->add_option("--gpus", m->gpus, "numbers of GPUs, a list [1,2,4,8]");
  app->add_option("--grid", m->grid, "all, or ROWSxCOLUMNS [as the solvers choose]");
  app->add_option("--engine", m->engine, "payload, counter, two_sided, a list or all [all]");
  add_system_flags(*app, m->system);
  add_choice(*app, "--mapping", m->mapping,
             "how blocks are assigned to ranks [subtree; balanced on GPUs]");
  add_choice(*app, "--tree", m->shape, "trees of broadcasts and sums [binary; flat on GPUs]");
  add_count(*app, "--max-panel-columns", m->max_panel_columns, {1, 1 << 20},
            "largest number of columns per block [as the solvers choose]");
  add_nrhs(*app, m->nrhs);
  add_precision(*app, m->precision);
  app->add_flag("--coupled", m->coupled,
                "on GPUs: the design of the paper, one thread block per column");
  app->add_flag("--simulate", m->simulate, "also simulate the protocol, event by event");
  app->add_flag("--levels", m->levels, "with --json or -o: include the times of each level");
  app->add_option("--pictures", m->folder,
                  "write scaling and timeline as pictures into this folder")
      ->type_name("DIR");
  app->add_option("--measured", m->measured, "RANKS:SECONDS,... to draw with the forecasts");
  add_out(*app, m->out, "write the JSON document");
  add_json(*app, m->json);
  return {app, [m, app] { m->run(*app); }};
}

}  // namespace echelon::cli
