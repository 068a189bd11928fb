! examples/fortran_mpi.f90 -- in Fortran: rank 0 has the matrix, all ranks solve.
! SPDX-License-Identifier: BSD-3-Clause
!
!   mpifort fortran_mpi.f90 $(pkg-config --cflags --libs echelon-fortran-mpi) -o fortran_mpi
! [doc
program ranks
  use echelon
  use echelon_mpi
  use mpi
  implicit none
  integer, target :: start(4) = [1, 3, 6, 8], index(7) = [1, 2, 1, 2, 3, 2, 3]
  real(8), target :: values(7) = [4, -1, -1, 4, -1, -1, 4]
  real(8), allocatable :: b(:), x(:)
  integer(8) :: first, last
  integer :: rank, error
  type(echelon_matrix) :: a          ! not created on the other ranks
  type(echelon_solver) :: solver
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (rank == 0) call a%create(start, index, values)
  call echelon_create_mpi(solver, MPI_COMM_WORLD, ECHELON_DOUBLE, a, 'ic0', 'engine=two_sided')
  call echelon_mpi_rows(solver, first, last)  ! of this rank: here all are on rank 0
  allocate (b(first:last), x(first:last))
  if (rank == 0) b = [3, 2, 3]
  call solver%solve(b, x)
  if (rank == 0) print '(a, 3f6.3)', 'x =', x
  call solver%destroy()              ! before MPI ends
  call MPI_Finalize(error)
end program ranks
! doc]
