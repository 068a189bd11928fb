// exec/mpi/mpi_machine.hpp -- both triangles of a rank on its CPU, with MPI for the messages.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/mpi/mpi_exchange.hpp"
#include "exec/mpi/rank_machine.hpp"

namespace echelon {

template <Scalar T>
class MpiMachine final : public RankMachine<T> {
 public:
  MpiMachine(Communicator& comm, const std::vector<RankShare>& shares, const MpiOptions& options)
      : comm_(comm), options_(options), part_(shares.size()) {
    for (std::size_t k = 0; k < shares.size(); ++k) part_[k].plan = shares[k].plan;
  }

  void pack(Index part, const FillRows<T>& fill, const NumericOptions& o) override {
    Part& p = part_[part];
    pack_local(*p.plan, fill, o, p.values, comm_.threads());
  }
  void open() override {
    if (exchange_) return;  // new values are where the old ones were
    std::vector<const LocalPlan*> plans;
    comm_.together([&] {
      for (Part& p : part_) {
        plans.push_back(p.plan);
        p.pass = std::make_unique<RankPass<T>>(*p.plan, p.values, options_.together);
      }
    });
    comm_.together([&] {
      exchange_ =
          make_exchange<T>(options_.engine, comm_, plans, options_.together, options_.shake_us);
    });
    comm_.together([&] { exchange_->open(); });
  }

  T* right(Index part) const override { return part_[part].pass->right(); }
  T* answer(Index part) const override { return part_[part].pass->answer(); }
  void run(Index part, Way way, Index count) override try {
    exchange_->begin(part, way, count);
    if (trace_ != nullptr) meet();
    const std::size_t first = trace_ != nullptr ? trace_->size() : 0;
    const double began_s = clock_.seconds();
    part_[part].pass->run(way, count, *exchange_);
    exchange_->end();
    if (trace_ == nullptr) return;
    for (std::size_t k = first; k < trace_->size(); ++k) {
      (*trace_)[k].begin_s += began_s;
      (*trace_)[k].end_s += began_s;
    }
  } catch (...) {
    comm_.set_broken();  // others are in the midst of it
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
  Index kept_triangles() const override {
    Index kept = 0;
    for (const Part& p : part_) kept += p.values.diagonals.kept_triangles;
    return kept;
  }

 private:
  // Clocks of ranks have nothing in common but when they were started.
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
  Timer clock_;  // since the first pass that was traced
};

}  // namespace echelon
