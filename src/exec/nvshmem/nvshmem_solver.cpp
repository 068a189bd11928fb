// exec/nvshmem/nvshmem_solver.cpp -- the public interface NvshmemSolver: both triangles of a
// factorization on many GPUs.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "base/instantiate.hpp"
#include "distributed/rank_solver.hpp"
#include "echelon/device.hpp"
#include "exec/nvshmem/gpu_ranks.hpp"

namespace echelon {

static void check_options(const NvshmemOptions& o) {
  if (!(o.watchdog_ms >= 0)) refuse("watchdog_ms must be a number from 0 on");
  if (o.blocks < 0) refuse("blocks cannot be negative");
  if (o.shared_memory != 0 && o.shared_memory < 48)
    refuse("shared_memory is 0, for all the device has, or KiB from 48 on, which all have");
}

namespace {

// Columns per block.  Tiles split wide panels further, but each diagonal block belongs to one PE.
constexpr Index widest_of_tiles(Index pes) { return pes == 1 ? 4096 : 1024; }
constexpr Index widest_of_coupled = 128;

// Gathers the reports of all PEs on all PEs.
std::vector<PeReport> gather(Communicator& comm, const PeReport& mine) {
  struct Sent {
    char device[128];
    Index multiprocessors, blocks;
    double solve_s;
    Offset bytes[2], messages, message_bytes;
  };
  Sent sent{};
  std::strncpy(sent.device, mine.device.c_str(), sizeof(sent.device) - 1);
  sent.multiprocessors = mine.multiprocessors;
  sent.blocks = mine.blocks;
  sent.solve_s = mine.solve_s;
  sent.bytes[0] = mine.stored_bytes;
  sent.bytes[1] = mine.symmetric_bytes;
  sent.messages = mine.messages;
  sent.message_bytes = mine.message_bytes;
  std::vector<PeReport> reports;
  for (const Sent& s : comm.gather(sent, "all PEs to report"))
    reports.push_back({s.device, s.multiprocessors, s.blocks, s.bytes[0], s.bytes[1], s.solve_s,
                       s.messages, s.message_bytes});
  return reports;
}

}  // namespace

template <Scalar T>
struct NvshmemSolver<T>::State {
  NvshmemOptions options;
  RankSolver<T> ranks;
  std::shared_ptr<Pe> pe;
  Design design;
  const GpuRanks<T>* passes = nullptr;
  double span_before = 0;

  State(MPI_Comm comm, const NvshmemOptions& o)
      : options(o),
        ranks(comm, o, {TreeShape::flat, Mapping::balanced}),
        pe(std::make_shared<Pe>(ranks.comm())),
        design(o.design) {
    const DeviceScope there(pe->gpu());
    if (design == Design::automatic)
      design = pe->all_in_reach() ? Design::persistent : Design::coupled;
  }

  MakeBackend<T> backend() {
    return [this](Communicator&, const std::vector<RankShare>& shares) {
      auto made = std::make_unique<GpuRanks<T>>(pe, shares, design, options);
      passes = made.get();
      return made;
    };
  }
  double span_since_report() {
    return passes->span_s() - std::exchange(span_before, passes->span_s());
  }
  PeReport here() const {
    const PassTimes& times = ranks.reported();
    return {pe->device_name(),
            pe->device().multiprocessors(),
            passes->blocks(),
            ranks.backend().stored_bytes(),
            ranks.backend().window_bytes(),
            times.all_s,
            times.messages,
            times.numbers * Offset{sizeof(T)}};
  }
};

template <Scalar T>
NvshmemSolver<T>::NvshmemSolver(MPI_Comm comm, const Factors<T>* factors,
                                const NvshmemOptions& options)
    : state_(std::make_unique<State>(comm, options)) {
  State& s = *state_;
  const DeviceScope there(s.pe->gpu());
  const bool tiles = s.design == Design::persistent;
  s.ranks.choose_max_panel_columns(tiles ? widest_of_tiles(s.pe->size()) : widest_of_coupled);
  if (tiles) s.ranks.set_supernode(for_tiles(s.ranks.supernode()));
  s.ranks.set_up(factors, s.backend());
}
template <Scalar T>
NvshmemSolver<T>::NvshmemSolver(MPI_Comm comm, const RankFactors<T>& factors,
                                const NvshmemOptions& options, const BlockMap* map)
    : state_(std::make_unique<State>(comm, options)) {
  const DeviceScope there(state_->pe->gpu());
  state_->ranks.set_up(factors, map, state_->backend());
}
template <Scalar T>
NvshmemSolver<T>::NvshmemSolver(NvshmemSolver&&) noexcept = default;
template <Scalar T>
NvshmemSolver<T>& NvshmemSolver<T>::operator=(NvshmemSolver&&) noexcept = default;
template <Scalar T>
NvshmemSolver<T>::~NvshmemSolver() = default;

template <Scalar T>
typename NvshmemSolver<T>::State& NvshmemSolver<T>::state() const {
  if (!state_) refuse("this solver was moved from and has no factors");
  return *state_;
}

template <Scalar T>
void NvshmemSolver<T>::update(const Factors<T>* factors) {
  State& s = state();
  const DeviceScope there(s.pe->gpu());
  s.ranks.update(factors);
}
template <Scalar T>
void NvshmemSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x,
                             const SolveOptions<T>& o) const {
  if (o.stream != nullptr)
    refuse("vectors of ranks lie on the host: SolveOptions::stream must be null");
  State& s = state();
  const DeviceScope there(s.pe->gpu());
  s.ranks.solve(b, x, o);
}
template <Scalar T>
void NvshmemSolver<T>::solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o) const {
  solve(Vectors<const T>(b.data(), static_cast<Index>(b.size())),
        Vectors<T>(x.data(), static_cast<Index>(x.size())), o);
}
template <Scalar T>
std::vector<T> NvshmemSolver<T>::solve(std::span<const T> b, const SolveOptions<T>& o) const {
  std::vector<T> x(b.size());
  solve(b, std::span<T>(x), o);
  return x;
}
template <Scalar T>
RowRange NvshmemSolver<T>::rows() const {
  return state().ranks.rows();
}
template <Scalar T>
NvshmemReport NvshmemSolver<T>::report() const {
  State& s = state();
  const DeviceScope there(s.pe->gpu());
  NvshmemReport report;
  static_cast<RankReport&>(report) = s.ranks.report();
  report.design = s.design;
  report.method = name(s.design);
  report.reason = s.options.design != Design::automatic ? "it was asked for"
                  : s.design == Design::persistent
                      ? "every PE can write into the memory of every other"
                      : "some PE cannot write into the memory of another";
  report.library = Pe::library_version();
  report.span_s = s.span_since_report();
  report.pes = gather(s.ranks.comm(), s.here());
  return report;
}

#define ECHELON_INSTANTIATE(T) template class NvshmemSolver<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
