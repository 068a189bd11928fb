! tests/install/consumer/fortran.f90 -- a user's program in Fortran: solves, prints a report.
! SPDX-License-Identifier: BSD-3-Clause
program user
  use echelon
  implicit none
  integer, target :: start(3) = [1, 2, 4], index(3) = [1, 1, 2]
  complex(8), target :: values(3) = [(0d0, 2d0), (1d0, 0d0), (4d0, 0d0)]
  complex(8) :: x(2) = [(0d0, 2d0), (5d0, 0d0)]
  type(echelon_matrix) :: l
  type(echelon_solver) :: solver
  call l%create(start, index, values)
  call solver%create_triangle(l)
  call solver%solve(x)
  print '(a)', solver%report()
  if (any(abs(x - 1) > 1d-15)) error stop 'x is wrong'
end program user
