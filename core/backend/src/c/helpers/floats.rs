//! Floats of 16 bits, which C code handles as bit patterns.

use nnz_loops::machine::Float;

pub(super) fn widen(name: &str, float: Float) -> String {
    if float == Float::BF16 {
        return format!(
            "static inline float {name}(uint16_t pattern) {{\n\
             \x20   uint32_t bits = (uint32_t)pattern << 16;\n\
             \x20   float a;\n\
             \x20   memcpy(&a, &bits, sizeof a);\n\
             \x20   return a;\n\
             }}\n"
        );
    }
    format!(
        "static inline float {name}(uint16_t pattern) {{\n\
         \x20   uint32_t sign = (uint32_t)(pattern & 0x8000) << 16, rest = (uint32_t)(pattern & 0x7fff) << 13;\n\
         \x20   float a;\n\
         \x20   if (rest >= 0x0f800000) rest |= 0x7f800000; // infinities and NaN\n\
         \x20   memcpy(&a, &rest, sizeof a);\n\
         \x20   if (rest < 0x7f800000) a *= 0x1p112f; // from one exponent's bias to the other\n\
         \x20   memcpy(&rest, &a, sizeof a);\n\
         \x20   rest |= sign;\n\
         \x20   memcpy(&a, &rest, sizeof a);\n\
         \x20   return a;\n\
         }}\n"
    )
}

/// Of a 16-bit float, as bits of the `double` that is rounded to it.
struct Format {
    /// Bits of the mantissa that are lost.
    lost: u32,
    /// From here on everything rounds to infinity.
    infinite: u64,
    /// Below, numbers have fewer bits.
    normal: u64,
    /// Adding this rounds such a number to a multiple of the least one.
    magic: i32,
    quiet_nan: u16,
    infinity: u16,
}

const F16: Format = Format {
    lost: 42,
    infinite: 0x40ef_fe00_0000_0000,
    normal: 0x3f10_0000_0000_0000,
    magic: 28,
    quiet_nan: 0x7e00,
    infinity: 0x7c00,
};

const BF16: Format = Format {
    lost: 45,
    infinite: 0x47ef_f000_0000_0000,
    normal: 0x3810_0000_0000_0000,
    magic: -81,
    quiet_nan: 0x7fc0,
    infinity: 0x7f80,
};

/// Rounds once, to nearest, ties to even.
pub(super) fn narrow(name: &str, float: Float) -> String {
    let Format { lost, infinite, normal, magic, quiet_nan, infinity } = if float == Float::BF16 { BF16 } else { F16 };
    let half = (1u64 << (lost - 1)) - 1;
    let bias = (normal >> lost) - (1 << (52 - lost));
    let magic_bits = (1023i64 + i64::from(magic)) << 52;
    format!(
        "static inline uint16_t {name}(double a) {{\n\
         \x20   uint64_t bits;\n\
         \x20   memcpy(&bits, &a, sizeof a);\n\
         \x20   uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);\n\
         \x20   bits &= UINT64_C(0x7fffffffffffffff);\n\
         \x20   if (bits > UINT64_C(0x7ff0000000000000)) return sign | {quiet_nan:#x}; // NaN\n\
         \x20   if (bits >= UINT64_C({infinite:#x})) return sign | {infinity:#x};\n\
         \x20   if (bits < UINT64_C({normal:#x})) {{\n\
         \x20       a = (a < 0 ? -a : a) + 0x1p{magic};\n\
         \x20       memcpy(&bits, &a, sizeof a);\n\
         \x20       return (uint16_t)(sign | (bits - UINT64_C({magic_bits:#x})));\n\
         \x20   }}\n\
         \x20   bits += UINT64_C({half:#x}) + (bits >> {lost} & 1);\n\
         \x20   return (uint16_t)(sign | ((bits >> {lost}) - {bias:#x}));\n\
         }}\n"
    )
}
