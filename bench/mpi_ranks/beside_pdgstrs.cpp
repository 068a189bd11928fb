// bench/mpi_ranks/beside_pdgstrs.cpp -- times SuperLU_DIST's triangular solve, pdgstrs, and ours
// with the same distributed factors on the same grid of ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Run:  mpirun -n 2 beside_pdgstrs elasticity3d:20 --grid 2x1 --repeat 20 [--nrhs 1] [--diag-inv]
// One JSON line.  All contenders run in turn, repeatedly; a time is the median over the slowest
// rank's times.  Each takes b by rows and returns x by rows, so all times include the transfer to
// the diagonal blocks and back.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "echelon/generate.hpp"
#include "echelon/mpi.hpp"
#include "echelon/superlu_dist.hpp"
#include "support/clock.hpp"

// After the standard headers: it defines macros with common names, such as fma.
#include <superlu_ddefs.h>

namespace {

using echelon::Index;
using echelon::Offset;

struct Job {
  std::string matrix;
  int rows = 1, cols = 1;
  int repeat = 20;
  int nrhs = 1;
  bool diag_inv = false;  // solve with inverted diagonal blocks
};

bool read_arguments(int argc, char** argv, Job& job) {
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const char* const next = k + 1 < argc ? argv[k + 1] : "";
    if (word == "--diag-inv") {
      job.diag_inv = true;
    } else if (word == "--grid") {
      if (std::sscanf(next, "%dx%d", &job.rows, &job.cols) != 2) return false;
      ++k;
    } else if (word == "--repeat" || word == "--nrhs") {
      (word == "--nrhs" ? job.nrhs : job.repeat) = std::atoi(next);
      ++k;
    } else {
      job.matrix = word;
    }
  }
  return !job.matrix.empty() && job.repeat > 0 && job.nrhs > 0;
}

// The rows of A on this rank; SuperLU_DIST scales and permutes them in place.
struct Share {
  Index begin, end;
  std::vector<int_t> start, index;
  std::vector<double> value;
  SuperMatrix matrix;

  Share(const echelon::Csr<double>& a, int rank, int ranks)
      : begin(a.rows / ranks * rank), end(rank + 1 == ranks ? a.rows : begin + a.rows / ranks) {
    const Offset from = a.start[begin], to = a.start[end];
    for (Index i = begin; i <= end; ++i) start.push_back(static_cast<int_t>(a.start[i] - from));
    index.assign(a.index.begin() + from, a.index.begin() + to);
    value.assign(a.value.begin() + from, a.value.begin() + to);
    dCreate_CompRowLoc_Matrix_dist(&matrix, a.rows, a.rows, static_cast<int_t>(to - from), height(),
                                   begin, value.data(), index.data(), start.data(), SLU_NR_loc,
                                   SLU_D, SLU_GE);
  }
  int_t height() const { return end - begin; }
};

// The largest |b - A x| / (|A||x| + |b|) for b = 1, where x is rows [begin, end) of one solution.
double backward_error(const echelon::Csr<double>& a, Index begin, Index end, const double* x) {
  std::vector<double> mine(static_cast<std::size_t>(a.rows)), all(mine.size());
  std::copy_n(x, end - begin, mine.begin() + begin);
  MPI_Allreduce(mine.data(), all.data(), a.rows, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double worst = 0;
  for (Index i = 0; i < a.rows; ++i) {
    double residual = 1, size = 1;
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      residual -= a.value[p] * all[a.index[p]];
      size += std::abs(a.value[p] * all[a.index[p]]);
    }
    const double error = std::abs(residual) / size;
    worst = error <= worst ? worst : error;  // also for NaN
  }
  return worst;
}

// SuperLU_DIST's state after a factorization.
struct Factored {
  superlu_dist_options_t options;
  gridinfo_t grid;
  dScalePermstruct_t frame;
  dLUstruct_t lu;
  dSOLVEstruct_t solve;
  SuperLUStat_t stat;
  int info = 0;

  // Also solves once, which initializes SuperLU_DIST's solve structures.
  Factored(const Job& job, Share& share, Index n) {
    superlu_gridinit(MPI_COMM_WORLD, job.rows, job.cols, &grid);
    set_default_options_dist(&options);
    options.ColPerm = METIS_AT_PLUS_A;
    options.RowPerm = NOROWPERM;
    options.IterRefine = NOREFINE;
    options.PrintStat = NO;
    options.DiagInv = job.diag_inv ? YES : NO;
    dScalePermstructInit(n, n, &frame);
    dLUstructInit(n, &lu);
    PStatInit(&stat);
    std::vector<double> x(static_cast<std::size_t>(share.height()) * job.nrhs, 1.);
    std::vector<double> error(static_cast<std::size_t>(job.nrhs));
    pdgssvx(&options, &share.matrix, &frame, x.data(), share.height(), job.nrhs, &grid, &lu, &solve,
            error.data(), &stat, &info);
  }
};

// The seconds of one call on the slowest rank; x is overwritten by the solution in factor order.
double time_solve(const Job& job, const Share& share, Index n, Factored& f,
                  std::vector<double>& x) {
  const bool scaled = f.frame.DiagScale == ROW || f.frame.DiagScale == BOTH;
  for (int k = 0; k < job.nrhs; ++k)
    for (Index i = share.begin; i < share.end; ++i)
      x[Offset{k} * share.height() + i - share.begin] = scaled ? f.frame.R[i] : 1;
  MPI_Barrier(MPI_COMM_WORLD);
  const double mine = echelon::bench::time_of([&] {
    pdgstrs(&f.options, n, &f.lu, &f.frame, &f.grid, x.data(), share.height(), share.begin,
            share.height(), job.nrhs, &f.solve, &f.stat, &f.info);
  });
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

// Echelon with the same factors.
class Ours {
 public:
  Ours(const Job& job, Index n, const Factored& f, echelon::Engine engine, int rank, int ranks)
      : engine_(engine),
        nrhs_(job.nrhs),
        factors_(echelon::load_superlu_dist<double>(MPI_COMM_WORLD, &f.lu, &f.frame, &f.grid, n)),
        map_(echelon::superlu_dist_map(&f.grid, factors_.lower.count())),
        solver_(MPI_COMM_WORLD, factors_,
                {.ranks = {.vectors = echelon::Placement::ranges}, .engine = engine}, &map_),
        mine_(echelon::row_range(n, rank, ranks, echelon::Placement::ranges)),
        b_(static_cast<std::size_t>(height()) * job.nrhs, 1.),
        x_(b_.size()) {}

  double time() {
    MPI_Barrier(MPI_COMM_WORLD);
    const double mine = echelon::bench::time_of([&] {
      solver_.solve(echelon::Vectors<const double>(b_.data(), height(), nrhs_),
                    echelon::Vectors<double>(x_.data(), height(), nrhs_));
    });
    double slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    times_.push_back(slowest);
    return slowest;
  }
  // Discards the warm-up.
  void start() {
    time();
    solver_.report();
    times_.clear();
  }
  double error(const echelon::Csr<double>& a) const {
    return backward_error(a, mine_.begin, mine_.end, x_.data());
  }
  void write(std::ostream& out, double theirs) {
    const echelon::MpiReport r = solver_.report();
    const double median = echelon::bench::middle(times_);
    out << ", \"" << name(engine_) << "\": {\"median_s\": " << median
        << ", \"min_s\": " << *std::min_element(times_.begin(), times_.end())
        << ", \"times_faster\": " << theirs / median
        << ", \"communication_share\": " << r.communicate_s.mean / r.solve_s.mean
        << ", \"compute_s\": [" << r.compute_s.least / job_solves(r) << ", "
        << r.compute_s.mean / job_solves(r) << ", " << r.compute_s.most / job_solves(r)
        << "], \"communicate_s\": [" << r.communicate_s.least / job_solves(r) << ", "
        << r.communicate_s.mean / job_solves(r) << ", " << r.communicate_s.most / job_solves(r)
        << "], \"messages\": " << r.messages.mean * r.ranks / job_solves(r)
        << ", \"message_bytes\": " << r.message_bytes.mean * r.ranks / job_solves(r) << "}";
  }

 private:
  Index height() const { return mine_.end - mine_.begin; }
  double job_solves(const echelon::MpiReport& r) const {
    return static_cast<double>(r.solves) / nrhs_;
  }

  echelon::Engine engine_;
  int nrhs_;
  echelon::RankFactors<double> factors_;
  echelon::BlockMap map_;
  echelon::MpiSolver<double> solver_;
  echelon::RowRange mine_;
  std::vector<double> b_, x_, times_;
};

int run(const Job& job, int rank, int ranks) {
  const auto a = echelon::generate<double>(job.matrix);
  Share share(a, rank, ranks);
  Factored f(job, share, a.rows);
  if (f.info != 0) return 1;
  const Index supernodes = static_cast<Index>(f.lu.Glu_persist->supno[a.rows - 1]) + 1;

  std::vector<double> x(static_cast<std::size_t>(share.height()) * job.nrhs), answer(x);
  time_solve(job, share, a.rows, f, x);
  pdPermute_Dense_Matrix(share.begin, share.height(), f.solve.row_to_proc, f.solve.inv_perm_c,
                         x.data(), share.height(), answer.data(), share.height(), job.nrhs,
                         &f.grid);
  if (f.frame.DiagScale == COL || f.frame.DiagScale == BOTH)
    for (Index i = share.begin; i < share.end; ++i) answer[i - share.begin] *= f.frame.C[i];
  double error = backward_error(a, share.begin, share.end, answer.data());

  std::vector<std::unique_ptr<Ours>> ours;
  for (const echelon::Engine engine :
       {echelon::Engine::payload, echelon::Engine::counter, echelon::Engine::two_sided})
    ours.push_back(std::make_unique<Ours>(job, a.rows, f, engine, rank, ranks));
  for (auto& contender : ours) {
    contender->start();
    error = std::max(error, contender->error(a));
  }
  std::vector<double> times;
  for (int k = 0; k < job.repeat; ++k) {
    times.push_back(time_solve(job, share, a.rows, f, x));
    for (auto& contender : ours) contender->time();
  }
  const double theirs = echelon::bench::middle(times);
  std::ostringstream line;
  line << "{\"matrix\": \"" << job.matrix << "\", \"n\": " << a.rows << ", \"grid\": \"" << job.rows
       << "x" << job.cols << "\", \"nrhs\": " << job.nrhs
       << ", \"diag_inv\": " << (job.diag_inv ? "true" : "false")
       << ", \"supernodes\": " << supernodes << ", \"repeat\": " << job.repeat
       << ", \"pdgstrs\": {\"median_s\": " << theirs
       << ", \"min_s\": " << *std::min_element(times.begin(), times.end()) << "}";
  for (auto& contender : ours) contender->write(line, theirs);
  line << ", \"backward_error\": " << error << "}";
  if (rank == 0) std::cout << line.str() << std::endl;
  return error < 1e-10 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, rank = 0, ranks = 1, failed = 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Job job;
  if (read_arguments(argc, argv, job) && job.rows * job.cols == ranks)
    failed = run(job, rank, ranks);
  else if (rank == 0)
    std::cerr << "usage: mpirun -n RANKS beside_pdgstrs MATRIX [--grid ROWSxCOLS] [--repeat 20] "
                 "[--nrhs 1] [--diag-inv]\n";
  MPI_Finalize();
  return failed;
}
