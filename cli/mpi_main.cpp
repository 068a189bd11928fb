// cli/mpi_main.cpp -- the program echelon-mpi: factors a matrix on rank 0 and solves on all ranks;
// measures the cost of messages.
// SPDX-License-Identifier: BSD-3-Clause
#include "machine.hpp"
#include "rank_calibrate.hpp"
#include "rank_main.hpp"
#include "rank_run.hpp"

namespace echelon::cli {
namespace {

struct Mpi {
  static constexpr const char* program = "echelon-mpi";
  template <Scalar T>
  using Solver = MpiSolver<T>;
  using Options = MpiOptions;
  using Report = MpiReport;

  struct Tally {
    template <class S>
    void after_one(const S&) {}
    template <class S>
    Report after_all(const S& solver, RankTimes&) {
      return solver.report();
    }
  };

  static const RankReport& ranks_of(const Report& r) { return r; }
  static Json how(const Report& r) { return Json::object().set("engine", name(r.engine)); }
  static Json work(const Report& r, const RankTimes& times) {
    const double each = std::max<double>(1, static_cast<double>(r.solves) / times.nrhs);
    return Json::object()
        .set("rank_compute_s", to_json(r.compute_s, each))
        .set("rank_communicate_s", to_json(r.communicate_s, each))
        .set("communication_share", r.communicate_s.mean / std::max(r.solve_s.mean, 1e-30));
  }
};

BuildFacts mpi_facts() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text, static_cast<std::size_t>(length));
  return {{"MPI library", all.substr(0, all.find_first_of(",\n"))}};
}

RankMeasures measures_of(const CalibrateRequest& request) {
  RankMeasures m;
  m.program = Mpi::program;
  m.alone = [&request] {
    Machine machine = calibrate_cores(request);
    machine.name = processor_name();
    return machine;
  };
  m.reads_together = true;
  for (const Engine engine : {Engine::payload, Engine::counter, Engine::two_sided})
    m.carriers.push_back({name(engine), [engine](const PingPongOptions& o) {
                            return measure_messages(MPI_COMM_WORLD, engine, o);
                          }});
  return m;
}

}  // namespace
}  // namespace echelon::cli

int main(int argc, char** argv) {
  using namespace echelon;
  cli::RankSolve solve;
  MpiOptions options;
  const auto add = [&](CLI::App& program) {
    CLI::App* const app = cli::add_rank_solve(program, solve);
    cli::add_choice(*app, "--engine", options.engine, "transport of messages [payload]");
    cli::add_rank_options(*app, options.ranks,
                          {"128; 512 on one rank", TreeShape::binary, Mapping::subtree});
    app->add_option("--timeline", solve.timeline,
                    "draw a timeline of one more solve, as .svg or .png")
        ->type_name("FILE");
    return app;
  };
  cli::CalibrateRequest calibrate;
  return cli::rank_main(
      argc, argv,
      {cli::Mpi::program,
       "Sparse triangular solves on many ranks.",
       {{add, [&](const CLI::App& app) { cli::run_rank_solve<cli::Mpi>(solve, options, app); }},
        {[&](CLI::App& program) { return cli::add_rank_calibrate(program, calibrate); },
         [&](const CLI::App&) {
           cli::run_rank_calibrate(calibrate, cli::measures_of(calibrate));
         }}},
       {{"mpirun -n 4 echelon-mpi solve elasticity3d:20", "factor on rank 0, solve on four ranks"},
        {"mpirun -n 4 echelon-mpi solve a.factors", "the same from a file of echelon factor"},
        {"mpirun -n 2 echelon-mpi calibrate -o here.txt", "measure messages for echelon model"}},
       cli::mpi_facts});
}
