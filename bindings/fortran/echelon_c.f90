! bindings/fortran/echelon_c.f90 -- echelon.h as it is: constants and interfaces, for module echelon.
! SPDX-License-Identifier: BSD-3-Clause
!
! What a call does is said in echelon.h.  Texts end with c_null_char; c_null_ptr is NULL.
module echelon_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  ! echelon_status
  integer(c_int), parameter :: ECHELON_OK = 0
  integer(c_int), parameter :: ECHELON_BAD_ARGUMENT = 1
  integer(c_int), parameter :: ECHELON_NOT_TRIANGULAR = 2
  integer(c_int), parameter :: ECHELON_ZERO_DIAGONAL = 3
  integer(c_int), parameter :: ECHELON_NOT_FINITE = 4
  integer(c_int), parameter :: ECHELON_BAD_FILE = 5
  integer(c_int), parameter :: ECHELON_OUT_OF_MEMORY = 6
  integer(c_int), parameter :: ECHELON_BACKEND_MISSING = 7
  integer(c_int), parameter :: ECHELON_BACKEND_FAILED = 8
  integer(c_int), parameter :: ECHELON_NOT_POSITIVE_DEFINITE = 9
  integer(c_int), parameter :: ECHELON_SINGULAR = 10

  ! echelon_type
  integer(c_int), parameter :: ECHELON_FLOAT = 0
  integer(c_int), parameter :: ECHELON_DOUBLE = 1
  integer(c_int), parameter :: ECHELON_COMPLEX_FLOAT = 2
  integer(c_int), parameter :: ECHELON_COMPLEX_DOUBLE = 3

  ! echelon_index_type
  integer(c_int), parameter :: ECHELON_INT32 = 0
  integer(c_int), parameter :: ECHELON_INT64 = 1
  integer(c_int), parameter :: ECHELON_INT64_INT32 = 2

  ! echelon_layout
  integer(c_int), parameter :: ECHELON_COLUMN_MAJOR = 0
  integer(c_int), parameter :: ECHELON_ROW_MAJOR = 1

  interface
    function echelon_status_name(status) bind(c) result(text)
      import
      integer(c_int), value :: status
      type(c_ptr) :: text
    end function
    function echelon_last_error(solver) bind(c) result(text)
      import
      type(c_ptr), value :: solver
      type(c_ptr) :: text
    end function
    function echelon_last_error_row(solver) bind(c) result(row)
      import
      type(c_ptr), value :: solver
      integer(c_int64_t) :: row
    end function
    function echelon_last_error_status(solver) bind(c) result(status)
      import
      type(c_ptr), value :: solver
      integer(c_int) :: status
    end function

    function echelon_create_matrix(out, scalar, index_type, n, start, index, values, how) &
        bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      integer(c_int), value :: scalar, index_type
      integer(c_int64_t), value :: n
      type(c_ptr), value :: start, index, values
      character(kind=c_char), intent(in) :: how(*)
      integer(c_int) :: status
    end function
    function echelon_read_matrix(out, scalar, path, how) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      integer(c_int), value :: scalar
      character(kind=c_char), intent(in) :: path(*), how(*)
      integer(c_int) :: status
    end function
    function echelon_set_values(matrix, values) bind(c) result(status)
      import
      type(c_ptr), value :: matrix, values
      integer(c_int) :: status
    end function
    function echelon_matrix_n(matrix) bind(c) result(n)
      import
      type(c_ptr), value :: matrix
      integer(c_int64_t) :: n
    end function
    function echelon_matrix_nnz(matrix) bind(c) result(nnz)
      import
      type(c_ptr), value :: matrix
      integer(c_int64_t) :: nnz
    end function
    subroutine echelon_destroy_matrix(matrix) bind(c)
      import
      type(c_ptr), value :: matrix
    end subroutine

    function echelon_create_triangle(out, a, options) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), value :: a
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int) :: status
    end function
    function echelon_create_direct(out, a, package, options) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), value :: a
      character(kind=c_char), intent(in) :: package(*), options(*)
      integer(c_int) :: status
    end function
    function echelon_create_factors(out, l, u, options) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), value :: l, u
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int) :: status
    end function
    function echelon_create_gauss_seidel(out, a, options) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), value :: a
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int) :: status
    end function
    function echelon_create_batch(out, a, count, values, stride, options) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), value :: a, values
      integer(c_int64_t), value :: count, stride
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int) :: status
    end function
    subroutine echelon_destroy(solver) bind(c)
      import
      type(c_ptr), value :: solver
    end subroutine
    function echelon_update(solver, a) bind(c) result(status)
      import
      type(c_ptr), value :: solver, a
      integer(c_int) :: status
    end function
    function echelon_update_factors(solver, l, u) bind(c) result(status)
      import
      type(c_ptr), value :: solver, l, u
      integer(c_int) :: status
    end function

    function echelon_update_batch(solver, values, stride) bind(c) result(status)
      import
      type(c_ptr), value :: solver, values
      integer(c_int64_t), value :: stride
      integer(c_int) :: status
    end function

    function echelon_solve(solver, b, x) bind(c) result(status)
      import
      type(c_ptr), value :: solver, b, x
      integer(c_int) :: status
    end function
    function echelon_solve_many(solver, nrhs, b, ldb, x, ldx, layout) bind(c) result(status)
      import
      type(c_ptr), value :: solver, b, x
      integer(c_int64_t), value :: nrhs, ldb, ldx
      integer(c_int), value :: layout
      integer(c_int) :: status
    end function
    function echelon_solve_refined(solver, a, b, x, steps, backward_error) bind(c) result(status)
      import
      type(c_ptr), value :: solver, a, b, x
      integer(c_int32_t), intent(inout) :: steps
      real(c_double), intent(inout) :: backward_error
      integer(c_int) :: status
    end function
    function echelon_check(solver) bind(c) result(status)
      import
      type(c_ptr), value :: solver
      integer(c_int) :: status
    end function

    function echelon_failed(solver, most, systems, count) bind(c) result(status)
      import
      type(c_ptr), value :: solver, systems
      integer(c_int64_t), value :: most
      integer(c_int64_t), intent(inout) :: count
      integer(c_int) :: status
    end function

    function echelon_create_workspace(out, solver, settings) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: settings(*)
      integer(c_int) :: status
    end function
    function echelon_set(workspace, settings) bind(c) result(status)
      import
      type(c_ptr), value :: workspace
      character(kind=c_char), intent(in) :: settings(*)
      integer(c_int) :: status
    end function
    function echelon_set_vectors(workspace, nrhs, ldb, ldx, layout) bind(c) result(status)
      import
      type(c_ptr), value :: workspace
      integer(c_int64_t), value :: nrhs, ldb, ldx
      integer(c_int), value :: layout
      integer(c_int) :: status
    end function
    function echelon_set_alpha(workspace, alpha) bind(c) result(status)
      import
      type(c_ptr), value :: workspace, alpha
      integer(c_int) :: status
    end function
    function echelon_set_stream(workspace, stream) bind(c) result(status)
      import
      type(c_ptr), value :: workspace, stream
      integer(c_int) :: status
    end function
    function echelon_solve_in(workspace, b, x) bind(c) result(status)
      import
      type(c_ptr), value :: workspace, b, x
      integer(c_int) :: status
    end function
    function echelon_solve_refined_in(workspace, a, b, x, steps, backward_error) &
        bind(c) result(status)
      import
      type(c_ptr), value :: workspace, a, b, x
      integer(c_int32_t), intent(inout) :: steps
      real(c_double), intent(inout) :: backward_error
      integer(c_int) :: status
    end function
    function echelon_check_in(workspace) bind(c) result(status)
      import
      type(c_ptr), value :: workspace
      integer(c_int) :: status
    end function
    function echelon_failed_in(workspace, most, systems, count) bind(c) result(status)
      import
      type(c_ptr), value :: workspace, systems
      integer(c_int64_t), value :: most
      integer(c_int64_t), intent(inout) :: count
      integer(c_int) :: status
    end function
    subroutine echelon_destroy_workspace(workspace) bind(c)
      import
      type(c_ptr), value :: workspace
    end subroutine

    function echelon_report_number(solver, name, value) bind(c) result(status)
      import
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), intent(inout) :: value
      integer(c_int) :: status
    end function
    function echelon_report_text(solver, name, text) bind(c) result(status)
      import
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status
    end function
    function echelon_report(solver, text) bind(c) result(status)
      import
      type(c_ptr), value :: solver
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status
    end function

    function echelon_version() bind(c) result(text)
      import
      type(c_ptr) :: text
    end function
    function echelon_version_number() bind(c) result(number)
      import
      integer(c_int) :: number
    end function
    function echelon_built_with() bind(c) result(text)
      import
      type(c_ptr) :: text
    end function
  end interface
end module echelon_c
