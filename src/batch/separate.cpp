// batch/separate.cpp -- a batch as systems with a Solver each, solved one after the other.
// SPDX-License-Identifier: BSD-3-Clause
//
// For systems so large or so few that the threads of one solve have enough to do.  All solvers
// share the analysis.
#include "batch/separate.hpp"

#include <limits>
#include <optional>

#include "base/instantiate.hpp"
#include "base/refuse.hpp"

namespace echelon {
namespace {

template <class T>
struct SeparateSpace final : Workspace {
  Offset bytes() const override {
    Offset sum = 0;
    for (const auto& space : spaces)
      if (space) sum += space->bytes();
    return sum;
  }
  std::vector<std::optional<typename Solver<T>::Workspace>> spaces;
  std::vector<const Solver<T>*> made_by;  // of each workspace
  std::vector<SystemState> states;
};

// Whether the error is one of the system's numbers: all others stop the batch.
bool is_of_system(const Error& e) {
  return e.code() == ErrorCode::zero_diagonal || e.code() == ErrorCode::not_finite;
}

template <class T>
class SeparateBatch final : public BatchExecutor<T> {
 public:
  SeparateBatch(const Analysis& analysis, const TrianglePattern& t, Index count)
      : analysis_(analysis),
        read_as_(t),
        start_(t.stored.start.begin(), t.stored.start.end()),
        index_(t.stored.index.begin(), t.stored.index.end()),
        solvers_(static_cast<std::size_t>(count)),
        refused_(static_cast<std::size_t>(count)) {
    read_as_.stored.start = start_;
    read_as_.stored.index = index_;
  }

  void load(const StridedValues<T>& values) override {
    for (std::size_t k = 0; k < solvers_.size(); ++k) {
      const std::span<const T> own(values.data + static_cast<Offset>(k) * values.stride,
                                   index_.size());
      try {
        if (solvers_[k])
          solvers_[k]->update(own);
        else
          solvers_[k] = std::make_unique<Solver<T>>(analysis_, Triangle<T>{read_as_, own});
        refused_[k] = SystemState::solved;
      } catch (const Error& e) {
        if (!is_of_system(e)) throw;
        refused_[k] = e.code() == ErrorCode::zero_diagonal ? SystemState::zero_diagonal
                                                           : SystemState::bad_value;
      }
    }
  }
  const std::vector<SystemState>& refused() const override { return refused_; }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto space = std::make_unique<SeparateSpace<T>>();
    space->spaces.resize(solvers_.size());
    space->made_by.resize(solvers_.size());
    space->states.resize(solvers_.size());
    for (std::size_t k = 0; k < solvers_.size(); ++k) require_space(*space, k);
    return space;
  }

  void solve(const BatchJob<T>& job, Workspace& workspace) const override {
    auto& space = static_cast<SeparateSpace<T>&>(workspace);
    for (std::size_t k = 0; k < solvers_.size(); ++k) {
      const Index nrhs = job.x.count / static_cast<Index>(solvers_.size());
      const Index first = static_cast<Index>(k) * nrhs;
      const Vectors<T> x = job.x.slice(first, nrhs);
      space.states[k] = SystemState::solved;
      if (refused_[k] != SystemState::solved) {
        give_none(x);
        continue;
      }
      try {
        require_space(space, k);
        solvers_[k]->solve(
            *space.spaces[k], job.b.slice(first, nrhs), x,
            {.alpha = job.alpha, .op = job.op, .threads = job.threads, .stream = job.stream});
      } catch (const Error& e) {
        if (!is_of_system(e)) throw;
        space.states[k] = SystemState::bad_answer;
      }
    }
  }
  void add_states(const Workspace& workspace, std::span<SystemState> states) const override {
    const auto& own = static_cast<const SeparateSpace<T>&>(workspace).states;
    for (std::size_t k = 0; k < states.size(); ++k)
      if (states[k] == SystemState::solved) states[k] = own[k];
  }

  Index width() const override { return 1; }
  Offset bytes() const override {
    return sum([](const SolverReport& r) { return r.bytes; });
  }

 private:
  // A system that was refused when the workspace was made has got a solver since.
  void require_space(SeparateSpace<T>& space, std::size_t k) const {
    if (solvers_[k].get() == space.made_by[k]) return;
    space.spaces[k].emplace(solvers_[k]->make_workspace());
    space.made_by[k] = solvers_[k].get();
  }
  static void give_none(const Vectors<T>& x) {
    for (Index c = 0; c < x.count; ++c)
      for (Index i = 0; i < x.n; ++i)
        x.data[i * x.step() + c * x.stride()] = T(std::numeric_limits<Real<T>>::quiet_NaN());
  }
  template <class Field>
  Offset sum(const Field& field) const {
    Offset all = 0;
    for (const auto& solver : solvers_)
      if (solver) all += field(solver->report());
    return all;
  }

  Analysis analysis_;
  TrianglePattern read_as_;
  Buffer<Offset> start_;
  Buffer<Index> index_;
  std::vector<std::unique_ptr<Solver<T>>> solvers_;
  std::vector<SystemState> refused_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<BatchExecutor<T>> make_separate_batch(const Analysis& analysis,
                                                      const TrianglePattern& t, Index count) {
  return std::make_unique<SeparateBatch<T>>(analysis, t, count);
}

#define ECHELON_INSTANTIATE(T)                                                    \
  template std::unique_ptr<BatchExecutor<T>> make_separate_batch(const Analysis&, \
                                                                 const TrianglePattern&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
