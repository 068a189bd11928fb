// exec/cpu/ranks/rank_pass.cpp -- one rank's part of a solve: each product starts when its answers
// are here, each answer when its sum is complete.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A node's sum is complete when this rank has all products of the node's row and the
// sums of the node's children in the reduction tree.  Then the root computes the answer; any other
// rank sends the sum to its parent.  A rank that has an answer first sends it to its children in
// the broadcast tree, then multiplies.  Forwards, the product of a column completes its rows in
// increasing order.  Backwards, a column uses the answers of its rows from the last to the first,
// as they arrive.  Every wait is for supernodes earlier in the sweep, so no cycle of waits can
// form, for any order of arrival.
//
// Same bits.  Each product is stored separately until its sum is complete, and the sum is taken in
// the order of columns, then of children.
#include "base/instantiate.hpp"
#include "base/timer.hpp"
#include "exec/cpu/panels/diagonal_work.hpp"
#include "exec/cpu/ranks/rank_state.hpp"
#include "exec/cpu/ranks/tracer.hpp"

namespace echelon {
namespace {

// One pass.  `one`: a single right-hand side.
template <class T, class State, bool one>
class Pass : DiagonalWork<T, T, one> {
 public:
  Pass(State& state, Sweep sweep, Index vectors, Exchange<T>& exchange)
      : Work(vectors, VectorUnit::automatic),
        s_(state),
        plan_(state.plan),
        forwards_(sweep == Sweep::forward),
        answers_(state.answers(sweep)),
        sums_(state.sums(sweep)),
        way_(static_cast<int>(sweep)),
        exchange_(exchange),
        ld_(plan_.size()),
        left_(state.finishes[way_] + state.products),
        tracer_(state.trace, plan_.rank, timer_) {}

  void run() {
    begin();
    while (left_ > 0) {
      look();
      if (!s_.heap.empty()) {
        run_task(pop());
      } else if (left_ > 0) {
        computes(false);
        exchange_.wait();
        computes(true);
      }
    }
    computes(false);
    tracer_.turn({});
  }

 private:
  using Work = DiagonalWork<T, T, one>;
  using typename Work::Rows;
  using Work::count, Work::get, Work::set, Work::plane;
  static constexpr Index looks_every = 8;  // strips of a product between two polls for messages

  void begin() {
    std::copy(s_.missing[way_].begin(), s_.missing[way_].end(), s_.needs.begin());
    std::fill(s_.known.begin(), s_.known.end(), 0);
    std::fill(s_.queued.begin(), s_.queued.end(), 0);
    s_.heap.clear();
    for (Index c = 0; c < plan_.nodes(); ++c) {
      s_.next[c] = (plan_.height(c) + plane - 1) / plane;
      s_.blocks[c] = plan_.block_start[c + 1] - plan_.block_start[c];
      if (!forwards_)
        for (Index v = 0; v < count(); ++v)
          std::fill_n(s_.product.data() + v * ld_ + plan_.start[c], plan_.width(c), T(0));
      if (s_.needs[c] == 0 && plan_.diagonal[c] >= 0) push(c, false);
    }
  }

  // Books the time since the last call as computing or not; from now on the rank computes if `now`.
  void computes(bool now) {
    const double at = timer_.seconds();
    if (computing_) s_.times.compute_s += at - since_s_;
    s_.times.all_s += at - since_s_;
    since_s_ = at;
    computing_ = now;
  }

  // --- Tasks: sums that are complete at the start, and products.  Earliest in the sweep first.

  Index key(Index c, bool product) const {
    return 2 * (forwards_ ? c : plan_.nodes() - 1 - c) + static_cast<Index>(product);
  }
  void push(Index c, bool product) {
    s_.heap.push_back(key(c, product));
    std::push_heap(s_.heap.begin(), s_.heap.end(), std::greater<>());
  }
  Index pop() {
    std::pop_heap(s_.heap.begin(), s_.heap.end(), std::greater<>());
    const Index task = s_.heap.back();
    s_.heap.pop_back();
    return task;
  }
  void run_task(Index task) {
    const Index c = forwards_ ? task / 2 : plan_.nodes() - 1 - task / 2;
    if (task % 2 == 0) return finish(c);
    tracer_.during({Doing::product, plan_.node[c]},
                   [&] { forwards_ ? push_column(c) : pull_column(c); });
  }

  // --- Messages.

  void look() {
    if (plan_.ranks == 1) return;
    for (Arrival<T> a;;) {
      computes(false);
      const double began_s = since_s_;
      const bool arrived = exchange_.receive(a);
      computes(true);
      if (!arrived) return;
      const auto before = tracer_.turn_since(began_s, {Doing::receive, a.about.supernode});
      consume(a);
      tracer_.turn(before);
    }
  }
  void consume(const Arrival<T>& a) {
    const Index c = plan_.local_of[a.about.supernode], w = plan_.width(c);
    if (!a.about.sum) {
      T* const answer = s_.answer.data() + plan_.start[c];
      for (Index v = 0; v < count(); ++v)
        std::copy_n(a.values + Offset{v} * w, w, answer + v * ld_);
      return publish(c);
    }
    const auto children = sums_.children(c);
    const auto child = std::find(children.begin(), children.end(), a.from) - children.begin();
    std::copy_n(a.values, Offset{w} * count(),
                s_.received.data() + (s_.received_start[way_][c] + child * w) * count());
    one_less(c);
  }
  void send(Index to, Index c, bool sum, const Buffer<T>& numbers) {
    computes(false);
    tracer_.during({Doing::send, plan_.node[c]}, [&] {
      exchange_.send(to, {plan_.node[c], sum}, numbers.data() + plan_.start[c], plan_.width(c),
                     count(), ld_);
    });
    ++s_.times.messages;
    s_.times.numbers += Offset{plan_.width(c)} * count();
    computes(true);
  }

  // --- Sums.

  void one_less(Index c) {
    if (--s_.needs[c] == 0) finish(c);
  }
  void finish(Index c) {
    const bool here = plan_.diagonal[c] >= 0;
    tracer_.during({Doing::sum, plan_.node[c]}, [&] {
      add_up(c);
      if (here) solve_diagonal(c);
    });
    --left_;
    if (!here) return send(sums_.parent[c], c, true, s_.sum);
    publish(c);
  }
  void add_up(Index c) {
    const Index w = plan_.width(c), at = plan_.start[c];
    const T* received = s_.received.data() + s_.received_start[way_][c] * count();
    for (Index v = 0; v < count(); ++v) {
      T* const sum = s_.sum.data() + v * ld_;
      if (plan_.diagonal[c] >= 0)
        std::copy_n(s_.right.data() + v * ld_ + at, w, sum + at);
      else
        std::fill_n(sum + at, w, T(0));
      if (forwards_)
        add_products(c, v, sum);
      else
        for (Index i = at; i < at + w; ++i) sum[i] -= s_.product[v * ld_ + i];
      const auto children = static_cast<Index>(sums_.children(c).size());
      for (Index k = 0; k < children; ++k)
        for (Index i = 0; i < w; ++i) sum[at + i] += received[(Offset{k} * count() + v) * w + i];
    }
  }
  void add_products(Index c, Index v, T* sum) const {
    const T* const product = s_.product.data() + v * static_cast<Offset>(plan_.row.size());
    for (Index k = plan_.in_row_start[c]; k < plan_.in_row_start[c + 1]; ++k) {
      const LocalPlan::Block& b = plan_.block[plan_.in_row[k]];
      for (Offset i = b.begin; i < b.end; ++i) sum[plan_.row[i]] -= product[i];
    }
  }
  void solve_diagonal(Index c) {
    const Index d = plan_.diagonal[c], at = plan_.start[c];
    const BlockValues<T>& values = s_.values.diagonals;
    const typename Work::Block block{plan_.width(c), 0,
                                     values.value.data() + plan_.diagonals.value_start[d]};
    const ColumnsAt<T> own{s_.sum.data() + at, ld_}, x{s_.answer.data() + at, ld_};
    const ColumnsAt<const T> seen{own.data, ld_};
    const bool inverse = values.form[d] == BlockForm::inverse_diagonal;
    if (forwards_ && inverse)
      Work::push_inverse(block, 0, block.w, seen, x);
    else if (forwards_)
      Work::push_triangle(block, seen, x);
    else if (inverse)
      Work::pull_inverse(block, 0, block.w, seen, x, diagonal_ahead(d));
    else
      Work::pull_triangle(block, own, x, diagonal_ahead(d));
  }

  // --- Answers.

  void publish(Index c) {
    for (const Index to : answers_.children(c)) send(to, c, false, s_.answer);
    if (forwards_) {
      if (plan_.height(c) > 0) push(c, true);
      return;
    }
    s_.known[c] = 1;
    for (Index k = plan_.in_row_start[c]; k < plan_.in_row_start[c + 1]; ++k)
      offer(plan_.block[plan_.in_row[k]].column);
  }
  // Backwards: queues a column when answers of its rows, from the last on, have arrived.
  void offer(Index c) {
    const Index first = plan_.block_start[c], before = s_.blocks[c];
    Index& left = s_.blocks[c];
    while (left > 0 && s_.known[plan_.block[first + left - 1].row]) --left;
    if (left == before || s_.queued[c]) return;
    s_.queued[c] = 1;
    push(c, true);
  }

  // --- Products.

  void push_column(Index c) {
    const Index w = plan_.width(c), h = plan_.height(c);
    const T* const x = s_.answer.data() + plan_.start[c];
    const T* const value = s_.values.value.data() + plan_.value_start[c];
    const Offset first = plan_.row_start[c];
    Index b = plan_.block_start[c];
    Rows y;
    for (Index k = 0; k * plane < h; ++k) {
      const Strip s = rectangle_strip(w, h, k);
      const Index end = std::min(s.begin + plane, h);
      Work::push(value + s.start, s, x, ld_, y.at);
      for (Index v = 0; v < count(); ++v) {
        T* const out = s_.product.data() + v * static_cast<Offset>(plan_.row.size()) + first;
        for (Index i = s.begin; i < end; ++i) out[i] = get(y.at, v, i - s.begin);
      }
      for (; b < plan_.block_start[c + 1] && plan_.block[b].end <= first + end; ++b)
        one_less(plan_.block[b].row);
      if (k % looks_every == looks_every - 1) look();
    }
    --left_;
  }

  void pull_column(Index c) {
    s_.queued[c] = 0;
    const Index w = plan_.width(c), h = plan_.height(c);
    const T* const value = s_.values.value.data() + plan_.value_start[c];
    const Offset first = plan_.row_start[c];
    const Index left = plan_.block_start[c] + s_.blocks[c];  // earlier blocks miss answers
    const Offset from = left == plan_.block_start[c] ? 0 : plan_.block[left - 1].end - first;
    Rows rows;
    for (Index k = s_.next[c]; k-- > 0 && Offset{k} * plane >= from;) {
      const Strip s = rectangle_strip(w, h, k);
      for (Index v = 0; v < count(); ++v)
        for (Index i = 0; i < s.rows; ++i)
          set(rows.at, v, i,
              s.begin + i < h ? s_.answer[v * ld_ + plan_.row[first + s.begin + i]] : T(0));
      Work::pull(value, s, 0, w, rows.at, s_.product.data() + plan_.start[c], ld_,
                 strip_ahead(c, s));
      s_.next[c] = k;
      if (k % looks_every == looks_every - 1) look();
    }
    if (s_.next[c] > 0) return;
    --left_;
    one_less(c);
  }

  // Pulling reads memory backwards, so the prefetch position lies before the strip; in bytes.
  Offset strip_ahead(Index c, const Strip& s) const {
    if (s.begin > 0) return -Offset{plane} * plan_.width(c) * Offset{sizeof(T)};
    const Index h = c > 0 ? plan_.height(c - 1) : 0;
    if (h == 0) return panel_ahead;
    const Strip last = rectangle_strip(plan_.width(c - 1), h, (h - 1) / plane);
    return (plan_.value_start[c - 1] + last.start - plan_.value_start[c]) * Offset{sizeof(T)};
  }
  Offset diagonal_ahead(Index d) const {
    const Buffer<Offset>& at = plan_.diagonals.value_start;
    if (d == 0 || (at[d + 1] - at[d]) * Offset{sizeof(T)} > panel_ahead) return panel_ahead;
    return (at[d - 1] - at[d]) * Offset{sizeof(T)};
  }

  State& s_;
  const LocalPlan& plan_;
  const bool forwards_;
  const RankTrees& answers_;
  const RankTrees& sums_;
  const int way_;
  Exchange<T>& exchange_;
  const Offset ld_;
  Index left_;  // unfinished sums and products
  const Timer timer_;
  double since_s_ = 0;
  bool computing_ = true;
  Tracer tracer_;
};

}  // namespace

template <Scalar T>
RankPass<T>::RankPass(const LocalPlan& plan, const LocalValues<T>& values, Index rhs_per_pass)
    : state_(std::make_unique<State>(plan, values,
                                     std::clamp<Index>(rhs_per_pass, 1, max_rhs_per_pass))) {}
template <Scalar T>
RankPass<T>::RankPass(RankPass&&) noexcept = default;
template <Scalar T>
RankPass<T>& RankPass<T>::operator=(RankPass&&) noexcept = default;
template <Scalar T>
RankPass<T>::~RankPass() = default;

template <Scalar T>
T* RankPass<T>::right() const {
  return state_->right.data();
}
template <Scalar T>
T* RankPass<T>::answer() const {
  return state_->answer.data();
}

template <Scalar T>
void RankPass<T>::run(Sweep sweep, Index count, Exchange<T>& exchange) const {
  if (count == 1)
    Pass<T, State, true>(*state_, sweep, count, exchange).run();
  else
    Pass<T, State, false>(*state_, sweep, count, exchange).run();
}

template <Scalar T>
void RankPass<T>::trace(Timeline* out) {
  state_->trace = out;
}

template <Scalar T>
PassTimes RankPass<T>::times() const {
  return state_->times;
}

template <Scalar T>
Offset RankPass<T>::bytes() const {
  const State& s = *state_;
  return bytes_of(s.right, s.answer, s.sum, s.product, s.received);
}

#define ECHELON_INSTANTIATE(T) template class RankPass<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
