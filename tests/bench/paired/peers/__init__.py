"""The other programs. Each is a class with

- `name`;
- `absent`: None, or why it cannot run here;
- `threads`: whether it can use several;
- `offer(problem)`: what it does for a problem, or None where it has no such kernel.
"""
from dataclasses import dataclass
from typing import Callable


@dataclass
class Offer:
    call: Callable
    """Runs once."""
    result: Callable
    """The answer of the last call: an array, or a matrix of SciPy."""


def every():
    from .c import C
    from .eigen import Eigen
    from .mkl import Inspected, Mkl
    from .mlir import Mlir
    from .numba_loops import Numba
    from .scipy_calls import SciPy

    return [SciPy, Mkl, Inspected, Numba, Eigen, Mlir, C]
