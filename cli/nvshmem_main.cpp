// cli/nvshmem_main.cpp -- the program echelon-nvshmem: factors a matrix on PE 0 and solves on the
// GPUs of all PEs; measures the cost of messages.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/device.hpp"
#include "echelon/nvshmem.hpp"
#include "progress.hpp"
#include "rank_calibrate.hpp"
#include "rank_main.hpp"
#include "rank_run.hpp"
#include "report_members.hpp"

namespace echelon::cli {
namespace {

void add_up(echelon::Spread& sum, const echelon::Spread& one) {
  sum.least += one.least;
  sum.mean += one.mean;
  sum.most += one.most;
}

struct Nvshmem {
  static constexpr const char* program = "echelon-nvshmem";
  template <Scalar T>
  using Solver = NvshmemSolver<T>;
  using Options = NvshmemOptions;
  using Report = NvshmemReport;

  // Takes a report after each solve for the time of its kernels.
  class Tally {
   public:
    template <class S>
    void after_one(const S& solver) {
      const Report one = solver.report();
      kernels_.push_back(one.solve_s.most);
      if (kernels_.size() == 1) {
        all_ = one;
        return;
      }
      all_.solves += one.solves;
      add_up(all_.solve_s, one.solve_s);
      add_up(all_.messages, one.messages);
      add_up(all_.message_bytes, one.message_bytes);
      for (std::size_t k = 0; k < all_.pes.size(); ++k) {
        all_.pes[k].solve_s += one.pes[k].solve_s;
        all_.pes[k].messages += one.pes[k].messages;
        all_.pes[k].message_bytes += one.pes[k].message_bytes;
      }
    }
    template <class S>
    Report after_all(const S&, RankTimes& times) {
      times.kernel_s = find_spread(kernels_);
      return all_;
    }

   private:
    std::vector<double> kernels_;
    Report all_;
  };

  static const RankReport& ranks_of(const Report& r) { return r; }
  static Json how(const Report& r) {
    return Json::object().set("design", name(r.design)).set("nvshmem", r.library);
  }
  static Json work(const Report& r, const RankTimes& times) {
    const double each = std::max<double>(1, static_cast<double>(r.solves) / times.nrhs);
    Json pes = Json::array();
    for (const PeReport& p : r.pes)
      pes.push(Json::object()
                   .set("name", p.device)
                   .set("multiprocessors", p.multiprocessors)
                   .set("thread_blocks", p.blocks)
                   .set("stored_bytes", p.stored_bytes)
                   .set("symmetric_bytes", p.symmetric_bytes)
                   .set("kernel_s", p.solve_s / each)
                   .set("messages", static_cast<double>(p.messages) / each)
                   .set("message_bytes", static_cast<double>(p.message_bytes) / each));
    return times_of("kernel", times.kernel_s).set("pes", pes);
  }
};

RankMeasures measures_of_gpus() {
  RankMeasures m;
  m.program = Nvshmem::program;
  m.alone = [] {
    Machine machine = as_phase("calibrating the GPU", [] { return calibrate_gpu(); });
    machine.name = find_device().name;
    return machine;
  };
  const auto add = [&m](const char* engine, PutBy by) {
    m.carriers.push_back(
        {engine, [by](const PingPongOptions& o) { return measure_puts(MPI_COMM_WORLD, by, o); }});
  };
  add("put_signal", PutBy::block);
  add("put_thread", PutBy::thread);
  return m;
}

}  // namespace
}  // namespace echelon::cli

int main(int argc, char** argv) {
  using namespace echelon;
  cli::RankSolve solve;
  solve.system.factor.options.solve_on = Backend::cuda;
  NvshmemOptions options;
  const auto add = [&](CLI::App& program) {
    CLI::App* const app = cli::add_rank_solve(program, solve);
    cli::add_choice(*app, "--design", options.design, "distribution of work over GPUs [automatic]");
    cli::add_rank_options(
        *app, options.ranks,
        {"1024; 4096 on one PE; 128 with design coupled", TreeShape::flat, Mapping::balanced});
    cli::add_number(*app, "--watchdog-ms", options.watchdog_ms,
                    "abort a kernel that waits this many milliseconds for a message, 0 or inf "
                    "for never [2000]");
    cli::add_count(*app, "--blocks", options.blocks, {1, 1 << 20},
                   "thread blocks of a resident kernel [as many as fit]");
    return app;
  };
  cli::CalibrateRequest calibrate;
  return cli::rank_main(
      argc, argv,
      {cli::Nvshmem::program,
       "Sparse triangular solves on many GPUs.",
       {{add, [&](const CLI::App& app) { cli::run_rank_solve<cli::Nvshmem>(solve, options, app); }},
        {[&](CLI::App& program) { return cli::add_rank_calibrate(program, calibrate); },
         [&](const CLI::App&) { cli::run_rank_calibrate(calibrate, cli::measures_of_gpus()); }}},
       {{"mpirun -n 8 echelon-nvshmem solve elasticity3d:20", "factor on PE 0, solve on 8 GPUs"},
        {"mpirun -n 2 echelon-nvshmem calibrate -o gpus.txt", "measure GPUs and their messages"}},
       [] { return cli::BuildFacts{}; }});
}
