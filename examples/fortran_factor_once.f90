! examples/fortran_factor_once.f90 -- in Fortran: factor a matrix once, solve often, take over new values.
! SPDX-License-Identifier: BSD-3-Clause
program factor_once
  use echelon
  implicit none
  integer, parameter :: n = 1000
  integer, target :: start(n + 1), index(3 * n)
  real(8), target :: values(3 * n)
  real(8) :: b(n, 2), x(n, 2), error
  integer :: steps, stat
  character(len=200) :: message
  type(echelon_matrix) :: a
  type(echelon_solver) :: solver
  call chain(4d0)
  ! [doc
  ! The package is cholmod, superlu, ilu0, ...: see echelon_built_with().
  call a%create(start, index, values)
  call solver%create_direct(a, 'ic0', 'factor.order=natural')
  b(:, 1) = 1
  b(:, 2) = 2
  call solver%solve(b, x)                    ! two right-hand sides
  print '(a, f7.4, a, f7.4)', 'x(501) =', x(501, 1), ' and', x(501, 2)

  call solver%solve_refined(a, b(:, 1), x(:, 1), steps, error)
  print '(i0, a, l2)', steps, ' steps of refinement, error below 1e-15:', error < 1e-15

  call chain(3d0)                            ! the same pattern with other values
  call solver%update(a)
  call solver%solve(b(:, 1))                 ! in place
  print '(a, f7.4)', 'x(501) =', b(501, 1)

  values(1) = -1                             ! not positive definite
  call solver%update(a, stat=stat, errmsg=message)
  print '(a)', echelon_status_name(stat)
  print '(a, i0)', 'row ', echelon_error_row()
  ! doc]
contains
  subroutine chain(diagonal)  ! tridiag(-1, diagonal, -1) by rows
    real(8), intent(in) :: diagonal
    integer :: i, j, k
    k = 1
    do i = 1, n
      start(i) = k
      do j = max(1, i - 1), min(n, i + 1)
        index(k) = j
        values(k) = merge(diagonal, -1d0, i == j)
        k = k + 1
      end do
    end do
    start(n + 1) = k
  end subroutine
end program factor_once
