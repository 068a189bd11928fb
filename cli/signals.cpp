// cli/signals.cpp -- ends the program cleanly on Ctrl-C and its like.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The handler, which may run in any thread and in the middle of anything, notes the
// signal and posts a semaphore.  A thread that waits for it does the rest, as it may take locks.
#include "signals.hpp"

#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>

#include "echelon/tools/whole_files.hpp"
#include "progress.hpp"

namespace echelon::cli {
namespace {

sem_t arrived;
std::atomic<int> received{0};

extern "C" void note_signal(int signal) {
  const int before = errno;
  received = signal;
  sem_post(&arrived);
  errno = before;
}

void wait_for_signal() {
  while (sem_wait(&arrived) != 0 && errno == EINTR) {
  }
  end_status_line();
  remove_unfinished_files();
  // The handler is gone after its first call.
  kill(getpid(), received);
  sleep(1);
  _exit(128 + received);
}

}  // namespace

void end_cleanly_on_signals() {
  sem_init(&arrived, 0, 0);
  struct sigaction end {};
  end.sa_handler = note_signal;
  end.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&end.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == SIG_DFL) sigaction(signal, &end, nullptr);
  }
  std::thread(wait_for_signal).detach();
}

}  // namespace echelon::cli
