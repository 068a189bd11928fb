// base/pool.cpp -- the process-wide thread pool, and the slots that hold its open jobs.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A slot belongs to one caller at a time.  One atomic word holds both the number of free
// places of its job and the number of threads inside, so entering and closing cannot race.  The
// caller writes the job before it frees places (release); a worker that takes a place reads the job
// (acquire).  A worker leaves with a release, which the caller's wait acquires.  The bits of open_
// mark the slots that may have free places; workers poll this one word, and sleep on it while it is
// zero.
#include "base/pool.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <new>
#include <utility>

#include "base/cpu_mask.hpp"
#include "base/parallel.hpp"
#include "base/spin.hpp"
#include "base/timer.hpp"

namespace echelon {
namespace {

constexpr double spin_s = 1e-4;  // polling for the next job: solves in a loop follow closely
constexpr double lost_s = 2e-4;  // off the core while awake: longer than any interrupt takes
constexpr double between_looks_s = 5e-4;  // between two clock reads inside a job
constexpr double first_rest_s = 2e-3;     // sleep after a lost core; doubled each time
constexpr int longest_rest = 6;           // at most this many doublings
constexpr int patient_rests = 3;  // threads that yield, such as those of a BLAS, do not keep a core

constexpr int slot_count = 32;
constexpr std::uint64_t place = std::uint64_t{1} << 32;

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void sleep_for(double seconds) {
  timespec time{static_cast<time_t>(seconds), 0};
  time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
  nanosleep(&time, nullptr);
}

struct alignas(64) Slot {
  std::atomic<std::uint64_t> state{0};  // low half: threads inside; high half: free places
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  PoolWork work = nullptr;
  const void* what = nullptr;
  Index threads = 0;
  std::atomic<int> core{-1};  // core of the caller when it opened the job

  static Index places(std::uint64_t state) { return static_cast<Index>(state / place); }

  // Returns the thread's number in the job, or 0 if no place is free.  `last`: it took the last
  // place.
  Index enter(bool& last) {
    std::uint64_t s = state.load(std::memory_order_relaxed);
    while (places(s) > 0)
      if (state.compare_exchange_weak(s, s - place + 1, std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        last = places(s) == 1;
        return threads - places(s);
      }
    return 0;
  }
};

// Detects that its thread was off its core for long between two calls.
class CoreWatch {
 public:
  void begin() { *this = {}; }  // what was before does not count
  bool look() {
    const double wall = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    const double off = (wall - std::exchange(wall_, wall)) - (cpu - std::exchange(cpu_, cpu));
    lost_ = lost_ || off > lost_s;
    return lost_;
  }
  // Reading the CPU-time clock is a system call: do so only after between_looks_s on the other
  // clock.
  bool look_now_and_then() {
    return lost_ || (seconds_of(CLOCK_MONOTONIC) - wall_ > between_looks_s && look());
  }

 private:
  double wall_ = seconds_of(CLOCK_MONOTONIC);
  double cpu_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  bool lost_ = false;
};

thread_local CoreWatch* watch = nullptr;  // of a worker that is awake

// Whether, besides this thread, there is a runnable thread for each core of the machine: the fourth
// number of /proc/loadavg, "3/217".  False if the file cannot be read.
bool all_cores_are_taken() {
  const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[128];
  const auto size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return false;
  text[size] = 0;
  long running = 0;
  if (std::sscanf(text, "%*s %*s %*s %ld/", &running) != 1) return false;
  return running - 1 >= sysconf(_SC_NPROCESSORS_ONLN);
}

enum class Help { given, none, no_core };  // a worker helped, found no job, or has no core

class Pool {
 public:
  void run(Index threads, PoolWork work, const void* what) {
    Slot* const slot = threads > 1 ? take_slot() : nullptr;
    if (slot == nullptr) return work(what, 0);
    const std::uint32_t bit = std::uint32_t{1} << (slot - slots_);
    const Index helpers = threads - 1;
    const Index wanted = wanted_.fetch_add(helpers, std::memory_order_relaxed) + helpers;
    start_workers(std::min(wanted, std::max(helpers, thread_count(0) - 1)));
    slot->work = work;
    slot->what = what;
    slot->threads = threads;
    slot->core.store(sched_getcpu(), std::memory_order_relaxed);
    slot->state.store(static_cast<std::uint64_t>(helpers) * place, std::memory_order_release);
    open_.fetch_or(bit, std::memory_order_seq_cst);
    wake_one();
    work(what, 0);
    slot->state.fetch_and(place - 1, std::memory_order_relaxed);
    open_.fetch_and(~bit, std::memory_order_relaxed);
    wanted_.fetch_sub(helpers, std::memory_order_relaxed);
    spin_until([&] { return slot->state.load(std::memory_order_acquire) == 0; });
    slot->taken.clear(std::memory_order_release);
  }

  Index workers() const { return workers_.load(std::memory_order_relaxed); }

  // In a child of fork(): the workers, and the callers with open jobs, exist in the parent only.
  void forget_all() {
    for (Slot& slot : slots_) {
      slot.state.store(0, std::memory_order_relaxed);
      slot.taken.clear(std::memory_order_relaxed);
    }
    open_.store(0, std::memory_order_relaxed);
    for (std::atomic<Index>* count : {&workers_, &awake_, &sleeping_, &wanted_})
      count->store(0, std::memory_order_relaxed);
    starting_.clear(std::memory_order_relaxed);
  }

  std::atomic<void (*)(PoolMoment)> hook{nullptr};

 private:
  // Null if all slots are in use: then the caller works alone.
  Slot* take_slot() {
    for (Slot& slot : slots_)
      if (!slot.taken.test(std::memory_order_relaxed) &&
          !slot.taken.test_and_set(std::memory_order_acquire))
        return &slot;
    return nullptr;
  }

  // If the system refuses a thread, the pool stays smaller.  A caller does not wait while another
  // caller starts workers.
  void start_workers(Index count) {
    if (workers() >= count || starting_.test_and_set(std::memory_order_acquire)) return;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sigset_t all, before;  // workers block all signals: the program's threads handle them
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto serve = [](void* pool) -> void* {
      static_cast<Pool*>(pool)->serve();
      return nullptr;
    };
    pthread_t thread{};
    while (workers() < count && pthread_create(&thread, &detached, serve, this) == 0)
      workers_.fetch_add(1, std::memory_order_relaxed);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&detached);
    starting_.clear(std::memory_order_release);
  }

  // Wakes one worker, if more are wanted than are awake; that worker wakes the next.
  void wake_one() {
    if (wanted_.load(std::memory_order_relaxed) > awake_.load(std::memory_order_relaxed) &&
        sleeping_.load(std::memory_order_seq_cst) > 0)
      open_.notify_one();
  }

  [[noreturn]] void serve() {
    CpuMask::of_process().bind_this_thread();  // not the mask of a caller bound to its core
    for (int rest = 0;;) {
      sleeping_.fetch_add(1, std::memory_order_seq_cst);
      open_.wait(0, std::memory_order_acquire);
      sleeping_.fetch_sub(1, std::memory_order_relaxed);
      awake_.fetch_add(1, std::memory_order_relaxed);
      wake_one();
      const bool lost = stay_awake();
      awake_.fetch_sub(1, std::memory_order_relaxed);
      if (!lost) {
        rest = std::max(rest - 1, 0);
        continue;
      }
      do {
        rest = std::min(rest + 1, longest_rest);
        sleep_for(first_rest_s * (1 << (rest - 1)));
      } while (rest >= patient_rests && all_cores_are_taken());
    }
  }

  // Helps until no job has been open for spin_s; true if the worker had no core to run on.
  bool stay_awake() {
    CoreWatch core;
    watch = &core;
    const bool lost = help_until_idle(core);
    watch = nullptr;
    return lost;
  }
  bool help_until_idle(CoreWatch& core) {
    constexpr int polls = 16;                    // between two clock reads
    double since = seconds_of(CLOCK_MONOTONIC);  // without a job
    for (double last = since;;) {
      const Help help = help_one();
      if (help == Help::no_core || (help == Help::given && core.look())) return true;
      const double now = seconds_of(CLOCK_MONOTONIC);
      if (help == Help::given)
        since = now;
      else if (now - last > lost_s)
        core.begin();
      if (now - since > spin_s) return false;
      last = now;
      for (int k = 0; k < polls && open_.load(std::memory_order_relaxed) == 0; ++k) cpu_pause();
    }
  }

  // Works on one job, if one has a free place.
  Help help_one() {
    for (std::uint32_t open = open_.load(std::memory_order_acquire); open != 0; open &= open - 1) {
      Slot& slot = slots_[std::countr_zero(open)];
      tell(PoolMoment::seen);
      if (!keep_off(slot.core.load(std::memory_order_relaxed))) return Help::no_core;
      bool last = false;
      const Index member = slot.enter(last);
      if (member == 0) continue;
      // Only inside the job, where the slot cannot belong to another one yet.
      if (last) open_.fetch_and(~(open & -open), std::memory_order_relaxed);
      tell(PoolMoment::entered);
      slot.work(slot.what, member);
      slot.state.fetch_sub(1, std::memory_order_release);
      return Help::given;
    }
    return Help::none;
  }

  // The system may wake a worker on the caller's core, where the worker would take half of the
  // caller's time; the worker then moves to another core.  False if there is none.  A worker bound
  // to one core first checks whether the process may use more cores by now.
  static bool keep_off(int core) {
    if (sched_getcpu() != core) return true;
    CpuMask own = CpuMask::of(0);
    if (own.count() == 1) own = CpuMask::of_process();
    const bool moved = own.without(core).bind_this_thread();
    own.bind_this_thread();
    return moved;
  }

  void tell(PoolMoment moment) const {
    if (auto* const call = hook.load(std::memory_order_acquire)) call(moment);
  }

  alignas(64) std::atomic<std::uint32_t> open_{0};  // slots that may have free places
  alignas(64) std::atomic<Index> wanted_{0};        // helpers of all open jobs
  std::atomic<Index> workers_{0};
  alignas(64) std::atomic<Index> awake_{0};
  std::atomic<Index> sleeping_{0};
  std::atomic_flag starting_ = ATOMIC_FLAG_INIT;
  Slot slots_[slot_count];
};

// Never destroyed: workers use the pool until the process ends.
Pool& the_pool() {
  alignas(Pool) static std::byte room[sizeof(Pool)];
  static Pool* const pool = [] {
    pthread_atfork(nullptr, nullptr, [] { the_pool().forget_all(); });
    return new (room) Pool;
  }();
  return *pool;
}

}  // namespace

// A worker that opens a job inside another job is the caller of the inner one, and must stay to its
// end.
void run_on_pool(Index threads, PoolWork work, const void* what) noexcept {
  CoreWatch* const own = std::exchange(watch, nullptr);
  if (threads <= 1)
    work(what, 0);
  else
    the_pool().run(threads, work, what);
  watch = own;
}

bool lost_core() noexcept { return watch != nullptr && watch->look_now_and_then(); }

bool wait_for_help(Index threads, double patience_s) noexcept {
  constexpr double arrival_s = 2e-4, pause_s = 1e-3;
  for (const Timer waiting;;) {
    std::atomic<Index> inside{0};
    run_with_help(threads, [&](Index) {  // all stay, so that no worker counts twice
      inside.fetch_add(1, std::memory_order_relaxed);
      const Timer here;
      while (inside.load(std::memory_order_relaxed) < threads && here.seconds() < arrival_s)
        cpu_pause();
    });
    if (inside.load(std::memory_order_relaxed) == threads) return true;
    if (waiting.seconds() >= patience_s) return false;
    sleep_for(pause_s);
  }
}

Index pool_workers() { return the_pool().workers(); }

void set_pool_hook(void (*hook)(PoolMoment)) {
  the_pool().hook.store(hook, std::memory_order_release);
}

}  // namespace echelon
