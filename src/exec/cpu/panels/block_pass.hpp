// exec/cpu/panels/block_pass.hpp -- the steps of a supernodal solve for a few right-hand sides:
// fetch, diagonal, product, sum.  The executor schedules them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Forwards, with N.  fetch: a task's own unknowns are the right-hand side plus the contributions of
// earlier tasks.  push: x = D^-1 own goes to the answer, -P x to the rows outside (or, in a task of
// several supernodes, to those rows' places inside the task).
// Backwards, with N'.  fetch: the right-hand side, and the negated answers outside.  pull: x = D^-T
// (own + P' outside).
//
// A solve with conjugated N is a solve with N between conjugated vectors: only `fetch` and the last
// copy conjugate.
#pragma once

#include <algorithm>

#include "base/number.hpp"
#include "echelon/executor.hpp"
#include "exec/cpu/panels/diagonal_work.hpp"

namespace echelon {

template <Scalar T>
struct PassMemory {
  T* space;    // the tasks' vectors, one set per right-hand side
  T* answer;   // by position
  T* partial;  // pulling: partial sums of pieces
};

template <Scalar T, Scalar S, bool one>
class BlockPass : DiagonalWork<T, S, one> {
 public:
  BlockPass(const SolveJob<T>& job, const S* value, Index column, Index rhs_per_pass,
            PassMemory<T> memory)
      : Work(rhs_per_pass, job.plan.vector_unit),
        plan_(job.plan.blocks),
        nodes_(job.plan.blocks.supernodes),
        form_(job.blocks->form.data()),
        value_(value),
        alpha_(conjugate_if(job.op == Op::conjugate, job.alpha)),
        b_(job.b.data + column * job.b.stride()),
        b_step_(job.b.step()),
        b_stride_(job.b.stride()),
        conjugate_(job.op == Op::conjugate),
        space_(memory.space),
        space_size_(plan_.space()),
        answer_(memory.answer),
        partial_(memory.partial) {}

  // --- Whole tasks, by one thread.

  void push_task(Index t) const {
    clear_outside(t);
    Offset own = plan_.space_start[t];
    for (Index k = plan_.task_start[t]; k < plan_.task_start[t + 1]; ++k) {
      const Index s = plan_.order[k], w = nodes_.width(s);
      fetch_rows(nodes_.first[s], nodes_.first[s] + w, own, true);
      own += w;
    }
    own = plan_.space_start[t];
    for (Index k = plan_.task_start[t]; k < plan_.task_start[t + 1]; ++k) {
      const Panel p = panel(t, k, own);
      push_diagonal(p, 0, strip_count(p.w, p.h));
      push_strips(p, 0, strip_count(p.w, p.h));
      own += p.w;
    }
  }

  void pull_task(Index t) const {
    fetch_outside(t, 0, plan_.outside_start[t + 1] - plan_.outside_start[t]);
    Offset own = plan_.space_start[t] + plan_.own[t];
    const bool several = plan_.task_start[t + 1] - plan_.task_start[t] > 1;
    for (Index k = plan_.task_start[t + 1]; k-- > plan_.task_start[t];) {
      own -= nodes_.width(plan_.order[k]);
      Panel p = panel(t, k, own);
      p.ahead = pull_ahead(t, k);
      fetch_rows(p, 0, p.w, false);
      pull_whole(p);
      pull_diagonal(p, 0, p.w);
      if (several)  // the panels before read the negated answers here
        for (Index v = 0; v < count(); ++v)
          for (Index j = 0; j < p.w; ++j) own_at(p, v)[j] = -answer_at(p, v)[j];
    }
  }

  // --- Pieces of a task of one supernode, shared by many threads.  All threads wait between the
  // steps.  Pushing: fetch; the diagonal, unless the panel is BlockForm::inverse; the product.
  // Pulling: fetch; the product, piece by piece; the sum of the pieces; the diagonal.

  void push_fetch(Index t, Index begin, Index end) const {
    fetch_rows(only_panel(t), begin, end, true);
  }
  void push_diagonal(Index t, Index strip, Index end) const {
    push_diagonal(only_panel(t), strip, end);
  }
  void push_product(Index t, Index strip, Index end) const {
    push_strips(only_panel(t), strip, end);
  }
  // Rows are numbered through the own rows and then the rows outside.
  void pull_fetch(Index t, Index begin, Index end) const {
    const Panel p = only_panel(t);
    fetch_rows(p, std::min(begin, p.w), std::min(end, p.w), false);
    fetch_outside(t, std::max(begin, p.w) - p.w, std::max(end, p.w) - p.w);
  }
  void pull_product(Index t, Index strip, Index end, Index piece) const {
    const Panel p = only_panel(t);
    T* const sum = partial_ + plan_.partial_start[piece] * count();
    std::fill_n(sum, Offset{count()} * p.w, T(0));
    pull_strips(p, strip, end, sum, p.w);
  }
  void pull_sum(Index t, Index column, Index end) const {
    const Panel p = only_panel(t);
    const bool inverse = p.form == BlockForm::inverse;
    for (Index v = 0; v < count(); ++v) {
      T* const out = inverse ? answer_at(p, v) : own_at(p, v);
      if (inverse) std::fill(out + column, out + end, T(0));
      for (Index c = plan_.by_rows.start[t]; c < plan_.by_rows.start[t + 1]; ++c) {
        const T* const sum = partial_ + plan_.partial_start[c] * count() + Offset{v} * p.w;
        for (Index j = column; j < end; ++j) out[j] += sum[j];
      }
    }
  }
  void pull_diagonal(Index t, Index column, Index end) const {
    pull_diagonal(only_panel(t), column, end);
  }
  BlockForm form(Index t) const { return form_[plan_.task_start[t]]; }

 private:
  using Work = DiagonalWork<T, S, one>;
  using typename Work::R;
  using typename Work::Rows;
  using Work::count, Work::get, Work::set, Work::plane;

  struct Panel {
    Index w, h, first;
    BlockForm form;
    const S* value;
    Offset own;          // start of its unknowns in the space
    Offset base;         // start of its task in the space
    const Index* local;  // places of the rows below, from base; null: consecutive from `below`
    Offset below;
    Offset ahead = panel_ahead;  // bytes from the read position to the prefetch position
  };

  Panel panel(Index t, Index k, Offset own) const {
    const Index s = plan_.order[k];
    const bool single = plan_.task_start[t + 1] - plan_.task_start[t] == 1;
    return {nodes_.width(s),
            nodes_.height(s),
            nodes_.first[s],
            form_[k],
            value_ + plan_.value_start[k],
            own,
            plan_.space_start[t],
            single ? nullptr : plan_.local.data() + plan_.local_start[k],
            plan_.space_start[t] + plan_.own[t]};
  }
  Panel only_panel(Index t) const { return panel(t, plan_.task_start[t], plan_.space_start[t]); }

  T* own_at(const Panel& p, Index v) const { return space_ + v * space_size_ + p.own; }
  T* answer_at(const Panel& p, Index v) const { return answer_ + Offset{v} * plan_.n + p.first; }

  // Panels are stored in push order, so when pulling, the next panel lies before this one.  In a
  // short panel, prefetch that one; in a long one, prefetch ahead in the panel itself.
  Offset pull_ahead(Index t, Index k) const {
    const Offset size = plan_.value_start[k + 1] - plan_.value_start[k];
    if (k == plan_.task_start[t] || size * Offset{sizeof(S)} > panel_ahead) return panel_ahead;
    return (plan_.value_start[k - 1] - plan_.value_start[k]) * Offset{sizeof(S)};
  }

  // --- Fetching.

  // Copies the right-hand sides of positions [first, last) to the space, from `own` on; forwards,
  // adds the contributions of other tasks.
  void fetch_rows(Index first, Index last, Offset own, bool forwards) const {
    const Offset step = plan_.reversed ? -b_step_ : b_step_;
    for (Index v = 0; v < count(); ++v) {
      const T* const b = b_ + v * b_stride_ + plan_.unknown(0) * b_step_;
      T* const out = space_ + v * space_size_ + own;
      for (Index k = first; k < last; ++k)
        out[k - first] = alpha_ * conjugate_if(conjugate_, b[k * step]);
      if (!forwards || plan_.fetch_start[first] == plan_.fetch_start[last]) continue;
      const T* const left = space_ + v * space_size_;
      for (Index k = first; k < last; ++k)
        for (Offset q = plan_.fetch_start[k]; q < plan_.fetch_start[k + 1]; ++q)
          out[k - first] += left[plan_.fetch[q]];
    }
  }
  void fetch_rows(const Panel& p, Index begin, Index end, bool forwards) const {
    if (begin < end) fetch_rows(p.first + begin, p.first + end, p.own + begin, forwards);
  }

  void fetch_outside(Index t, Offset begin, Offset end) const {
    const Index* const row = plan_.outside.data() + plan_.outside_start[t];
    for (Index v = 0; v < count(); ++v) {
      T* const out = space_ + v * space_size_ + plan_.space_start[t] + plan_.own[t];
      const T* const answer = answer_ + Offset{v} * plan_.n;
      for (Offset i = begin; i < end; ++i) out[i] = -answer[row[i]];
    }
  }

  void clear_outside(Index t) const {
    for (Index v = 0; v < count(); ++v)
      std::fill(space_ + v * space_size_ + plan_.space_start[t] + plan_.own[t],
                space_ + v * space_size_ + plan_.space_start[t + 1], T(0));
  }

  // --- Strips.

  // Stores the rows [from, to) of the strip: own rows to the answer, rows below to their places in
  // the space.
  void emit(const Panel& p, const Strip& s, Index from, Index to, const R* y) const {
    const Index end = std::min({s.begin + s.rows, p.w + p.h, to});
    for (Index v = 0; v < count(); ++v) {
      T* const answer = answer_at(p, v);
      T* const space = space_ + v * space_size_;
      Index i = std::max(s.begin, from);
      for (; i < std::min(end, p.w); ++i) answer[i] = get(y, v, i - s.begin);
      if (p.local)
        for (; i < end; ++i) space[p.base + p.local[i - p.w]] -= get(y, v, i - s.begin);
      else
        for (; i < end; ++i) space[p.below + i - p.w] = -get(y, v, i - s.begin);
    }
  }

  // The product with strips [begin, end): for BlockForm::inverse, of all rows with own; otherwise
  // of the rows below with the answer.
  void push_strips(const Panel& p, Index begin, Index end) const {
    const bool inverse = p.form == BlockForm::inverse;
    if (!inverse) begin = std::max(begin, p.w / plane);
    const T* const x = inverse ? own_at(p, 0) : answer_at(p, 0);
    const Offset ldx = inverse ? space_size_ : plan_.n;
    Rows y;
    for (Index k = begin; k < end; ++k) {
      const Strip s = strip_of(p.w, p.h, k);
      Work::push(p.value + s.start, s, x, ldx, y.at);
      emit(p, s, inverse ? 0 : p.w, p.w + p.h, y.at);
    }
  }

  ColumnsAt<T> owns(const Panel& p) const { return {own_at(p, 0), space_size_}; }
  ColumnsAt<T> answers(const Panel& p) const { return {answer_at(p, 0), plan_.n}; }
  static typename Work::Block block(const Panel& p) { return {p.w, p.h, p.value}; }

  // Writes x = D^-1 own to the answer, unless push_strips does.  A triangle ignores the range.
  void push_diagonal(const Panel& p, Index begin, Index end) const {
    const ColumnsAt<const T> own{own_at(p, 0), space_size_};
    if (p.form == BlockForm::inverse_diagonal)
      Work::push_inverse(block(p), begin, end, own, answers(p));
    else if (p.form == BlockForm::triangle && begin == 0)
      Work::push_triangle(block(p), own, answers(p));
  }

  // Gathers rows [from, to) of the strip into a short vector; zero elsewhere.
  void gather(const Panel& p, const Strip& s, Index from, Index to, Rows& rows) const {
    const Index end = std::min({s.begin + s.rows, p.w + p.h, to}), first = std::max(s.begin, from);
    for (Index v = 0; v < count(); ++v) {
      const T* const own = own_at(p, v);
      const T* const space = space_ + v * space_size_;
      Index i = s.begin;
      for (; i < first; ++i) set(rows.at, v, i - s.begin, T(0));
      for (; i < std::min(end, p.w); ++i) set(rows.at, v, i - s.begin, own[i]);
      if (p.local)
        for (; i < end; ++i) set(rows.at, v, i - s.begin, space[p.base + p.local[i - p.w]]);
      else
        for (; i < end; ++i) set(rows.at, v, i - s.begin, space[p.below + i - p.w]);
      for (; i < s.begin + s.rows; ++i) set(rows.at, v, i - s.begin, T(0));
    }
  }

  // For BlockForm::inverse, y += [D; P]' [own; below] over strips [begin, end); otherwise y += P'
  // below.  `fresh`: y is not initialized, and begin is 0.
  void pull_strips(const Panel& p, Index begin, Index end, T* y, Offset ldy,
                   bool fresh = false) const {
    const bool inverse = p.form == BlockForm::inverse;
    if (!inverse) begin = std::max(begin, p.w / plane);
    Rows rows;
    for (Index k = begin; k < end; ++k) {
      const Strip s = strip_of(p.w, p.h, k);
      gather(p, s, inverse ? 0 : p.w, p.w + p.h, rows);
      Work::pull(p.value, s, 0, p.w, rows.at, y, ldy, p.ahead, fresh);
    }
  }
  // pull_strips over all strips: into the answer, or added to own.
  void pull_whole(const Panel& p) const {
    const Index strips = strip_count(p.w, p.h);
    if (p.form != BlockForm::inverse) return pull_strips(p, 0, strips, own_at(p, 0), space_size_);
    pull_strips(p, 0, strips, answer_at(p, 0), plan_.n, true);
  }

  // Writes x = D^-T own to the answer, unless pull_whole did.  A triangle ignores the range.
  void pull_diagonal(const Panel& p, Index c0, Index c1) const {
    if (p.form == BlockForm::inverse_diagonal)
      Work::pull_inverse(block(p), c0, c1, {own_at(p, 0), space_size_}, answers(p), p.ahead);
    else if (p.form == BlockForm::triangle && c0 == 0)
      Work::pull_triangle(block(p), owns(p), answers(p), p.ahead);
  }

  const BlockPlan& plan_;
  const Supernodes& nodes_;
  const BlockForm* form_;
  const S* value_;
  T alpha_;
  const T* b_;
  Offset b_step_, b_stride_;
  bool conjugate_;
  T* space_;
  Offset space_size_;
  T* answer_;
  T* partial_;
};

}  // namespace echelon
