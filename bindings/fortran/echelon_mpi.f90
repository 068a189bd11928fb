! bindings/fortran/echelon_mpi.f90 -- module echelon_mpi: solvers on MPI ranks.
! SPDX-License-Identifier: BSD-3-Clause
!
! Every call with such a solver is collective.  The matrix is rank 0's; on other ranks it is one that
! was not created.  `comm` is an integer, as of modules mpi and mpif.h; of mpi_f08 pass comm%mpi_val.
module echelon_mpi
  use, intrinsic :: iso_c_binding
  use echelon
  use echelon_text
  implicit none
  private
  public :: echelon_create_mpi, echelon_create_mpi_factors, echelon_mpi_rows

  interface
    function create_f(out, comm, scalar, a, package, options) &
        bind(c, name='echelon_fortran_create_mpi') result(status)
      import
      type(c_ptr), intent(inout) :: out
      integer(c_int), value :: comm, scalar
      type(c_ptr), value :: a
      character(kind=c_char), intent(in) :: package(*), options(*)
      integer(c_int) :: status
    end function
    function create_factors_f(out, comm, scalar, l, u, options) &
        bind(c, name='echelon_fortran_create_mpi_factors') result(status)
      import
      type(c_ptr), intent(inout) :: out
      integer(c_int), value :: comm, scalar
      type(c_ptr), value :: l, u
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int) :: status
    end function
    function mpi_rows(solver, begin, end) bind(c, name='echelon_mpi_rows') result(status)
      import
      type(c_ptr), value :: solver
      integer(c_int64_t), intent(inout) :: begin, end
      integer(c_int) :: status
    end function
  end interface

  ! A procedure of the module must not have the name of one of C.
  interface echelon_create_mpi
    module procedure create_mpi
  end interface
  interface echelon_create_mpi_factors
    module procedure create_mpi_factors
  end interface
  interface echelon_mpi_rows
    module procedure rows_of
  end interface

contains

  ! A x = b, factored on rank 0 with `package`.  `scalar` (ECHELON_DOUBLE, ...), package and options
  ! are the same on all ranks.
  subroutine create_mpi(solver, comm, scalar, a, package, options, stat, errmsg)
    type(echelon_solver), intent(inout) :: solver
    integer, intent(in) :: comm
    integer(c_int), intent(in) :: scalar
    type(echelon_matrix), intent(in) :: a
    character(len=*), intent(in) :: package
    character(len=*), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer(c_int) :: status
    made = c_null_ptr
    status = create_f(made, int(comm, c_int), scalar, a%handle, c_text(package), c_text(options))
    call take(solver, made, status, scalar, stat, errmsg)
  end subroutine

  ! L U x = b
  subroutine create_mpi_factors(solver, comm, scalar, l, u, options, stat, errmsg)
    type(echelon_solver), intent(inout) :: solver
    integer, intent(in) :: comm
    integer(c_int), intent(in) :: scalar
    type(echelon_matrix), intent(in) :: l, u
    character(len=*), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer(c_int) :: status
    made = c_null_ptr
    status = create_factors_f(made, int(comm, c_int), scalar, l%handle, u%handle, c_text(options))
    call take(solver, made, status, scalar, stat, errmsg)
  end subroutine

  subroutine take(solver, made, status, scalar, stat, errmsg)
    type(echelon_solver), intent(inout) :: solver
    type(c_ptr), intent(in) :: made
    integer(c_int), intent(in) :: status, scalar
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: begin, end
    begin = 0
    end = 0
    if (status == ECHELON_OK) then
      if (mpi_rows(made, begin, end) /= ECHELON_OK) end = begin
    end if
    call solver%adopt(made, end - begin, scalar)
    call finish(status, stat, errmsg)
  end subroutine

  ! This rank's vectors hold rows first to last, counted from 1: all on rank 0, or by
  ! ranks.vectors=ranges.
  subroutine rows_of(solver, first, last, stat, errmsg)
    type(echelon_solver), intent(in) :: solver
    integer(c_int64_t), intent(out) :: first, last
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    first = 0
    last = 0
    call finish(mpi_rows(solver%handle, first, last), stat, errmsg)
    first = first + 1
  end subroutine

end module echelon_mpi
