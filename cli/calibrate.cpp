// cli/calibrate.cpp -- echelon calibrate: measures this machine for the models.
// SPDX-License-Identifier: BSD-3-Clause
#include "calibrate_report.hpp"
#include "commands.hpp"
#include "echelon/device.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "out_file.hpp"
#include "progress.hpp"

namespace echelon::cli {
namespace {

enum class Measured { cpu, cuda, mpi, nvshmem };
constexpr auto names(Measured) {
  return name_table<Measured>({{Measured::cpu, "cpu"},
                               {Measured::cuda, "cuda"},
                               {Measured::mpi, "mpi"},
                               {Measured::nvshmem, "nvshmem"}});
}

struct Calibrate {
  CalibrateRequest request;
  Measured what = Measured::cpu;

  void run() const {
    if (what == Measured::mpi)
      throw UsageError("to calibrate messages of MPI, run mpirun -n 2 echelon-mpi calibrate");
    if (what == Measured::nvshmem)
      throw UsageError(
          "to calibrate messages of NVSHMEM, run mpirun -n 2 echelon-nvshmem calibrate");
    check_out(request.out);
    Machine machine;
    if (what == Measured::cuda) {
      machine = as_phase("calibrating the GPU", [] { return calibrate_gpu(); });
      machine.name = name_machine(find_device().name, machine.node_ranks, "GPU");
    } else {
      machine = calibrate_cores(request);
      machine.name = name_machine(processor_name(), machine.node_ranks, "core");
    }
    report_machine(request, machine, "echelon");
  }
};

}  // namespace

Command add_calibrate(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("calibrate", "measure this machine, and write it as a machine file");
  const auto command = std::make_shared<Calibrate>();
  add_choice(*app, "--backend", command->what,
             "what to measure; mpi and nvshmem need their own programs [cpu]");
  add_calibrate_flags(*app, command->request);
  return {app, [command] { command->run(); }};
}

}  // namespace echelon::cli
