"""Reads what the kernel knows from NTP daemons of its clock's error; adjtimex(2) needs no right for that."""

import ctypes
from typing import ClassVar

_UNSYNCHRONIZED = 0x40  # STA_UNSYNC of linux/timex.h


class Timex(ctypes.Structure):
    """struct timex of linux/timex.h up to its time; the rest is room for what the kernel writes behind."""

    _fields_: ClassVar = [
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("constant", ctypes.c_long),
        ("precision", ctypes.c_long),
        ("tolerance", ctypes.c_long),
        ("seconds", ctypes.c_long),
        ("rest", ctypes.c_byte * 256),
    ]


def asked() -> Timex:
    """The kernel's answer; OSError where it may not be asked."""
    timex = Timex()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.adjtimex(ctypes.byref(timex)) < 0:
        raise OSError(ctypes.get_errno(), "adjtimex is not allowed")
    return timex


def error_seconds() -> float:
    """Most that the clock can be off; NaN where nobody has synchronized it, or nobody may ask."""
    try:
        timex = asked()
    except OSError:
        return float("nan")
    return float("nan") if timex.status & _UNSYNCHRONIZED else timex.maxerror / 1e6
