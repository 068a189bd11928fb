// exec/nvshmem/measure_puts.cu -- measures the time of a put with a signal between two GPUs.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One thread block on each of two PEs.  In turn, one PE puts a message into the other's
// memory, then a fence, then a signal; the other polls the signal.  Signals count all messages so
// far, so none is ever reset.  The first messages synchronize the two kernels and are not timed.
//
// Way out.  A block that polls past its deadline, `timeout_ns` after the start of its kernel, ends
// and reports it; the other block then receives nothing and ends in the same way.
#include <algorithm>
#include <optional>

#include "base/timer.hpp"
#include "distributed/measure_pairs.hpp"
#include "echelon/device.hpp"
#include "echelon/tools/messages.hpp"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/streams.cuh"
#include "exec/nvshmem/coupled_wire.cuh"
#include "exec/nvshmem/pe.hpp"

namespace echelon {
namespace {

constexpr int threads = 256;
constexpr Signal hops = 66;                            // messages per kernel; even
constexpr Signal untimed = 2;                          // the first messages
constexpr unsigned long long timeout_ns = 2000000000;  // nanoseconds
constexpr std::size_t line = 128;                      // alignment of signals and messages in bytes

struct Game {
  char* to;          // destination in the other PE's memory
  const char* from;  // source in this PE's memory
  std::size_t bytes;
  Signal* signal;
  Signal before;  // messages of earlier kernels
  Index peer;
  bool leads, by_block;
  unsigned long long* nanoseconds;  // total of the timed hops; 0: timeout
};

__device__ void send(const Game& game, Signal number) {
  if (game.by_block)
    put_by_block(game.to, game.from, game.bytes, game.peer);
  else if (threadIdx.x == 0)
    put_by_thread(game.to, game.from, game.bytes, game.peer);
  if (threadIdx.x != 0) return;
  order_puts();
  signal_remote(game.signal, number, game.peer);
}

// Returns the same on all threads: false after the deadline.
__device__ bool receive(const Game& game, Signal number, unsigned long long deadline) {
  bool comes = true;
  if (threadIdx.x == 0)
    for (unsigned k = 1; !has_come(game.signal, number); ++k)
      if (k % 64 == 0 && nanoseconds() > deadline) {
        comes = false;
        break;
      }
  return threads_with(!comes) == 0;
}

__global__ void __launch_bounds__(threads) play(const __grid_constant__ Game game) {
  unsigned long long began = nanoseconds();
  const unsigned long long deadline = began + timeout_ns;
  for (Signal k = 0; k < hops; ++k) {
    if (k == untimed) began = nanoseconds();
    if ((k % 2 == 0) == game.leads)
      send(game, game.before + k + 1);
    else if (!receive(game, game.before + k + 1, deadline))
      return;
  }
  if (threadIdx.x == 0) *game.nanoseconds = max(nanoseconds() - began, 1ull);
}

class Puts {
 public:
  Puts(Pe& pe, PutBy by, Index other, std::size_t largest)
      : comm_(pe.comm()), memory_(pe.allocate(line + 2 * largest)), spent_(1) {
    game_.signal = reinterpret_cast<Signal*>(memory_.data());
    game_.to = memory_.data() + line;
    game_.from = game_.to + largest;
    game_.peer = comm_.rank() == 0 ? other : 0;
    game_.leads = comm_.rank() == 0;
    game_.by_block = by == PutBy::block;
    game_.nanoseconds = spent_.data();
  }

  // Called by both PEs; returns seconds per hop.
  double run(double bytes) {
    game_.bytes = static_cast<std::size_t>(bytes);
    check_cuda(cudaMemsetAsync(spent_.data(), 0, spent_.bytes(), stream_.get()), "cudaMemset");
    check_cuda(cudaStreamSynchronize(stream_.get()), "cudaMemset");
    meet_peer();
    play<<<1, threads, 0, stream_.get()>>>(game_);
    check_cuda(cudaGetLastError(), "a ping-pong");
    unsigned long long spent = 0;
    check_cuda(
        cudaMemcpyAsync(&spent, spent_.data(), sizeof spent, cudaMemcpyDeviceToHost, stream_.get()),
        "a ping-pong");
    check_cuda(cudaStreamSynchronize(stream_.get()), "a ping-pong");
    if (spent == 0)
      throw Error(ErrorCode::backend_failed,
                  "PE " + std::to_string(comm_.rank()) + " waited 2 s for a message of PE " +
                      std::to_string(game_.peer) + "; do they share a GPU without MPS?");
    game_.before += hops;
    return static_cast<double>(spent) * 1e-9 / static_cast<double>(hops - untimed);
  }

 private:
  // Returns when both PEs are about to launch.
  void meet_peer() {
    std::vector<MPI_Request> requests(2);
    check_mpi(MPI_Irecv(&words_->seen, 1, MPI_CHAR, game_.peer, 0, comm_.get(), &requests[0]),
              "MPI_Irecv");
    check_mpi(MPI_Isend(&words_->sent, 1, MPI_CHAR, game_.peer, 0, comm_.get(), &requests[1]),
              "MPI_Isend");
    comm_.wait_all(requests, "the other PE to launch its kernel");
  }

  struct Words {
    char sent = 0, seen = 0;
  };
  Communicator& comm_;
  Lent<Words> words_{comm_.broken()};
  SymmetricMemory memory_;
  DeviceArray<unsigned long long> spent_;
  CudaStream stream_;
  Game game_{};
};

void run_puts(Puts& puts, Index repeats, MessageTimes& times) {
  for (std::size_t size = 0; size < times.bytes.size(); ++size) {
    std::vector<double> seconds;
    for (Index k = -1; k < repeats; ++k) {  // the first is a warm-up
      const double one = puts.run(times.bytes[size]);
      if (k >= 0) seconds.push_back(one);
    }
    times.seconds[size] = median(seconds);
  }
}

}  // namespace

std::vector<MessageTimes> measure_puts(MPI_Comm comm, PutBy by, const PingPongOptions& o) {
  Communicator ranks(comm, o.timeout_s);
  Pe pe(ranks);
  const DeviceScope there(pe.gpu());
  return measure_pairs(ranks, o, [&](MessageTimes& times) {
    const Call call(ranks, Communicator::setup_timeout_factor);
    const auto largest = (static_cast<std::size_t>(times.bytes.back()) + line - 1) / line * line;
    std::optional<Puts> puts;
    ranks.all_succeed([&] { puts.emplace(pe, by, times.other, largest); });
    run_asleep(ranks, times.other, [&] { run_puts(*puts, o.repeats, times); });
  });
}

}  // namespace echelon
