! examples/fortran_batch.f90 -- in Fortran: a thousand triangles of one pattern, one of them singular.
! SPDX-License-Identifier: BSD-3-Clause
program batch
  use echelon
  implicit none
  integer, parameter :: count = 1000
  integer, target :: start(4) = [1, 2, 4, 6], index(5) = [1, 1, 2, 2, 3]
  real(8), target :: values(5, count)
  real(8) :: b(3, count), x(3, count)
  integer :: k
  type(echelon_matrix) :: pattern
  type(echelon_solver) :: solver
  ! [doc
  do k = 1, count                              ! a . .
    values(:, k) = [1, 2, 3, 4, 5] + (k - 2)   ! b c .
    b(:, k) = k - 1                            ! . d e
  end do
  call pattern%create(start, index, values(:, 1))
  call solver%create_batch(pattern, values)
  call solver%solve(b, x)                      ! one right-hand side of each system
  print '(a, f7.4)', 'x(1, 1000) =', x(1, 1000)
  print '(a, *(i5))', 'failed:', solver%failed()  ! a is zero in system 1

  values(1, 1) = 1
  call solver%update_batch(values)
  call solver%solve(b, x)
  call solver%check()                          ! an error if any failed
  print '(a, f7.4)', 'now all are solved, x(1, 1) =', x(1, 1)
  ! doc]
end program batch
