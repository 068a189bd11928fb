// distributed/superlu_dist.cpp -- adapts SuperLU_DIST's distributed L and U to RankFactors.
// SPDX-License-Identifier: BSD-3-Clause
//
// Storage.  A rank stores L by block columns, each as one dense panel of all its local rows.  The
// diagonal block comes first, with its rows in order; its upper half and diagonal belong to U.  The
// other rows are in any order.  The rest of U is stored by block rows: each column is a segment
// from its first nonzero to the last row of the block.  So a row of L, or of the transpose of U, in
// the columns of a supernode is always one strided run of numbers, and one function reads both.
#include "echelon/superlu_dist.hpp"

#include <mpi.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>

#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "distributed/communicator.hpp"
#include "echelon/mpi.hpp"

// After the standard headers: it defines macros with common names, such as fma.
#include <superlu_ddefs.h>
#include <superlu_sdefs.h>
#include <superlu_zdefs.h>

namespace echelon {
namespace {

// SuperLU_DIST's struct types for T.
template <class T>
struct Foreign;
template <>
struct Foreign<float> {
  using Lu = sLUstruct_t;
  using ScalePerm = sScalePermstruct_t;
  static constexpr char letter = 's';
};
template <>
struct Foreign<double> {
  using Lu = dLUstruct_t;
  using ScalePerm = dScalePermstruct_t;
  static constexpr char letter = 'd';
};
template <>
struct Foreign<std::complex<double>> {
  using Lu = zLUstruct_t;
  using ScalePerm = zScalePermstruct_t;
  static constexpr char letter = 'z';
};

// A row in the columns of a supernode: entry j is value[(j - from) * stride] for from <= j < to,
// and 0 elsewhere.
template <class T>
struct StoredRow {
  Index row;
  Index from, to;
  Offset stride;
  const T* value;
};

// This rank's rows of L, or of the transpose of U.
template <class T>
struct StoredRows {
  Buffer<Index> first;            // size supernodes+1
  bool unit = false;              // the diagonal is 1, regardless of the stored values
  Buffer<Offset> start;           // size supernodes+1
  Buffer<StoredRow<T>> row = {};  // per supernode, sorted by row, its own rows included

  Index count() const { return static_cast<Index>(first.size()) - 1; }
  std::span<const StoredRow<T>> rows(Index k) const {
    return {row.data() + start[k], row.data() + start[k + 1]};
  }
};

template <class T>
bool above(const StoredRow<T>& a, const StoredRow<T>& b) {
  return a.row < b.row;
}

// One rank's share of the factors in SuperLU_DIST's storage.
template <class T>
class Share {
 public:
  Share(const typename Foreign<T>::Lu& lu, const gridinfo_t& grid, Index n)
      : lu_(*lu.Llu),
        rows_(static_cast<Index>(grid.nprow)),
        cols_(static_cast<Index>(grid.npcol)),
        my_row_(static_cast<Index>(grid.iam) / cols_),
        my_col_(static_cast<Index>(grid.iam) % cols_) {
    const int_t count = lu.Glu_persist->supno[n - 1] + 1;
    first_.assign(lu.Glu_persist->xsup, lu.Glu_persist->xsup + count + 1);
  }

  StoredRows<T> lower() const {
    return collect(true, [this](Index k, Buffer<StoredRow<T>>& out) {
      if (k % cols_ == my_col_) read_panel(k, out);
    });
  }
  StoredRows<T> upper() const {
    return collect(false, [this](Index k, Buffer<StoredRow<T>>& out) {
      if (k % rows_ != my_row_) return;
      if (k % cols_ == my_col_) read_diagonal(k, out);
      read_segments(k, out);
    });
  }

 private:
  template <class Read>
  StoredRows<T> collect(bool unit, const Read& read) const {
    StoredRows<T> s{first_, unit, Buffer<Offset>(1, 0)};
    for (Index k = 0; k < s.count(); ++k) {
      read(k, s.row);
      s.start.push_back(static_cast<Offset>(s.row.size()));
      std::sort(s.row.begin() + s.start[k], s.row.end(), above<T>);
    }
    return s;
  }

  Index width(Index k) const { return first_[k + 1] - first_[k]; }
  const T* panel(Index k) const { return reinterpret_cast<const T*>(lu_.Lnzval_bc_ptr[k / cols_]); }

  // The rows of L in the columns of k: panel(k), with the number of rows in its header.
  void read_panel(Index k, Buffer<StoredRow<T>>& out) const {
    const int_t* index = lu_.Lrowind_bc_ptr[k / cols_];
    if (index == nullptr) return;
    const int_t blocks = index[0];
    const Offset height = index[1];
    const T* value = panel(k);
    index += BC_HEADER;
    for (int_t b = 0; b < blocks; ++b) {
      const bool diagonal = index[0] == k;
      const int_t rows = index[1];
      index += LB_DESCRIPTOR;
      for (int_t r = 0; r < rows; ++r, ++index, ++value) {
        const auto row = static_cast<Index>(*index);
        out.push_back({row, 0, diagonal ? row - first_[k] : width(k), height, value});
      }
    }
  }

  // U(j, i) in the diagonal block, j <= i: the top of column i of the panel.
  void read_diagonal(Index k, Buffer<StoredRow<T>>& out) const {
    const Offset height = lu_.Lrowind_bc_ptr[k / cols_][1];
    for (Index i = 0; i < width(k); ++i)
      out.push_back({first_[k] + i, 0, i + 1, 1, panel(k) + i * height});
  }

  // The segments of U in the rows of k, one after the other; an empty one begins at the first row
  // of the next block.
  void read_segments(Index k, Buffer<StoredRow<T>>& out) const {
    const int_t* index = lu_.Ufstnz_br_ptr[k / rows_];
    if (index == nullptr) return;
    const int_t blocks = index[0];
    const T* value = reinterpret_cast<const T*>(lu_.Unzval_br_ptr[k / rows_]);
    index += BR_HEADER;
    for (int_t b = 0; b < blocks; ++b) {
      const auto block = static_cast<Index>(index[0]);
      index += UB_DESCRIPTOR;
      for (Index column = first_[block]; column < first_[block + 1]; ++column, ++index) {
        const auto from = static_cast<Index>(*index) - first_[k];
        if (from < width(k)) out.push_back({column, from, width(k), 1, value});
        value += width(k) - from;
      }
    }
  }

  const std::remove_pointer_t<decltype(Foreign<T>::Lu::Llu)>& lu_;
  Index rows_, cols_;  // of the grid
  Index my_row_, my_col_;
  Buffer<Index> first_;
};

template <class T>
FillRows<T> fill_from(std::shared_ptr<const StoredRows<T>> stored) {
  return [stored](Index k, std::span<const Index> rows, T* columns, Offset ld) {
    const StoredRows<T>& s = *stored;
    const auto here = s.rows(k);
    const Index first = s.first[k], width = s.first[k + 1] - first;
    for (const Index i : rows) {
      T* const out = columns++;
      for (Index j = 0; j < width; ++j) out[j * ld] = T(0);
      const auto r =
          std::lower_bound(here.begin(), here.end(), StoredRow<T>{i, 0, 0, 0, nullptr}, above<T>);
      if (r == here.end() || r->row != i) continue;
      for (Index j = r->from; j < r->to; ++j) out[j * ld] = r->value[(j - r->from) * r->stride];
      if (s.unit && i < first + width) out[(i - first) * ld] = T(1);
    }
  };
}

// Concatenates the lists of all ranks.
Buffer<Index> gather_lists(Communicator& comm, Buffer<Index> mine) {
  constexpr const char* what = "the rows of all supernodes";
  struct Room {
    Buffer<Index> mine, all;
    std::vector<int> counts, places;
  };
  const Lent<Room> room(comm.broken());
  const auto sizes = comm.gather(static_cast<Offset>(mine.size()), what);
  const Offset total = std::accumulate(sizes.begin(), sizes.end(), Offset{0});
  comm.all_succeed([&] {
    if (total > std::numeric_limits<int>::max())
      throw Error(ErrorCode::bad_argument,
                  "load_superlu_dist: the rows of all supernodes are more than MPI can count");
    room->mine = std::move(mine);
    room->all.resize(static_cast<std::size_t>(total));
    room->counts.assign(sizes.begin(), sizes.end());
    room->places.resize(sizes.size());
    std::exclusive_scan(room->counts.begin(), room->counts.end(), room->places.begin(), 0);
  });
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgatherv(room->mine.data(), static_cast<int>(room->mine.size()), MPI_INT32_T,
                            room->all.data(), room->counts.data(), room->places.data(), MPI_INT32_T,
                            comm.get(), &request),
            "MPI_Iallgatherv");
  comm.wait(request, what);
  return std::move(room->all);
}

// The rows below each supernode on any rank.  Message format: supernode, count, rows.
template <class T>
Supernodes gather_structure(Communicator& comm, const StoredRows<T>& s) {
  Buffer<Index> mine;
  for (Index k = 0; k < s.count(); ++k) {
    const auto rows = s.rows(k);
    const auto below = std::partition_point(rows.begin(), rows.end(),
                                            [&](const auto& r) { return r.row < s.first[k + 1]; });
    if (below == rows.end()) continue;
    mine.push_back(k);
    mine.push_back(static_cast<Index>(rows.end() - below));
    std::for_each(below, rows.end(), [&](const auto& r) { mine.push_back(r.row); });
  }
  const Buffer<Index> all = gather_lists(comm, std::move(mine));

  Supernodes out;
  out.n = s.first.back();
  out.first = s.first;
  out.row_start.assign(s.first.size(), 0);
  for (auto p = all.begin(); p != all.end(); p += 2 + p[1]) out.row_start[p[0] + 1] += p[1];
  std::partial_sum(out.row_start.begin(), out.row_start.end(), out.row_start.begin());
  out.row.resize(static_cast<std::size_t>(out.row_start.back()));
  Buffer<Offset> next(out.row_start);
  for (auto p = all.begin(); p != all.end(); p += 2 + p[1]) {
    std::copy_n(p + 2, p[1], out.row.begin() + next[p[0]]);
    next[p[0]] += p[1];
  }
  for (Index k = 0; k < out.count(); ++k)
    std::sort(out.row.begin() + out.row_start[k], out.row.begin() + out.row_start[k + 1]);
  return out;
}

// Nonzeros of L and U on all ranks; the ones on the diagonal of L, which are not stored, count.
template <class T>
Offset count_nonzeros(Communicator& comm, const StoredRows<T>& lower, const StoredRows<T>& upper) {
  std::int64_t count = comm.rank() == 0 ? lower.first.back() : 0;
  for (const StoredRows<T>* s : {&lower, &upper})
    for (const StoredRow<T>& r : s->row)
      for (Index j = r.from; j < r.to; ++j)
        count += r.value[(j - r.from) * r.stride] != T(0) ? 1 : 0;
  comm.reduce(std::span(&count, 1), MPI_SUM, "the number of nonzeros");
  return count;
}

// Pc Pr (R A C) Pc' = L U, where Pr moves row i to perm_r[i] and Pc row or column i to perm_c[i].
template <class T>
void take_frame(const typename Foreign<T>::ScalePerm& frame, RankFactors<T>& f) {
  const auto n = static_cast<std::size_t>(f.n);
  f.row_order.resize(n);
  f.col_order.resize(n);
  for (Index i = 0; i < f.n; ++i) {
    f.row_order[frame.perm_c[frame.perm_r[i]]] = i;
    f.col_order[frame.perm_c[i]] = i;
  }
  if (frame.DiagScale == ROW || frame.DiagScale == BOTH) f.row_scale.assign(frame.R, frame.R + n);
  if (frame.DiagScale == COL || frame.DiagScale == BOTH) f.col_scale.assign(frame.C, frame.C + n);
}

bool is_permutation(const int_t* order, Index n) {
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    if (order[i] < 0 || order[i] >= n || seen[order[i]]) return false;
    seen[order[i]] = true;
  }
  return true;
}

// Checks this rank's arguments; returns the error text, or nothing.
template <class T>
std::string complaint(MPI_Comm comm, const typename Foreign<T>::Lu* lu,
                      const typename Foreign<T>::ScalePerm* frame, const gridinfo_t* grid,
                      Index n) {
  if (lu == nullptr || frame == nullptr || grid == nullptr)
    return "the factors, their permutations and the grid must be given";
  int same = MPI_UNEQUAL;
  if (grid->comm != MPI_COMM_NULL) MPI_Comm_compare(comm, grid->comm, &same);
  if (same != MPI_IDENT && same != MPI_CONGRUENT)
    return "the ranks of the communicator are not those of the grid";
  // Drivers other than p[sdz]gssvx may not set dt.
  if (std::string("sdz").find(lu->dt) != std::string::npos && lu->dt != Foreign<T>::letter)
    return "the factors are not of the precision asked for";
  const Glu_persist_t* const partition = lu->Glu_persist;
  if (n <= 0 || partition == nullptr || partition->supno == nullptr ||
      partition->xsup[partition->supno[n - 1] + 1] != n || !is_permutation(frame->perm_r, n) ||
      !is_permutation(frame->perm_c, n))
    return "there are no factors of order " + std::to_string(n);
  return {};
}

template <class T>
RankFactors<T> load(MPI_Comm ranks, const typename Foreign<T>::Lu* lu,
                    const typename Foreign<T>::ScalePerm* frame, const gridinfo_t* grid, Index n) {
  Communicator comm(ranks, RankOptions().timeout_s);
  const Call call(comm, Communicator::setup_timeout_factor);
  std::shared_ptr<const StoredRows<T>> lower, upper;
  comm.all_succeed([&] {
    const std::string wrong = complaint<T>(ranks, lu, frame, grid, n);
    if (!wrong.empty()) throw Error(ErrorCode::bad_argument, "load_superlu_dist: " + wrong);
    const Share<T> share(*lu, *grid, n);
    lower = std::make_shared<const StoredRows<T>>(share.lower());
    upper = std::make_shared<const StoredRows<T>>(share.upper());
  });
  RankFactors<T> f;
  f.n = n;
  f.package = "superlu_dist";
  f.kind = "LU";
  f.ordering = "given";
  f.lower = gather_structure(comm, *lower);
  f.upper = gather_structure(comm, *upper);
  f.nnz = count_nonzeros(comm, *lower, *upper);
  f.lower_rows = fill_from<T>(lower);
  f.upper_rows = fill_from<T>(upper);
  take_frame<T>(*frame, f);
  return f;
}

}  // namespace

template <Scalar T>
RankFactors<T> load_superlu_dist(MPI_Comm comm, const void* lu_struct,
                                 const void* scale_perm_struct, const void* grid_info, Index n) {
  if constexpr (std::same_as<T, std::complex<float>>) {
    throw Error(ErrorCode::backend_missing, "SuperLU_DIST has no factors of complex<float>");
  } else {
    return report_bad_alloc("factors", [&] {
      return load<T>(comm, static_cast<const typename Foreign<T>::Lu*>(lu_struct),
                     static_cast<const typename Foreign<T>::ScalePerm*>(scale_perm_struct),
                     static_cast<const gridinfo_t*>(grid_info), n);
    });
  }
}

BlockMap superlu_dist_map(const void* grid_info, Index supernodes) {
  if (grid_info == nullptr)
    throw Error(ErrorCode::bad_argument, "superlu_dist_map: the grid must be given");
  const auto& grid = *static_cast<const gridinfo_t*>(grid_info);
  BlockMap map{{static_cast<Index>(grid.nprow), static_cast<Index>(grid.npcol)}, {}, {}};
  for (Index k = 0; k < supernodes; ++k) {
    map.row.push_back(k % map.grid.rows);
    map.col.push_back(k % map.grid.cols);
  }
  return map;
}

#define ECHELON_INSTANTIATE(T)                                                                  \
  template RankFactors<T> load_superlu_dist<T>(MPI_Comm, const void*, const void*, const void*, \
                                               Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
