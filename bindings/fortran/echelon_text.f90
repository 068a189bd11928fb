! bindings/fortran/echelon_text.f90 -- texts to and from C, and failures as stat, errmsg or error stop.
! SPDX-License-Identifier: BSD-3-Clause
module echelon_text
  use, intrinsic :: iso_c_binding
  use echelon_c, only: ECHELON_OK, ECHELON_BAD_ARGUMENT, echelon_last_error
  implicit none
  private
  public :: c_text, f_text, finish, refuse, number_text

  interface
    function strlen(text) bind(c) result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! For C: without trailing blanks, and ended; "" where it is absent.
  function c_text(text) result(ended)
    character(len=*), intent(in), optional :: text
    character(len=:, kind=c_char), allocatable :: ended
    ended = c_null_char
    if (present(text)) ended = trim(text) // c_null_char
  end function

  function f_text(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: copy
    character(kind=c_char), pointer :: letters(:)
    integer :: k
    if (.not. c_associated(text)) then
      copy = ''
      return
    end if
    call c_f_pointer(text, letters, [strlen(text)])
    allocate (character(len=size(letters)) :: copy)
    do k = 1, size(letters)
      copy(k:k) = letters(k)
    end do
  end function

  function number_text(number) result(text)
    integer(c_int64_t), intent(in) :: number
    character(len=:), allocatable :: text
    character(len=20) :: digits
    write (digits, '(i0)') number
    text = trim(digits)
  end function

  ! Ends a call: as ALLOCATE does, a failure without stat ends the program.
  subroutine finish(status, stat, errmsg)
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    if (present(stat)) stat = status
    if (status == ECHELON_OK) return
    call report_failure(f_text(echelon_last_error(c_null_ptr)), .not. present(stat), errmsg)
  end subroutine

  ! What C cannot see: sizes and types of arrays.
  subroutine refuse(text, stat, errmsg)
    character(len=*), intent(in) :: text
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    if (present(stat)) stat = ECHELON_BAD_ARGUMENT
    call report_failure(text, .not. present(stat), errmsg)
  end subroutine

  subroutine report_failure(text, is_last, errmsg)
    character(len=*), intent(in) :: text
    logical, intent(in) :: is_last
    character(len=*), intent(inout), optional :: errmsg
    if (present(errmsg)) errmsg = text
    if (is_last) error stop 'echelon: ' // text
  end subroutine

end module echelon_text
