// bench/busy_cores/busy_cores.cpp -- times solves with one thread and with all, alone and beside
// other threads that spin on every core.
// SPDX-License-Identifier: BSD-3-Clause
//
//   busy_cores [--threads N] [--seconds S] [--methods direct:automatic,lower:superstep] FILE...
//
// Surroundings.  `alone`; `spin`: one thread per core that spins forever, at the same priority;
// `blas`: an OpenBLAS product on all cores before each solve, whose threads keep polling for a
// while.  One JSON line per file, method and surrounding.
//
// Method.  One thread and all threads take turns, several solves each, until there are enough
// solves or the time is used up.  The first solutions are compared with each other.
#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "echelon/direct.hpp"
#include "echelon/io.hpp"
#include "echelon/solver.hpp"
#include "support/clock.hpp"

namespace echelon::bench {
namespace {

struct Settings {
  Index threads = static_cast<Index>(std::thread::hardware_concurrency());
  double seconds = 1;  // per measurement
  std::vector<std::string> methods = {"direct:automatic", "lower:automatic"};
  std::vector<std::string> files = {};
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

Settings parse(int count, char** words) {
  Settings s;
  for (int k = 1; k < count; ++k) {
    const std::string word = words[k];
    const bool more = k + 1 < count;
    if (word == "--threads" && more)
      s.threads = std::stoi(words[++k]);
    else if (word == "--seconds" && more)
      s.seconds = std::stod(words[++k]);
    else if (word == "--methods" && more)
      s.methods = split(words[++k]);
    else
      s.files.push_back(word);
  }
  return s;
}

// Threads that spin during the lifetime of this object.
class Spinners {
 public:
  explicit Spinners(Index count) {
    for (Index k = 0; k < count; ++k)
      threads_.emplace_back([this] {
        while (!end_.load(std::memory_order_relaxed)) {
        }
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ~Spinners() {
    end_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Spinners(const Spinners&) = delete;
  Spinners& operator=(const Spinners&) = delete;

 private:
  std::atomic<bool> end_{false};
  std::vector<std::thread> threads_;
};

// A product large enough for OpenBLAS to use all its threads.
void multiply_matrices() {
  constexpr int n = 192;
  static std::vector<double> a(n * n, 0.5), b(n * n, 0.25), c(n * n);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, b.data(), n, 0,
              c.data(), n);
}

using Solve = std::function<void(const std::vector<double>& b, std::vector<double>& x)>;

// A solver with its number of threads and its report.
struct Entrant {
  Solve solve;
  std::string method;
  Index threads = 1;
};

Entrant prepare(const std::string& what, const Csr<double>& a, const Factors<double>* factors,
                Index threads) {
  const std::size_t colon = what.find(':');
  Options o;
  o.method = echelon::parse<Method>("method", what.substr(colon + 1));
  o.cpu.threads = threads;
  if (what.substr(0, colon) == "lower") {
    auto solver =
        std::make_shared<Solver<double>>(lower(a, {.outside = OutsideEntries::ignore}), o);
    return {[solver](const auto& b, auto& x) { solver->solve(std::span<const double>(b), x); },
            name(solver->report().method), solver->report().threads};
  }
  if (factors == nullptr) throw Error(ErrorCode::bad_argument, "it could not be factored");
  auto solver = std::make_shared<DirectSolver<double>>(Factors<double>(*factors), o);
  return {[solver](const auto& b, auto& x) { solver->solve(std::span<const double>(b), x); },
          name(solver->report().method), solver->report().threads};
}

double share(std::vector<double>& seconds, double at) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[static_cast<std::size_t>(at * static_cast<double>(seconds.size() - 1))];
}

// The seconds of each entrant's solves.
std::vector<std::vector<double>> take_turns(const std::vector<Entrant>& entrants, Index n,
                                            double limit_s, bool with_blas) {
  constexpr int in_turn = 5;
  constexpr std::size_t enough = 1000;
  const std::vector<double> b(static_cast<std::size_t>(n), 1.0);
  std::vector<double> x(b);
  std::vector<std::vector<double>> seconds(entrants.size());
  double spent = 0;
  while (seconds[0].size() < enough && (spent < limit_s || seconds[0].size() < 2 * in_turn))
    for (std::size_t e = 0; e < entrants.size(); ++e)
      for (int k = 0; k < in_turn; ++k) {
        if (with_blas) multiply_matrices();
        seconds[e].push_back(time_of([&] { entrants[e].solve(b, x); }));
        spent += seconds[e].back();
      }
  return seconds;
}

void check_alike(const std::vector<Entrant>& entrants, Index n) {
  const std::vector<double> b(static_cast<std::size_t>(n), 1.0);
  std::vector<double> one(b), other(b);
  entrants[0].solve(b, one);
  entrants[1].solve(b, other);
  double most = 0, apart = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    most = std::max(most, std::abs(one[i]));
    apart = std::max(apart, std::abs(one[i] - other[i]));
  }
  if (!(apart <= 1e-2 * most))
    throw Error(ErrorCode::backend_failed, "one thread and several do not give the same answer");
}

void measure(const std::string& file, const std::string& what, const Csr<double>& a,
             const Factors<double>* factors, const Settings& s) {
  const std::vector<Entrant> entrants{prepare(what, a, factors, 1),
                                      prepare(what, a, factors, s.threads)};
  check_alike(entrants, a.rows);
  for (const std::string around : {"alone", "spin", "blas"}) {
    std::unique_ptr<Spinners> spinners;
    if (around == "spin") spinners = std::make_unique<Spinners>(s.threads);
    if (around == "alone") std::this_thread::sleep_for(std::chrono::milliseconds(50));
    auto seconds = take_turns(entrants, a.rows, s.seconds, around == "blas");
    const double one = share(seconds[0], 0.5), all = share(seconds[1], 0.5);
    std::printf(
        "{\"file\": \"%s\", \"n\": %d, \"asked\": \"%s\", \"method\": \"%s\", \"around\": \"%s\", "
        "\"threads\": %d, \"solves\": %zu, \"one_s\": %.4g, \"one_p90_s\": %.4g, \"all_s\": %.4g, "
        "\"all_p90_s\": %.4g, \"ratio\": %.3f, \"ratio_p90\": %.3f}\n",
        file.c_str(), a.rows, what.c_str(), entrants[1].method.c_str(), around.c_str(),
        entrants[1].threads, seconds[0].size(), one, share(seconds[0], 0.9), all,
        share(seconds[1], 0.9), all / one, share(seconds[1], 0.9) / share(seconds[0], 0.9));
    std::fflush(stdout);
  }
}

// CHOLMOD reads only the lower triangle, so the matrix must be symmetric.
bool is_symmetric(const Csr<double>& a) {
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      const auto row = a.index.begin() + a.start[a.index[p]];
      const auto end = a.index.begin() + a.start[a.index[p] + 1];
      const auto found = std::lower_bound(row, end, i);
      if (found == end || *found != i || a.value[found - a.index.begin()] != a.value[p])
        return false;
    }
  return true;
}

void measure_file(const std::string& path, const Settings& s) {
  const std::string file = path.substr(path.rfind('/') + 1);
  const Csr<double> a = read_matrix<double>(path);
  std::unique_ptr<Factors<double>> factors;
  for (const char* package : {"cholmod", "superlu"}) {
    try {
      if (!factors && (package == std::string("superlu") || is_symmetric(a)))
        factors = std::make_unique<Factors<double>>(factor_by_name<double>(package, a));
    } catch (const Error& error) {
      std::cerr << file << ": " << package << ": " << error.what() << "\n";
    }
  }
  for (const std::string& what : s.methods) {
    try {
      measure(file, what, a, factors.get(), s);
    } catch (const Error& error) {
      std::cerr << file << ": " << what << ": " << error.what() << "\n";
    }
  }
}

}  // namespace
}  // namespace echelon::bench

int main(int count, char** words) {
  using namespace echelon::bench;
  const Settings settings = parse(count, words);
  int failed = settings.files.empty() ? 2 : 0;
  for (const std::string& file : settings.files) {
    try {
      measure_file(file, settings);
    } catch (const std::exception& error) {
      std::cerr << file << ": " << error.what() << "\n";
      failed = 1;
    }
  }
  return failed;
}
