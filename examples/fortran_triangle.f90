! examples/fortran_triangle.f90 -- in Fortran: a triangle in arrays, solved once.
! SPDX-License-Identifier: BSD-3-Clause
! [doc
program triangle
  use echelon
  implicit none
  integer, target :: start(4) = [1, 2, 4, 6], index(5) = [1, 1, 2, 2, 3]
  real(8), target :: values(5) = [2, 1, 2, 2, 3]  ! 2 . .
  real(8) :: b(3) = [2, 5, 10], x(3)              ! 1 2 .
  type(echelon_matrix) :: l                       ! . 2 3
  type(echelon_solver) :: solver
  call l%create(start, index, values)
  call solver%create_triangle(l, 'cpu.threads=2')
  call solver%solve(b, x)
  print '(a, 3f4.1)', 'x =', x
end program triangle
! doc]
