// echelon.h -- the C interface: sparse triangular solves, solves with factorizations, Gauss-Seidel.
// SPDX-License-Identifier: BSD-3-Clause
//
// C99 and C++.  Link libechelon alone (pkg-config --cflags --libs echelon).  Guide:
// docs/c_and_fortran.md.
//
//   echelon_matrix *l;  echelon_solver *s;
//   echelon_create_matrix(&l, ECHELON_DOUBLE, ECHELON_INT32, n, start, index, values, NULL);
//   echelon_create_triangle(&s, l, "cpu.threads=4");
//   if (echelon_solve(s, b, x) != ECHELON_OK) puts(echelon_last_error(s));
//   echelon_destroy(s);  echelon_destroy_matrix(l);
//
// Binary interface: handles are opaque, no struct crosses, and enums keep their values.  New
// settings are new names in texts, new calls new functions.  Every call returns a status and never
// throws, prints or exits.
//
// Texts of settings are "name=value,name=value"; NULL or "" leaves all at their defaults.  An
// unknown name is ECHELON_BAD_ARGUMENT, with similar names in the error text.
//
// Threads: different handles are independent.  One solver serves many threads at the same time if
// each has its own workspace.
#ifndef ECHELON_H
#define ECHELON_H

#include <stdint.h>

#ifdef __GNUC__
#define ECHELON_API __attribute__((visibility("default")))
#else
#define ECHELON_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The numbers are those of echelon::ErrorCode.
typedef enum {
  ECHELON_OK = 0,
  ECHELON_BAD_ARGUMENT = 1,
  ECHELON_NOT_TRIANGULAR = 2,
  ECHELON_ZERO_DIAGONAL = 3,
  ECHELON_NOT_FINITE = 4,
  ECHELON_BAD_FILE = 5,
  ECHELON_OUT_OF_MEMORY = 6,
  ECHELON_BACKEND_MISSING = 7,
  ECHELON_BACKEND_FAILED = 8,
  ECHELON_NOT_POSITIVE_DEFINITE = 9,
  ECHELON_SINGULAR = 10
} echelon_status;

// Values of matrices and vectors; complex numbers are pairs, as in C99 and C++.
typedef enum {
  ECHELON_FLOAT = 0,
  ECHELON_DOUBLE = 1,
  ECHELON_COMPLEX_FLOAT = 2,
  ECHELON_COMPLEX_DOUBLE = 3
} echelon_type;

// Integers of `start` and `index`.
typedef enum {
  ECHELON_INT32 = 0,
  ECHELON_INT64 = 1,
  ECHELON_INT64_INT32 = 2  // start of 64 bits, index of 32: used in place if counted from 0
} echelon_index_type;

typedef enum { ECHELON_COLUMN_MAJOR = 0, ECHELON_ROW_MAJOR = 1 } echelon_layout;

typedef struct echelon_matrix echelon_matrix;
typedef struct echelon_solver echelon_solver;
typedef struct echelon_workspace echelon_workspace;

// --- errors -----------------------------------------------------------------------------------

// "ok", "bad_argument", ...; "unknown" for another number.
ECHELON_API const char *echelon_status_name(echelon_status status);
// The last failed call with this solver or a workspace of it, by any thread; NULL: the last failed
// call of this thread with any handle, also one that created none.  "" and -1 if there was none.
// The text is valid until this thread calls echelon_last_error again.
ECHELON_API const char *echelon_last_error(const echelon_solver *solver);
// The row or column that the text names, counted as the matrix counts (base); -1: none.
ECHELON_API int64_t echelon_last_error_row(const echelon_solver *solver);
ECHELON_API echelon_status echelon_last_error_status(const echelon_solver *solver);

// --- matrices ---------------------------------------------------------------------------------

// An n by n matrix in the caller's arrays: start has n+1 entries, index and values start[n]-base.
// Values are never copied, and the arrays must live as long as the matrix.  `how`:
//   order=rows|columns            CSR or CSC
//   base=0|1                      what start and index count from
//   uplo=lower|upper              which triangle a triangular solver takes
//   diagonal=stored|unit          unit: taken as 1
//   outside=error|ignore          entries of the other triangle
//   op=n|t|h                      solve with the matrix, its transpose or its conjugate transpose
ECHELON_API echelon_status echelon_create_matrix(echelon_matrix **out, echelon_type type,
                                                 echelon_index_type index_type, int64_t n,
                                                 const void *start, const void *index,
                                                 const void *values, const char *how);
// From a file: Matrix Market, Harwell-Boeing or Rutherford-Boeing, also gzipped.  `how` as above,
// without order and base.
ECHELON_API echelon_status echelon_read_matrix(echelon_matrix **out, echelon_type type,
                                               const char *path, const char *how);
// Other values for the same pattern, in the same order; echelon_update takes them over.
ECHELON_API echelon_status echelon_set_values(echelon_matrix *matrix, const void *values);
ECHELON_API int64_t echelon_matrix_n(const echelon_matrix *matrix);    // -1: NULL
ECHELON_API int64_t echelon_matrix_nnz(const echelon_matrix *matrix);  // -1: NULL
ECHELON_API void echelon_destroy_matrix(echelon_matrix *matrix);       // NULL: does nothing

// --- solvers ----------------------------------------------------------------------------------

// A solver copies what it needs of the matrix.  `options` are the names of echelon::Options
// ("method=superstep,backend=cuda,cpu.threads=4"), and those named here.  On failure *out is NULL.

// op(triangle) x = b.
ECHELON_API echelon_status echelon_create_triangle(echelon_solver **out, const echelon_matrix *a,
                                                   const char *options);
// A x = b.  `package`: automatic (chosen by the matrix), cholmod, superlu, umfpack, klu,
// superlu_ilu, ilu0 or ic0, as far as echelon_built_with names them.  More options: factor.order,
// factor.simplicial, ... (echelon::FactorOptions).
ECHELON_API echelon_status echelon_create_direct(echelon_solver **out, const echelon_matrix *a,
                                                 const char *package, const char *options);
// L U x = b, with the caller's own factors.
ECHELON_API echelon_status echelon_create_factors(echelon_solver **out, const echelon_matrix *l,
                                                  const echelon_matrix *u, const char *options);
// Sweeps for A x = b.  More options: smoother.direction (symmetric, forward, backward),
// smoother.omega, smoother.form.
ECHELON_API echelon_status echelon_create_gauss_seidel(echelon_solver **out,
                                                       const echelon_matrix *a,
                                                       const char *options);
// op(triangle_k) x_k = b_k for `count` systems that have the pattern of `a`, whose values are not
// read.  `values`: those of system after system, each in the order of a's, `stride` numbers apart
// (0: no gaps); with backend=cuda also on the device.  A singular system is no error of a call: it
// is listed by echelon_failed, its x is NaN, and all others are solved.  More options: batch.form
// (automatic, interleaved, separate), batch.width.
ECHELON_API echelon_status echelon_create_batch(echelon_solver **out, const echelon_matrix *a,
                                                int64_t count, const void *values, int64_t stride,
                                                const char *options);
// Its memory is freed with its last workspace.  NULL: does nothing.
ECHELON_API void echelon_destroy(echelon_solver *solver);

// New values for the same pattern; with a package the matrix is factored again.  After a failure
// the solver refuses to solve until an update succeeds.
ECHELON_API echelon_status echelon_update(echelon_solver *solver, const echelon_matrix *a);
ECHELON_API echelon_status echelon_update_factors(echelon_solver *solver, const echelon_matrix *l,
                                                  const echelon_matrix *u);
// A batch: new values of as many systems.
ECHELON_API echelon_status echelon_update_batch(echelon_solver *solver, const void *values,
                                                int64_t stride);

// --- solving ----------------------------------------------------------------------------------

// One right-hand side.  b and x are vectors of n numbers of the matrix's type, on the host or, with
// backend=cuda, both on the device; x may be b (not for Gauss-Seidel, where x is also the guess).
// A batch: one vector of each system, those of system 0, 1, ... after each other.
ECHELON_API echelon_status echelon_solve(echelon_solver *solver, const void *b, void *x);
// Several; a batch: nrhs is a multiple of the number of systems, and the vectors of one system
// follow each other.  Leading dimensions are the distance of vectors (column-major) or rows
// (row-major); 0: no gaps.
ECHELON_API echelon_status echelon_solve_many(echelon_solver *solver, int64_t nrhs, const void *b,
                                              int64_t ldb, void *x, int64_t ldx,
                                              echelon_layout layout);
// A x = b with a direct solver, refined with the matrix that was factored; on the host.  `steps`
// (taken) and `backward_error` (componentwise, after them) may be NULL.
ECHELON_API echelon_status echelon_solve_refined(echelon_solver *solver, const echelon_matrix *a,
                                                 const void *b, void *x, int32_t *steps,
                                                 double *backward_error);
// backend=cuda: reports solves with device vectors since the last check; synchronize before.  A
// batch: the first system that failed is the error.
ECHELON_API echelon_status echelon_check(echelon_solver *solver);
// A batch: the systems whose values were refused, and those whose answers in the last solve were
// not finite, in rising order from 0: their number, and the first `most` of them (0: systems may be
// NULL).
ECHELON_API echelon_status echelon_failed(echelon_solver *solver, int64_t most, int64_t *systems,
                                          int64_t *count);

// A workspace: the memory of one calling thread, and how its solves differ from the plain one.
//   part=full|lower|upper|triangles   of a factorization (echelon::Part)
//   op=n|t|h                          transpose, conjugate transpose
//   threads=0                         at most so many; 0: as analyzed
//   nrhs=1, ldb=0, ldx=0, layout=column|row      a batch: nrhs is the number of systems
//   sweeps=1, guess=given|zero        Gauss-Seidel
//   steps=10                          refinement steps at most
ECHELON_API echelon_status echelon_create_workspace(echelon_workspace **out, echelon_solver *solver,
                                                    const char *settings);
// Changes the settings named in the text.
ECHELON_API echelon_status echelon_set(echelon_workspace *workspace, const char *settings);
// The same as numbers: no text is made or read.
ECHELON_API echelon_status echelon_set_vectors(echelon_workspace *workspace, int64_t nrhs,
                                               int64_t ldb, int64_t ldx, echelon_layout layout);
// op(M) x = alpha b; alpha is a number of the matrix's type.  Not for Gauss-Seidel.
ECHELON_API echelon_status echelon_set_alpha(echelon_workspace *workspace, const void *alpha);
// backend=cuda: a cudaStream_t.  With device vectors the solve is put into it and not waited for.
ECHELON_API echelon_status echelon_set_stream(echelon_workspace *workspace, void *stream);
ECHELON_API echelon_status echelon_solve_in(echelon_workspace *workspace, const void *b, void *x);
ECHELON_API echelon_status echelon_solve_refined_in(echelon_workspace *workspace,
                                                    const echelon_matrix *a, const void *b, void *x,
                                                    int32_t *steps, double *backward_error);
ECHELON_API echelon_status echelon_check_in(echelon_workspace *workspace);
ECHELON_API echelon_status echelon_failed_in(echelon_workspace *workspace, int64_t most,
                                             int64_t *systems, int64_t *count);
ECHELON_API void echelon_destroy_workspace(echelon_workspace *workspace);  // NULL: does nothing

// --- reports ----------------------------------------------------------------------------------

// A field of the report by its C++ name: n, nnz, levels, threads, bytes, analysis_s, setup_s, ...;
// those of a struct inside with a point: supernodes.count, lower.levels.  true is 1, false 0.
ECHELON_API echelon_status echelon_report_number(echelon_solver *solver, const char *name,
                                                 double *value);
// The same as text; also fields that are words: method, reason, backend, package, ...  Valid until
// the next call of a report function by this thread.
ECHELON_API echelon_status echelon_report_text(echelon_solver *solver, const char *name,
                                               const char **text);
// All of it, as C++ prints it.
ECHELON_API echelon_status echelon_report(echelon_solver *solver, const char **text);

// --- the library ------------------------------------------------------------------------------

ECHELON_API const char *echelon_version(void);  // "0.2.0": of the library that runs
ECHELON_API int echelon_version_number(void);   // major*10000 + minor*100 + patch
// Parts of this build, separated by commas: "cpu,cuda,cholmod,superlu,klu,ilu0,ic0".
ECHELON_API const char *echelon_built_with(void);

#ifdef __cplusplus
}
#endif

#endif
