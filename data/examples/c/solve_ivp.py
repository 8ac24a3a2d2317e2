"""Integrates a model with scipy's solve_ivp through the shared library.

    python3 solve_ivp.py libweir.so.0 pendulum.weir 2.5

Prints the states at that time, one a line.
"""
import ctypes
import sys

import numpy
from scipy.integrate import solve_ivp

doubles = ctypes.POINTER(ctypes.c_double)


def load(path):
    weir = ctypes.CDLL(path)
    weir.weir_ode_open.restype = ctypes.c_void_p
    weir.weir_ode_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
    weir.weir_ode_close.argtypes = [ctypes.c_void_p]
    weir.weir_ode_get_n.restype = ctypes.c_size_t
    weir.weir_ode_get_n.argtypes = [ctypes.c_void_p]
    weir.weir_ode_get_name.restype = ctypes.c_char_p
    weir.weir_ode_get_name.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    weir.weir_ode_get_start.restype = ctypes.c_double
    weir.weir_ode_get_start.argtypes = [ctypes.c_void_p, doubles]
    weir.weir_ode_rhs.argtypes = [ctypes.c_double, doubles, doubles, ctypes.c_void_p]
    weir.weir_ode_get_failure.restype = ctypes.c_char_p
    weir.weir_ode_get_failure.argtypes = [ctypes.c_void_p]
    return weir


def main(library, model, stop):
    weir = load(library)
    message = ctypes.create_string_buffer(500)
    ode = weir.weir_ode_open(model.encode(), message, len(message))
    if not ode:
        sys.exit(message.value.decode())

    x0 = numpy.zeros(weir.weir_ode_get_n(ode))
    start = weir.weir_ode_get_start(ode, x0.ctypes.data_as(doubles))

    def rhs(t, x):
        x = numpy.ascontiguousarray(x, dtype=float)
        xdot = numpy.empty_like(x)
        if weir.weir_ode_rhs(t, x.ctypes.data_as(doubles), xdot.ctypes.data_as(doubles), ode):
            raise RuntimeError(weir.weir_ode_get_failure(ode).decode())
        return xdot

    solution = solve_ivp(rhs, (start, stop), x0, method="DOP853", rtol=1e-10, atol=1e-12)
    for i, value in enumerate(solution.y[:, -1]):
        print(weir.weir_ode_get_name(ode, i).decode(), repr(float(value)))
    weir.weir_ode_close(ode)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
