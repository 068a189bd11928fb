! tests/bindings/fortran/calls.f90 -- calls of module echelon: all types, shapes, settings, refusals.
! SPDX-License-Identifier: BSD-3-Clause
program calls
  use, intrinsic :: iso_c_binding
  use echelon
  implicit none
  integer :: failures = 0
  ! L x = (2, 5, 10) has x = (1, 2, 2)
  integer(4), target :: start(4) = [1, 2, 4, 6], index(5) = [1, 1, 2, 2, 3]
  integer(8), target :: start8(4) = [1, 2, 4, 6], index8(5) = [1, 1, 2, 2, 3]
  real(8), target :: values(5) = [2, 1, 2, 2, 3], other(5) = [1, 1, 1, 1, 1]

  call all_types()
  call all_integers()
  call several()
  call updates()
  call workspaces()
  call batches()
  call batches_refuse()
  call reports()
  call refusals()
  call scopes()
  if (failures > 0) error stop 1
  print '(a)', 'all as expected'

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print '(2a)', 'not so: ', what
  end subroutine

  ! A call failed with this status and these words.
  subroutine expect_refused(stat, expected, message, words)
    integer, intent(in) :: stat, expected
    character(len=*), intent(in) :: message, words
    call expect(stat == expected .and. index_of(message, words), &
                words // ': ' // echelon_status_name(stat) // ': ' // trim(message))
  end subroutine
  function index_of(message, words) result(found)
    character(len=*), intent(in) :: message, words
    logical :: found
    found = scan_for(message, words) > 0
  end function
  function scan_for(message, words) result(place)
    intrinsic :: index
    character(len=*), intent(in) :: message, words
    integer :: place
    place = index(message, words)
  end function

  subroutine all_types()
    type(echelon_matrix) :: l
    type(echelon_solver) :: solver
    real(4), target :: s(5)
    complex(4), target :: c(5)
    complex(8), target :: z(5)
    real(4) :: bs(3) = [2, 5, 10], xs(3)
    complex(4) :: bc(3) = [2, 5, 10], xc(3)
    complex(8) :: bz(3) = [2, 5, 10], xz(3)
    s = real(values, 4)
    c = cmplx(values, kind=4)
    z = values * (0d0, 1d0)
    call l%create(start, index, s)
    call solver%create_triangle(l)
    call solver%solve(bs, xs)
    call expect(all(xs == [1, 2, 2]), 'real(4)')
    call l%create(start, index, c)
    call solver%create_triangle(l)
    call solver%solve(bc, xc)
    call expect(all(xc == [1, 2, 2]), 'complex(4)')
    call l%create(start, index, z, 'op=h')
    call l%create(start, index, z)
    call solver%create_triangle(l)
    call solver%solve(bz, xz)
    call expect(all(abs(xz - [1, 2, 2] * (0d0, -1d0)) < 1d-15), 'complex(8)')
    call solver%solve(bz)
    call expect(all(bz == xz), 'in place')
  end subroutine

  subroutine all_integers()
    type(echelon_matrix) :: l
    type(echelon_solver) :: solver
    integer(4), target :: start0(4), index0(5)
    real(8) :: x(3)
    call l%create(start8, index8, values)
    call solver%create_triangle(l)
    x = [2, 5, 10]
    call solver%solve(x)
    call expect(all(x == [1, 2, 2]), 'integers of 64 bits')
    call l%create(start8, index, values, 'uplo=lower')
    call solver%create_triangle(l)
    x = [2, 5, 10]
    call solver%solve(x)
    call expect(all(x == [1, 2, 2]), 'mixed integers')
    start0 = start - 1
    index0 = index - 1
    call l%create(start0, index0, values, 'base=0')
    call expect(l%n() == 3 .and. l%nnz() == 5, 'sizes')
    call solver%create_triangle(l)
    x = [2, 5, 10]
    call solver%solve(x)
    call expect(all(x == [1, 2, 2]), 'base=0')
  end subroutine

  ! Also with gaps, which are copied, and by rows.
  subroutine several()
    type(echelon_matrix) :: l
    type(echelon_solver) :: solver
    real(8) :: b(3, 4), x(3, 4), wide(5, 4), rows(4, 3), vector(6)
    real(8), target :: device(6)
    integer :: k
    call l%create(start, index, values)
    call solver%create_triangle(l, 'cpu.threads=1')
    do k = 1, 4
      b(:, k) = [2, 5, 10] * k
    end do
    call solver%solve(b, x)
    call expect(all(x(3, :) == [2, 4, 6, 8]), 'four right-hand sides')
    call solver%solve(b(:, 2:3), x(:, 1:2))
    call expect(all(x(3, :) == [4, 6, 6, 8]), 'two of them')
    wide = 7
    call solver%solve(b, wide(2:4, :))
    call expect(all(wide(4, :) == [2, 4, 6, 8]) .and. all(wide(5, :) == 7), 'a section')
    rows = transpose(b)
    call solver%solve(rows, layout=ECHELON_ROW_MAJOR)
    call expect(all(rows(:, 3) == [2, 4, 6, 8]), 'by rows')
    vector = 0
    vector(1:5:2) = [2, 5, 10]
    call solver%solve(vector(1:5:2))
    call expect(all(vector == [1, 0, 2, 0, 2, 0]), 'every second entry')
    device = [2, 5, 10, 4, 10, 20]
    call solver%solve(c_loc(device), c_loc(device), nrhs=2)
    call expect(all(device == [1, 2, 2, 2, 4, 4]), 'addresses')
    call solver%check()
  end subroutine

  subroutine updates()
    type(echelon_matrix) :: l, u, wrong
    type(echelon_solver) :: solver
    real(8) :: x(3)
    integer :: stat
    real(8), target :: zero(5)
    character(len=200) :: message
    call l%create(start, index, values)
    call solver%create_direct(l, 'ilu0', 'factor.order=natural')
    call l%set_values(other)
    call solver%update(l)
    x = [1, 3, 4]
    call solver%solve(x)
    call expect(all(x == [1, 2, 2]), 'other values')
    zero = values
    zero(5) = 0
    call wrong%create(start, index, zero)
    call solver%update(wrong, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_ZERO_DIAGONAL, message, 'count from 1 it is 3')
    call expect(echelon_error_row() == 3, 'the row counts from 1')
    call solver%solve(x, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'the last update of this solver failed')
    call l%create(start, index, values)
    call u%create(start, index, values, 'op=t')
    call solver%create_factors(l, u)
    call solver%update(l, u)
    x = [2, 5, 10]
    call solver%solve(x)
    call expect(abs(x(3) - 2d0 / 3) < 1d-15, 'factors')
  end subroutine

  subroutine workspaces()
    type(echelon_matrix) :: l
    type(echelon_solver) :: solver
    type(echelon_workspace) :: w
    real(8) :: x(3), b(3) = [2, 5, 10], bs(3, 2), xs(3, 2), error
    integer :: steps
    call l%create(start, index, values)
    call solver%create_triangle(l)
    call w%create(solver, 'op=t')
    call w%set_alpha(2d0)
    call w%set_stream(c_null_ptr)
    x = [1, 2, 3]
    call w%solve(x)
    call expect(all(x == [1, 0, 2]), 'the transpose, twice')
    call w%set('op=n')
    call w%solve(b, x)
    call expect(all(x == [2, 4, 4]), 'alpha stays')
    call w%check()
    call solver%create_direct(l, 'ilu0', 'factor.order=natural')
    call solver%solve_refined(l, b, x, steps, error)
    call expect(all(x == [1, 2, 2]) .and. error == 0 .and. steps >= 0, 'refined')
    bs(:, 1) = b
    bs(:, 2) = 2 * b
    call solver%solve_refined(l, bs, xs)
    call expect(all(xs(:, 2) == [2, 4, 4]), 'two refined')
    call w%create(solver, 'steps=1')
    call w%solve_refined(l, bs, xs, backward_error=error)
    call expect(all(xs(:, 1) == [1, 2, 2]) .and. error == 0, 'two refined in a workspace')
    call solver%create_gauss_seidel(l, 'smoother.direction=forward')
    call w%create(solver, 'guess=zero')
    call w%solve(b, x)
    call expect(all(x == [1, 2, 2]), 'a sweep')
  end subroutine

  ! Two systems of one pattern, (1, 2, 2) times 1 and 2 in x, and the same with the transposes.
  subroutine batches()
    type(echelon_matrix) :: l, c
    type(echelon_solver) :: solver
    type(echelon_workspace) :: w
    real(8) :: two(5, 2), b(3, 2), x(3, 2), rows(2, 3), four(3, 4)
    complex(4) :: z(3, 2)
    call l%create(start, index, values)
    two(:, 1) = values
    two(:, 2) = other
    call solver%create_batch(l, two, 'cpu.threads=2')
    b(:, 1) = [2, 5, 10]
    b(:, 2) = [2, 6, 8]
    call solver%solve(b, x)
    call expect(all(x(:, 1) == [1, 2, 2]) .and. all(x(:, 2) == [2, 4, 4]), 'a batch')
    rows = transpose(b)
    call solver%solve(rows, layout=ECHELON_ROW_MAJOR)
    call expect(all(rows == transpose(x)), 'a batch by rows')
    four(:, 1) = b(:, 1)
    four(:, 2) = -b(:, 1)
    four(:, 3) = b(:, 2)
    four(:, 4) = b(:, 2) / 2
    call solver%solve(four)
    call expect(all(four(:, 2) == [-1, -2, -2]) .and. all(four(:, 4) == [1, 2, 2]), 'two of each')
    call expect(size(solver%failed()) == 0, 'none failed')
    call w%create(solver, 'op=t')
    b(:, 1) = [4, 8, 6]
    b(:, 2) = [3, 4, 2]
    call w%solve(b)
    call expect(all(b(:, 1) == [1, 2, 2]) .and. all(b(:, 2) == [1, 2, 2]), 'a batch transposed')
    two(5, 2) = 0
    call solver%update_batch(two)
    call w%solve(b, x)
    call expect(all(w%failed() == [2]) .and. size(w%failed()) == 1, 'the second failed')
    call expect(all(solver%failed() == [2]) .and. size(solver%failed()) == 1, 'it is refused')
    call expect(x(3, 1) == 2d0 / 3 .and. x(1, 2) /= x(1, 2), 'and the first is solved')
    call c%create(start, index, cmplx_values())
    call solver%create_batch(c, reshape([cmplx_values(), 2 * cmplx_values()], [5, 2]))
    z = reshape([2, 5, 10, 2, 5, 10], [3, 2])
    call solver%solve(z)
    call expect(all(abs(2 * z(:, 2) - z(:, 1)) < 1e-6) .and. abs(z(1, 1) + (0, 1)) < 1e-6, 'complex')
  end subroutine
  function cmplx_values() result(v)
    complex(4), pointer :: v(:)
    complex(4), save, target :: kept(5)
    kept = cmplx(0, values, 4)
    v => kept
  end function

  subroutine batches_refuse()
    type(echelon_matrix) :: l
    type(echelon_solver) :: solver
    real(8) :: two(5, 2) = 1, x(3, 2) = 1
    integer :: stat
    integer, allocatable :: systems(:)
    character(len=200) :: message
    call solver%create_batch(l, two, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'is NULL')
    call solver%update_batch(two, stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'is NULL')
    call l%create(start, index, values)
    call solver%create_batch(l, two(1:4, :), stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'have the shape (4, 2), not (5, 2)')
    call solver%create_batch(l, real(two), stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'values are real(4); the matrix has')
    call solver%create_batch(l, two, 'batch.form=mixed', stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'mixed')
    call solver%create_batch(l, two)
    call solver%update_batch(two(:, 1:1), stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'have the shape (5, 1), not (5, 2)')
    call solver%update_batch((1, 0) * two, stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'are complex(8); the matrix has real(8)')
    call solver%solve(x(:, 1), stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, '1 vectors for 2 systems')
    call solver%solve(x)
    call solver%create_triangle(l)
    allocate (systems(1))
    systems = solver%failed(stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'is of one system')
    call expect(size(systems) == 0, 'no systems')
    call solver%update_batch(two, stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'use echelon_update')
  end subroutine

  subroutine reports()
    type(echelon_matrix) :: l
    type(echelon_solver) :: solver
    call l%create(start, index, values)
    call solver%create_triangle(l)
    call expect(solver%report_number('levels') == 3, 'levels')
    call expect(solver%report_text('backend') == 'cpu', 'backend')
    call expect(index_of(solver%report(), 'levels'), 'the report')
    call expect(index_of(echelon_version(), '.'), 'the version')
    call expect(index_of(echelon_built_with(), 'ilu0'), 'the parts')
  end subroutine

  subroutine refusals()
    type(echelon_matrix) :: l
    type(echelon_solver) :: solver
    type(echelon_workspace) :: w
    real(8) :: x(3), y(4), xs(2, 3)
    real(4) :: s(3)
    real(8), target :: gaps(10)
    integer :: stat
    character(len=200) :: message
    integer, target :: none(0)
    real(8), target :: nothing(0)
    call solver%solve(x, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'is NULL')
    call l%create(start, index, values(1:4), stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'counts 5 entries, but index has 5 and')
    call l%create(start, index, gaps(1::2), stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'section with gaps')
    call l%create(none, none, nothing, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'start is empty')
    call l%create(start, index, values, 'base=0', stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'say base=1')
    call expect(l%n() == -1, 'no matrix is left')
    call l%read('not/there', stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_FILE, message, 'not/there')
    call l%create(start, index, values)
    call l%set_values(values(1:3), stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'values 3')
    call solver%create_triangle(l, 'cpu.thread=1', stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'cpu.threads')
    call solver%create_triangle(l)
    call solver%solve(y, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'have 4 entries per vector for 3')
    call solver%solve(y(1:3), y, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'differ in shape')
    call solver%solve(xs, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'have 2 entries per vector for 3')
    call solver%solve(s, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'are real(4); the matrix has real(8)')
    call w%create(solver)
    call w%set_alpha(1.0, stat=stat, errmsg=message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'alpha is real')
    call w%set('sweeps=2', stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'has no sweeps')
    x(1) = solver%report_number('level', stat, message)
    call expect_refused(stat, ECHELON_BAD_ARGUMENT, message, 'levels')
    call solver%destroy()
    call solver%destroy()
    call expect(echelon_status_name(-5) == 'unknown', 'the name of no status')
  end subroutine

  ! Objects are destroyed at the end of their scope: valgrind counts.
  subroutine scopes()
    integer :: k
    do k = 1, 20
      block
        type(echelon_matrix) :: l
        type(echelon_solver), allocatable :: solver
        type(echelon_workspace) :: w
        real(8) :: x(3)
        allocate (solver)
        call l%create(start, index, values)
        call solver%create_triangle(l)
        call w%create(solver)
        deallocate (solver)
        x = [2, 5, 10]
        call w%solve(x)
        call expect(all(x == [1, 2, 2]), 'a workspace outlives its solver')
      end block
    end do
  end subroutine
end program calls
