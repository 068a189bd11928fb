// base/check_options.cpp -- refuses options out of range, and those that contradict each other.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>

#include "base/refuse.hpp"
#include "base/vector_unit.hpp"
#include "echelon/options.hpp"

namespace echelon {
namespace {

// Numbers that steer the schedule: none negative, none NaN.
struct ScheduleCheck {
  void operator()(const char* key, double value, const char*) const {
    if (!(value >= 0) || std::isinf(value))
      refuse(std::string("schedule.") + key + " must be a number from 0 on");
  }
};

void check_supernode_options(const Options& o) {
  const SupernodeOptions& s = o.supernode;
  if (!(s.merge_zeros >= 0 && s.merge_zeros < 1))
    refuse("supernode.merge_zeros is a share from 0 up to 1");
  if (!(s.subtree_share >= 0 && s.subtree_share <= 1))
    refuse("supernode.subtree_share is a share from 0 to 1");
  if (!(s.panel_work >= 0 && s.row_work >= 0 && s.level_work >= 0))
    refuse(
        "supernode.panel_work, supernode.row_work and supernode.level_work must be numbers from 0 "
        "on");
  if (s.max_panel_columns < 1) refuse("supernode.max_panel_columns must be at least 1");
  if (s.chunk_entries < 1) refuse("supernode.chunk_entries must be at least 1");
  if (!(o.numeric.largest_growth >= 0)) refuse("numeric.largest_growth must be a number from 0 on");
  if (o.numeric.low_precision && o.method != Method::automatic &&
      (!is_supernodal(o.method) || has_plain_panels(o.method)))
    refuse(std::string("numeric.low_precision needs panels of ours; method ") + name(o.method) +
           " has none");
}

void check_cuda_options(const Options& o) {
  if (!(o.cuda.watchdog_ms >= 0)) refuse("cuda.watchdog_ms must be a number from 0 on");
  if (o.cuda.device < -1) refuse("cuda.device is a number from 0 on, or -1 for the current one");
  if (o.cuda.blocks < 0) refuse("cuda.blocks cannot be negative");
  if (o.cuda.bands < 0 || o.cuda.band_levels < 0)
    refuse("cuda.bands and cuda.band_levels cannot be negative");
  if (o.cuda.band_threads < 0 || o.cuda.band_threads > 256 || o.cuda.band_threads % 32 != 0)
    refuse("cuda.band_threads is 0, to be chosen, or 32, 64, 96, ... up to 256");
  if (o.cuda.shared_memory != 0 && o.cuda.shared_memory < 48)
    refuse("cuda.shared_memory is 0, for all the device has, or KiB from 48 on, which all have");
  if (o.cuda.right_sides < 1) refuse("cuda.right_sides must be at least 1");
  if (o.cuda.rhs_per_pass < 0 || o.cuda.rhs_per_pass > 256)
    refuse("cuda.rhs_per_pass is a number from 0 to 256");
  if (o.backend == Backend::cuda && o.method == Method::serial)
    refuse("method serial runs on the CPU alone; backend cuda takes all others");
}

}  // namespace

void check_options(Options o) {
  if (o.cpu.threads < 0)
    refuse("cpu.threads is " + std::to_string(o.cpu.threads) + "; it cannot be negative");
  if (o.cpu.threads > CpuOptions::most_threads)
    refuse("cpu.threads is " + std::to_string(o.cpu.threads) + "; at most " +
           std::to_string(CpuOptions::most_threads) + " can be used");
  if (o.cpu.rhs_per_pass < 1 || o.cpu.rhs_per_pass > 16)
    refuse("cpu.rhs_per_pass is a number from 1 to 16");
  if (!(o.expected_solves >= 0)) refuse("expected_solves must be a number from 0 on");
  find_vector_unit(o.cpu.vector_unit);
  o.schedule.visit(ScheduleCheck());
  check_supernode_options(o);
  check_cuda_options(o);
  if (o.deterministic && o.method != Method::automatic && !is_deterministic(o.method))
    refuse(std::string("method ") + name(o.method) +
           " adds up in the order threads arrive and is not deterministic; the row methods, "
           "superstep, serial and all on supernodes are");
}

}  // namespace echelon
