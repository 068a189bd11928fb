// bindings/python/src/cache.cpp -- solvers of spsolve_triangular, found again by their pattern.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A pattern is found by a fingerprint of its arrays; another fingerprint says whether the
// solver holds these values.  The first solver of a pattern is the plain sweep: the cheapest setup,
// and already faster than SciPy's.  A plan for all threads costs as much as some eight sweeps and
// saves a part of each, so it is made after eight solves (docs/decisions/0039-python-package.md).
//
// Protocol.  The list of entries is touched with the GIL held only.  The solver of an entry is used
// under its lock, without the GIL: shared while its values are those asked for, else alone.
#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "bind.hpp"
#include "echelon/solver.hpp"
#include "fingerprint.hpp"
#include "shared.hpp"

namespace echelon::python {
namespace {

struct Key {
  Fingerprint pattern;
  Index n = 0;
  char scalar = 0;
  bool lower = true, unit = false, columns = false;
  bool operator==(const Key&) const = default;
};

constexpr int sweeps_before_plan = 8;

struct Entry {
  Key key;
  std::shared_mutex lock;
  std::shared_ptr<void> solver;  // Solver<T>, T by key.scalar
  Fingerprint values;
  std::atomic<int> solves = 0;
  bool planned = false;
  std::atomic<Offset> bytes = 0;
};

struct Cache {
  std::list<std::shared_ptr<Entry>> entries;  // the last used first
  std::size_t limit = 8;
  Offset bytes_limit = Offset{1} << 30;
  long hits = 0, misses = 0;
};
Cache cache;  // touched with the GIL held only

Offset bytes_kept() {
  Offset sum = 0;
  for (const auto& entry : cache.entries) sum += entry->bytes;
  return sum;
}

// The entry used last stays, however large it is.
void trim() {
  while (cache.entries.size() > cache.limit ||
         (cache.entries.size() > 1 && bytes_kept() > cache.bytes_limit))
    cache.entries.pop_back();
}

std::size_t bytes_of_array(const Numbers& a) { return a.shape(0) * a.itemsize(); }

std::shared_ptr<Entry> find_entry(const Key& key) {
  for (auto at = cache.entries.begin(); at != cache.entries.end(); ++at)
    if ((*at)->key == key) {
      cache.entries.splice(cache.entries.begin(), cache.entries, at);
      ++cache.hits;
      return cache.entries.front();
    }
  ++cache.misses;
  auto entry = std::make_shared<Entry>();
  entry->key = key;
  cache.entries.push_front(entry);
  trim();
  return entry;
}

void drop_entry(const std::shared_ptr<Entry>& entry) { cache.entries.remove(entry); }

template <Scalar T>
Solver<T> make_solver(const PythonMatrix<T>& a, const Key& key, Method method) {
  const Options o{.method = method, .check_finite = false};
  return with_view<T>(a, [&](const auto& view) {
    const TriangleOptions how{.diagonal = key.unit ? Diagonal::unit : Diagonal::stored};
    return Solver<T>(triangle(view, key.lower ? Uplo::lower : Uplo::upper, how), o);
  });
}

// Threads of a plan, as an analysis finds them; OMP_NUM_THREADS may have changed.
Index usable_threads() {
  const Csr<double> one{1, 1, {0, 1}, {0}, {1.0}};
  return Analysis(lower(one), {.method = Method::level_row}).report().threads;
}

// Without the GIL, with the lock of the entry: its solver has these values afterwards.
template <Scalar T>
Solver<T>& prepare(Entry& entry, const PythonMatrix<T>& a, const Fingerprint& values) {
  const bool due = !entry.planned && entry.solves >= sweeps_before_plan;
  const bool plan = due && usable_threads() > 1;
  entry.planned = entry.planned || due;
  if (!entry.solver || plan) {
    auto solver = std::make_shared<Solver<T>>(
        make_solver(a, entry.key, plan ? Method::automatic : Method::serial));
    const auto& report = solver->report();
    entry.bytes = report.plan_bytes + static_cast<Offset>(sizeof(T)) * report.nnz;
    entry.solver = std::move(solver);
  } else if (!(entry.values == values)) {
    static_cast<Solver<T>*>(entry.solver.get())->update({a.value.data(), a.value.shape(0)});
  }
  entry.values = values;
  return *static_cast<Solver<T>*>(entry.solver.get());
}

// Without the GIL.
template <Scalar T>
void solve_entry(Entry& entry, const PythonMatrix<T>& a, const Vectors<const T>& b,
                 const Vectors<T>& x) {
  const Fingerprint values = fingerprint(a.value.data(), a.value.shape(0) * sizeof(T));
  {
    const std::shared_lock lock(entry.lock);
    const bool settled = entry.planned || entry.solves < sweeps_before_plan;
    if (entry.solver && settled && entry.values == values) {
      const auto& solver = *static_cast<const Solver<T>*>(entry.solver.get());
      auto space = solver.make_workspace();
      solver.solve(space, b, x);
      ++entry.solves;
      return;
    }
  }
  const std::unique_lock lock(entry.lock);
  prepare(entry, a, values).solve(b, x);
  ++entry.solves;
}

// False where the layout of b or x asks for a copy.
template <Scalar T>
bool solve_cached(const nb::tuple& matrix, bool lower, bool unit, const Input<T>& b,
                  const Output<T>& x) {
  const auto from = to_vectors<const T>(b);
  const auto to = to_vectors<T>(x);
  if (!from || !to || from->layout != to->layout) return false;
  const PythonMatrix<T> a = to_matrix<T>(matrix);
  Key key{{}, a.rows, *suffix<T>, lower, unit, a.order == Order::columns};
  {
    const nb::gil_scoped_release released;
    key.pattern = fingerprint(a.index.data(), bytes_of_array(a.index),
                              fingerprint(a.start.data(), bytes_of_array(a.start)));
  }
  const std::shared_ptr<Entry> entry = find_entry(key);
  try {
    const nb::gil_scoped_release released;
    solve_entry<T>(*entry, a, *from, *to);
  } catch (...) {
    drop_entry(entry);
    throw;
  }
  trim();
  return true;
}

void resize(std::size_t limit, Offset bytes) {
  cache.limit = limit;
  cache.bytes_limit = bytes;
  trim();
}

void clear() {
  cache.entries.clear();
  cache.hits = cache.misses = 0;
}

// In the child of fork(): locks of the parent's threads are never released, so the entries are
// left to themselves.
void forget() {
  new std::list<std::shared_ptr<Entry>>(std::move(cache.entries));
  cache.entries = {};
}

}  // namespace

void bind_cache(nb::module_& m) {
  m.def("cache_clear", &clear);
  m.def("cache_resize", &resize);
  m.def("cache_forget", &forget);
  m.def("cache_info", [] {
    return nb::make_tuple(cache.hits, cache.misses, cache.limit, cache.entries.size(),
                          cache.bytes_limit, bytes_kept());
  });
  m.def("fingerprint", [](const nb::ndarray<nb::ro, nb::device::cpu, nb::c_contig>& a) {
    const Fingerprint f = fingerprint(a.data(), a.nbytes());
    return nb::make_tuple(f.a, f.b);
  });
  for_scalars([&]<Scalar T>() {
    m.def((std::string("solve_cached_") + suffix<T>).c_str(), &solve_cached<T>, nb::arg("matrix"),
          nb::arg("lower"), nb::arg("unit"), nb::arg("b").noconvert(), nb::arg("x").noconvert());
  });
}

}  // namespace echelon::python
