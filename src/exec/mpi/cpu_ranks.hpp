// exec/mpi/cpu_ranks.hpp -- the CPU backend of a rank: solves with its parts of both triangles,
// with messages over MPI.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "distributed/rank_backend.hpp"
#include "exec/mpi/mpi_exchange.hpp"

namespace echelon {

template <Scalar T>
class CpuRanks final : public RankBackend<T> {
 public:
  CpuRanks(Communicator& comm, const std::vector<RankShare>& shares, const MpiOptions& options)
      : comm_(comm), options_(options), part_(shares.size()) {
    for (std::size_t k = 0; k < shares.size(); ++k) part_[k].plan = shares[k].plan;
  }

  void pack(Index part, const FillRows<T>& fill, const NumericOptions& o) override {
    Part& p = part_[part];
    pack_local(*p.plan, fill, o, p.values, comm_.threads());
  }
  void open() override {
    if (exchange_) return;  // new values replace the old ones in place
    std::vector<const LocalPlan*> plans;
    comm_.all_succeed([&] {
      for (Part& p : part_) {
        plans.push_back(p.plan);
        p.pass = std::make_unique<RankPass<T>>(*p.plan, p.values, options_.ranks.rhs_per_pass);
      }
    });
    comm_.all_succeed([&] {
      exchange_ = make_exchange<T>(options_.engine, comm_, plans, options_.ranks.rhs_per_pass,
                                   options_.shake_us);
    });
    comm_.all_succeed([&] { exchange_->open(); });
  }

  T* right(Index part) const override { return part_[part].pass->right(); }
  T* answer(Index part) const override { return part_[part].pass->answer(); }
  void run(Index part, Sweep sweep, Index count) override try {
    exchange_->begin(part, sweep, count);
    if (trace_ != nullptr) meet();
    const std::size_t first = trace_ != nullptr ? trace_->size() : 0;
    const double began_s = clock_.seconds();
    part_[part].pass->run(sweep, count, *exchange_);
    exchange_->end();
    if (trace_ == nullptr) return;
    for (std::size_t k = first; k < trace_->size(); ++k) {
      (*trace_)[k].begin_s += began_s;
      (*trace_)[k].end_s += began_s;
    }
  } catch (...) {
    comm_.set_broken();  // other ranks may be inside the pass
    throw;
  }

  void trace(Timeline* out) override {
    trace_ = out;
    for (Part& p : part_) p.pass->trace(out);
  }

  PassTimes times() const override {
    PassTimes all;
    for (const Part& p : part_) {
      const PassTimes t = p.pass->times();
      all = {all.compute_s + t.compute_s, all.all_s + t.all_s, all.messages + t.messages,
             all.numbers + t.numbers};
    }
    return all;
  }
  Offset stored_bytes() const override {
    Offset bytes = 0;
    for (const Part& p : part_)
      bytes +=
          p.values.diagonals.panel_bytes() + static_cast<Offset>(p.values.value.size() * sizeof(T));
    return bytes;
  }
  Offset window_bytes() const override { return exchange_->window_bytes(); }
  Index uninverted_blocks() const override {
    Index kept = 0;
    for (const Part& p : part_) kept += p.values.diagonals.uninverted_blocks;
    return kept;
  }

 private:
  // Synchronizes the ranks, so that their clocks start at the same time.
  void meet() {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(comm_.get(), &request), "MPI_Ibarrier");
    comm_.wait(request, "all ranks, before a pass that is traced");
    if (trace_->empty()) clock_ = {};
  }

  struct Part {
    const LocalPlan* plan = nullptr;
    LocalValues<T> values;
    std::unique_ptr<RankPass<T>> pass;
  };

  Communicator& comm_;
  MpiOptions options_;
  std::vector<Part> part_;
  std::unique_ptr<MpiExchange<T>> exchange_;
  Timeline* trace_ = nullptr;
  Timer clock_;  // since the first traced pass
};

}  // namespace echelon
