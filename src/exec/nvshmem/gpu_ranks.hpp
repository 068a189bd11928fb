// exec/nvshmem/gpu_ranks.hpp -- the GPU backend of a rank: solves with its parts of both triangles.
// SPDX-License-Identifier: BSD-3-Clause
//
// Way out.  A kernel that waits past its deadline gives up, and its PE throws.  All PEs synchronize
// after each run and throw the error of the lowest failed PE; a PE that does not arrive is named
// after the timeout.
#pragma once

#include "distributed/rank_backend.hpp"
#include "echelon/device.hpp"
#include "exec/nvshmem/pe_pass.hpp"

namespace echelon {

template <Scalar T>
class GpuRanks final : public RankBackend<T> {
 public:
  GpuRanks(std::shared_ptr<Pe> pe, const std::vector<RankShare>& shares, Design design,
           const NvshmemOptions& options)
      : pe_(std::move(pe)),
        options_(options),
        part_(shares.size()),
        one_clock_(pe_->on_this_device() == pe_->size()) {
    comm().all_succeed([&] {
      for (std::size_t k = 0; k < shares.size(); ++k) {
        const LocalPlan& plan = *shares[k].plan;
        const PeShare share{*shares[k].supernodes, plan, options_.ranks.rhs_per_pass, options_};
        part_[k].pass = design == Design::coupled ? make_coupled_pass<T>(*pe_, share)
                                                  : make_persistent_pass<T>(*pe_, share);
        for (const Way way : {Way::forwards, Way::backwards})
          part_[k].sent[static_cast<int>(way)] = count_sent(plan, way);
      }
    });
  }

  ~GpuRanks() override {
    const DeviceScope there(pe_->gpu());
    part_.clear();
  }

  bool wants_diagonals() const override { return part_.front().pass->wants_diagonals(); }
  void pack(Index part, const FillRows<T>& fill, const NumericOptions& o) override {
    part_[part].pass->pack(fill, o, comm().threads());
  }
  void open() override {
    comm().all_succeed([&] {
      for (const Part& p : part_) p.pass->open();
    });
  }

  T* right(Index part) const override { return part_[part].pass->right(); }
  T* answer(Index part) const override { return part_[part].pass->answer(); }
  void run(Index part, Way way, Index count) override {
    PePass<T>& pass = *part_[part].pass;
    if (!pass.is_prepared(way, count)) comm().all_succeed([&] { pass.prepare(way, count); });
    run_prepared(part, way, count);
  }

  PassTimes times() const override {
    PassTimes all{0, 0, messages_, numbers_};
    for (const Part& p : part_) all.all_s += p.pass->kernel_s();
    return all;
  }
  Offset stored_bytes() const override { return sum(&PePass<T>::stored_bytes); }
  Offset window_bytes() const override { return sum(&PePass<T>::symmetric_bytes); }
  // Sum over all runs of the time from the last PE's start to the last PE's end; 0 if the PEs do
  // not share one GPU and its clock.
  double span_s() const { return span_s_; }
  Index blocks() const { return part_.front().pass->blocks(); }
  Index uninverted_blocks() const override {
    return static_cast<Index>(sum(&PePass<T>::uninverted_blocks));
  }

 private:
  struct Sent {
    Offset messages = 0, numbers = 0;
  };
  struct Part {
    std::unique_ptr<PePass<T>> pass;
    Sent sent[2];  // by direction, for one right-hand side
  };

  Communicator& comm() const { return pe_->comm(); }
  static Sent count_sent(const LocalPlan& plan, Way way) {
    const Traffic sent = count_traffic(plan, way).sent;
    Sent all;
    for (const Index messages : sent.messages) all.messages += messages;
    for (const Offset numbers : sent.numbers) all.numbers += numbers;
    return all;
  }
  void note_span(const typename PePass<T>::Clock& mine) {
    std::int64_t last[2] = {static_cast<std::int64_t>(mine.began),
                            static_cast<std::int64_t>(mine.ended)};
    comm().reduce(last, MPI_MAX, "the clocks of all PEs");
    span_s_ += static_cast<double>(last[1] - last[0]) * 1e-9;
  }
  void run_prepared(Index part, Way way, Index count) try {
    const auto here = [&] { run_here(part, way, count); };
    comm().all_succeed(std::ref(here));  // std::ref avoids an allocation
    if (one_clock_) note_span(part_[part].pass->clock());
    const Sent& sent = part_[part].sent[static_cast<int>(way)];
    messages_ += sent.messages;
    numbers_ += sent.numbers * count;
  } catch (...) {
    comm().set_broken();  // the state in GPU memory is unusable for later runs
    throw;
  }
  void run_here(Index part, Way way, Index count) try {
    part_[part].pass->run(way, count);
  } catch (const AgreedError&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.code(), "PE " + std::to_string(pe_->rank()) + ": " + error.what());
  }
  template <class Number>
  Offset sum(Number (PePass<T>::*what)() const) const {
    Offset all = 0;
    for (const Part& p : part_) all += (p.pass.get()->*what)();
    return all;
  }

  std::shared_ptr<Pe> pe_;
  NvshmemOptions options_;
  std::vector<Part> part_;
  Offset messages_ = 0, numbers_ = 0;
  bool one_clock_;
  double span_s_ = 0;
};

}  // namespace echelon
