! examples/fortran_gauss_seidel.f90 -- in Fortran: Gauss-Seidel sweeps until the change is small.
! SPDX-License-Identifier: BSD-3-Clause
program gauss_seidel
  use echelon
  implicit none
  integer, parameter :: n = 100
  integer, target :: start(n + 1), index(3 * n)
  real(8), target :: values(3 * n)
  real(8) :: b(n) = 1, x(n) = 0, former(n)
  integer :: i, j, k, calls = 0
  type(echelon_matrix) :: a
  type(echelon_solver) :: solver
  type(echelon_workspace) :: two
  k = 1
  do i = 1, n                        ! tridiag(-1, 4, -1)
    start(i) = k
    do j = max(1, i - 1), min(n, i + 1)
      index(k) = j
      values(k) = merge(4, -1, i == j)
      k = k + 1
    end do
  end do
  start(n + 1) = k
  ! [doc
  call a%create(start, index, values)
  call solver%create_gauss_seidel(a, 'smoother.direction=symmetric')
  call two%create(solver, 'sweeps=2')  ! two sweeps per call, from the x that is given
  do
    former = x
    call two%solve(b, x)
    calls = calls + 1
    if (maxval(abs(x - former)) <= 1e-12) exit
  end do
  print '(a, f9.6, a, i0, a)', 'x(51) =', x(51), ' after ', calls, ' calls'
  ! doc]
end program gauss_seidel
