! tests/bindings/fortran/stops.f90 -- without stat a failure ends the program, with its text.
! SPDX-License-Identifier: BSD-3-Clause
program stops
  use echelon
  implicit none
  type(echelon_matrix) :: l
  call l%read('not/there')
  print '(a)', 'goes on'
end program stops
