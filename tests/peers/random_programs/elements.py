"""Element types. Integers are held in int64, floats in float64, complex numbers in complex128; `settle` brings a computed value
back into the type: integers wrap, a float that the type cannot hold exactly is refused."""
from dataclasses import dataclass

import numpy as np

from .choices import Redraw


@dataclass(frozen=True)
class Element:
    name: str
    kind: str  # float, integer or complex
    bits: int
    printer: str = ""  # what MLIR's run-time library calls the function that prints a buffer of it

    @property
    def dtype(self):
        return {"float": np.float64, "integer": np.int64, "complex": np.complex128}[self.kind]

    @property
    def is_float(self):
        return self.kind == "float"

    @property
    def is_integer(self):
        return self.kind == "integer"

    @property
    def is_complex(self):
        return self.kind == "complex"

    def zeros(self, shape):
        return np.zeros(shape, self.dtype)

    def text(self, value):
        if self.is_complex:
            value = complex(value)
            return f"({value.real!r}, {value.imag!r})"
        if self.is_float:
            return repr(float(value))
        if self.bits == 1:
            return "true" if value else "false"
        return str(int(value))

    def constant(self, value):
        """The text of `arith.constant` after its name, or of `complex.constant`."""
        if self.is_complex:
            value = complex(value)
            part = self.name[8:-1]
            return f"complex.constant [{value.real!r} : {part}, {value.imag!r} : {part}] : {self.name}"
        return f"arith.constant {self.text(value)}" + ("" if self.bits == 1 else f" : {self.name}")

    def attribute(self, value):
        """A number with its type, as attributes of encodings are written."""
        if self.is_complex:
            value, part = complex(value), self.name[8:-1]
            return f"#complex.number<:{part} {value.real!r}, {value.imag!r}> : {self.name}"
        return self.text(value) + ("" if self.bits == 1 else f" : {self.name}")

    def settle(self, values):
        if self.is_integer:
            return self.wrap(np.asarray(values, np.int64))
        parts = [values.real, values.imag] if self.is_complex else [values]
        if not all(self.holds(np.asarray(part, np.float64)) for part in parts):
            raise Redraw
        return values

    def wrap(self, values):
        if self.bits == 64:
            return values
        if self.bits == 1:
            return values & 1
        half = np.int64(1 << (self.bits - 1))
        return ((values + half) & ((1 << self.bits) - 1)) - half

    def holds(self, values):
        if not np.all(np.isfinite(values)) or np.any(np.abs(values) > 60000):
            return False
        if self.name == "bf16":
            return not np.any(values.astype(np.float32).view(np.uint32) & 0xFFFF) and np.all(values.astype(np.float32) == values)
        if self.name == "f16":
            return np.all(values.astype(np.float16).astype(np.float64) == values)
        if self.name in ("f32", "complex<f32>"):
            return np.all(values.astype(np.float32).astype(np.float64) == values)
        return np.all(values == np.round(values * 4096) / 4096)

    def add_up(self, magnitudes, grain):
        """Refuses terms of these magnitudes, all multiples of `grain`, whose sum is not exact in any order."""
        if not self.is_integer and np.any(magnitudes > grain * float(1 << DIGITS[self.name])):
            raise Redraw

    def unsigned(self, values):
        """The values of an integer type as Python's numbers without sign."""
        return np.asarray(values, np.int64).view(np.uint64) & np.uint64((1 << self.bits) - 1 if self.bits < 64 else 2**64 - 1)


def grain(values):
    """The greatest power of two, not above 1, that all the values are multiples of."""
    parts = np.stack([np.real(values), np.imag(values)]).astype(np.float64) * FINEST
    if not np.all(np.isfinite(parts)) or np.any(parts != np.round(parts)) or np.any(np.abs(parts) > 2.0**62):
        raise Redraw
    whole = np.bitwise_or.reduce(np.abs(parts).astype(np.int64), axis=None) | int(FINEST)
    return float(whole & -whole) / FINEST


FINEST = 2.0**30
DIGITS = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8, "complex<f64>": 53, "complex<f32>": 24}
"""How many binary digits a number of the type has."""
F64 = Element("f64", "float", 64, "printMemrefF64")
F32 = Element("f32", "float", 32, "printMemrefF32")
F16 = Element("f16", "float", 16)
BF16 = Element("bf16", "float", 16)
I64 = Element("i64", "integer", 64, "printMemrefI64")
I32 = Element("i32", "integer", 32, "printMemrefI32")
I16 = Element("i16", "integer", 16)
I8 = Element("i8", "integer", 8)
I1 = Element("i1", "integer", 1)
INDEX = Element("index", "integer", 64)
C64 = Element("complex<f64>", "complex", 128, "printMemrefC64")
C32 = Element("complex<f32>", "complex", 64, "printMemrefC32")
ALL = [F64, F32, I64, I32, I16, I8, F16, BF16, C64, C32, INDEX, I1]
