// bindings/c/mpi.cpp -- a solver on MPI ranks behind a C handle.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/mpi.hpp"

#include <functional>
#include <new>
#include <optional>
#include <utility>

#include "direct_options.hpp"
#include "echelon_mpi.h"
#include "handles.hpp"
#include "report.hpp"

namespace echelon::c {
namespace {

using RankSolverOptions = FactoringOptions<MpiOptions>;

void field_spread(FieldFinder& field, const std::string& name, const Spread& s) {
  field(name + ".least", s.least);
  field(name + ".mean", s.mean);
  field(name + ".most", s.most);
}

}  // namespace

// The names are those of C++.
#define ECHELON_FIELD(x) field(#x, r.x)
#define ECHELON_SPREAD(x) field_spread(field, #x, r.x)
static void visit_report(const MpiReport& r, FieldFinder& field) {
  ECHELON_FIELD(n);
  ECHELON_FIELD(nnz);
  ECHELON_FIELD(method);
  ECHELON_FIELD(reason);
  ECHELON_FIELD(ranks);
  ECHELON_FIELD(tree);
  ECHELON_FIELD(mapping);
  ECHELON_FIELD(package);
  ECHELON_FIELD(kind);
  ECHELON_FIELD(ordering);
  ECHELON_FIELD(supernodes);
  ECHELON_FIELD(levels);
  ECHELON_FIELD(entries);
  ECHELON_FIELD(uninverted_blocks);
  ECHELON_FIELD(analysis_s);
  ECHELON_FIELD(setup_s);
  ECHELON_FIELD(bytes);
  ECHELON_SPREAD(stored_bytes);
  ECHELON_SPREAD(window_bytes);
  ECHELON_FIELD(solves);
  ECHELON_SPREAD(solve_s);
  ECHELON_SPREAD(messages);
  ECHELON_SPREAD(message_bytes);
  ECHELON_FIELD(engine);
  ECHELON_SPREAD(compute_s);
  ECHELON_SPREAD(communicate_s);
}
#undef ECHELON_FIELD
#undef ECHELON_SPREAD

namespace {

// Collective.  Runs f on each rank; if it throws on some, throws the error of the lowest on all.
void agree(MPI_Comm comm, const std::function<void()>& f) {
  int failed = 0, rank = 0, ranks = 1;
  std::string text;
  try {
    f();
  } catch (const Error& error) {
    failed = static_cast<int>(error.code());
    text = error.what();
  } catch (const std::bad_alloc&) {
    failed = static_cast<int>(ErrorCode::out_of_memory);
  } catch (const std::exception& error) {
    failed = static_cast<int>(ErrorCode::backend_failed);
    text = error.what();
  }
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int mine = failed != 0 ? rank : ranks;
  int first = ranks;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return;
  int facts[2] = {failed, static_cast<int>(text.size())};
  MPI_Bcast(facts, 2, MPI_INT, first, comm);
  if (facts[0] == static_cast<int>(ErrorCode::out_of_memory) && facts[1] == 0)
    throw Error(ErrorCode::out_of_memory,
                "rank " + std::to_string(first) + ": memory could not be allocated");
  text.resize(static_cast<std::size_t>(facts[1]));
  MPI_Bcast(text.data(), facts[1], MPI_CHAR, first, comm);
  throw Error(static_cast<ErrorCode>(facts[0]), text);
}

// A communicator of the door's own: its messages cannot be mistaken for the caller's.
class OwnComm {
 public:
  explicit OwnComm(MPI_Comm comm) { MPI_Comm_dup(comm, &comm_); }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  ~OwnComm() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Comm_free(&comm_);
  }
  MPI_Comm get() const { return comm_; }
  bool is_root() const {
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    return rank == 0;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// Throws bad_argument on all ranks unless `number`, which `what` describes, is the same on all.
void agree_on(MPI_Comm comm, int number, const char* what) {
  const int mine[2] = {number, -number};
  int most[2] = {};
  MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, comm);
  if (most[0] != -most[1]) refuse(std::string("the ranks give different ") + what);
}

// What rank 0 factors, or has as factors.
struct Given {
  bool is_factored = false;  // l and u are given, not a
  const echelon_matrix* a = nullptr;
  const echelon_matrix* l = nullptr;
  const echelon_matrix* u = nullptr;
};

template <Scalar T>
class RankSolver final : public AnySolver {
 public:
  RankSolver(std::unique_ptr<OwnComm> comm, const Given& given, const char* package,
             const char* options)
      : own_comm_(std::move(comm)), comm_(*own_comm_) {
    agree(comm_.get(), [&] {
      if (given.is_factored) {
        read_settings(options, options_.solver);
      } else {
        package_ = package_given(package);
        options_.factor = factor_defaults(package_);
        read_settings(options, options_);
      }
      factor(given);
    });
    solver_.emplace(comm_.get(), factors_ ? &*factors_ : nullptr, options_.solver);
    factors_.reset();
  }

  const char* kind() const override { return "a solver on MPI ranks"; }
  echelon_type type() const override { return type_of<T>(); }
  Index n() const override { return rows().end - rows().begin; }
  RowRange rows() const { return solver_->rows(); }
  std::unique_ptr<Space> make_space() const override { return nullptr; }
  void check_call(const Call& call) const override {
    refuse_sweeps(kind(), call);
    if (call.threads != 0) refuse("a rank has one thread; leave threads=0");
  }
  void solve(Space*, const Call& call, const void* b, void* x) const override {
    solver_->solve(right_sides<T>(call, n(), b), answers<T>(call, n(), x), solve_options<T>(call));
  }
  void update(const echelon_matrix* a) override {
    agree(comm_.get(), [&] {
      if (package_.empty())
        refuse("this solver has the caller's L and U: use echelon_update_factors");
      factor({.a = a});
    });
    update_ranks();
  }
  void update_factors(const echelon_matrix* l, const echelon_matrix* u) override {
    agree(comm_.get(), [&] {
      if (!package_.empty())
        refuse("this solver factors with " + package_ + ": use echelon_update");
      factor({.is_factored = true, .l = l, .u = u});
    });
    update_ranks();
  }
  std::string field(const std::string& name, double* number) const override {
    return find_field(solver_->report(), name, number);
  }
  std::string report() const override { return report_text(solver_->report()); }

 private:
  void factor(const Given& g) {
    factors_.reset();
    if (!comm_.is_root()) {
      if (g.a != nullptr || g.l != nullptr || g.u != nullptr)
        refuse("only rank 0 gives a matrix; the others give NULL");
      return;
    }
    if (package_.empty())
      factors_ = factors_given<T>(g.l, g.u);
    else
      factors_ = factor_matrix<T>(g.a, "of rank 0", package_, options_.factor);
  }
  void update_ranks() {
    solver_->update(factors_ ? &*factors_ : nullptr);
    factors_.reset();
  }

  std::unique_ptr<OwnComm> own_comm_;
  OwnComm& comm_;
  std::string package_;  // empty: the factors are the caller's
  RankSolverOptions options_;
  std::optional<Factors<T>> factors_;  // on rank 0, until they are distributed
  std::optional<MpiSolver<T>> solver_;
};

echelon_status create_on_ranks(echelon_solver** out, MPI_Comm comm, echelon_type type,
                               const Given& given, const char* package, const char* options) {
  Index base = base_of(given.a != nullptr ? given.a : given.l);
  echelon_solver* made = nullptr;  // a rank without a place for it has to take part
  const echelon_status status = create_solver(&made, base, [&] {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized == 0) refuse("MPI is not initialized; call MPI_Init first");
    if (comm == MPI_COMM_NULL) refuse("the communicator is MPI_COMM_NULL");
    auto own = std::make_unique<OwnComm>(comm);
    MPI_Bcast(&base, 1, MPI_INT, 0, own->get());  // errors count as the matrix of rank 0 does
    agree(own->get(), [&] {
      if (out == nullptr) refuse("the place for the new solver is NULL");
      with_type(type, []<class T>() {});
    });
    agree_on(own->get(), static_cast<int>(type), "types of values");
    agree_on(own->get(), given.is_factored ? 1 : 0, "kinds of input: one a matrix, one factors");
    return with_type(type, [&]<class T>() -> std::unique_ptr<AnySolver> {
      return std::make_unique<RankSolver<T>>(std::move(own), given, package, options);
    });
  });
  if (out != nullptr) *out = made;
  return status;
}

}  // namespace
}  // namespace echelon::c

using namespace echelon;
using namespace echelon::c;

echelon_status echelon_create_mpi(echelon_solver** out, MPI_Comm comm, echelon_type type,
                                  const echelon_matrix* a, const char* package,
                                  const char* options) {
  return create_on_ranks(out, comm, type, {.a = a}, package, options);
}

echelon_status echelon_create_mpi_factors(echelon_solver** out, MPI_Comm comm, echelon_type type,
                                          const echelon_matrix* l, const echelon_matrix* u,
                                          const char* options) {
  return create_on_ranks(out, comm, type, {.is_factored = true, .l = l, .u = u}, nullptr, options);
}

echelon_status echelon_mpi_rows(echelon_solver* solver, int64_t* begin, int64_t* end) {
  Slot* const slot = solver == nullptr ? nullptr : &solver->shared->slot;
  return guard(slot, 0, [&] {
    if (solver == nullptr) refuse("the solver is NULL");
    if (begin == nullptr || end == nullptr) refuse("the place for the rows is NULL");
    const RowRange rows = with_type(solver->shared->any->type(), [&]<class T>() {
      const auto* const ranks = dynamic_cast<const RankSolver<T>*>(solver->shared->any.get());
      if (ranks == nullptr)
        refuse(std::string(solver->shared->any->kind()) + " has all rows; MPI solvers have parts");
      return ranks->rows();
    });
    *begin = rows.begin;
    *end = rows.end;
  });
}
