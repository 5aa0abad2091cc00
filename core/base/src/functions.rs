//! Functions of numbers, one row of a table each. The row gives its name in the notation, in loops, in C (`sqrt`,
//! `csqrt`) and in MLIR (`math.sqrt`), the types that it takes, its value in the interpreter and in machine code, its
//! value for an absent operand, its line in help, and its operation of the dialect `math`.

mod complex;
mod hyperbolic;

use hyperbolic::InverseHyperbolic;
use num_complex::Complex64;

pub use complex::Written;

/// Calls `$define` with the rows of all functions of one number:
///
/// - the variant, the name, and a line for readers;
/// - the value: `each`, computed in the operand's own precision (the narrow types' is `f32`), or `double`, in double precision
///   for every type;
/// - of complex numbers `library`, the function that C's library has by this name with a `c` in front, `written`, a formula
///   of [`Written`], or `none`.
#[macro_export]
macro_rules! unary_functions {
    ($define:ident) => {
        $define! {
            Floor "floor" "rounded down" each |x| x.floor(), none;
            Ceil "ceil" "rounded up" each |x| x.ceil(), none;
            Round "round" "to the nearest whole number, halves away from zero" each |x| x.round(), none;
            Trunc "trunc" "rounded towards zero" each |x| x.trunc(), none;
            Sqrt "sqrt" "the square root" each |x| x.sqrt(), library csqrt;
            Cbrt "cbrt" "the cube root" each |x| x.cbrt(), none;
            Exp "exp" "e to the power x" each |x| x.exp(), library cexp;
            Exp2 "exp2" "2 to the power x" each |x| x.exp2(), written Exp2;
            Expm1 "expm1" "exp(x) - 1, precise near 0" each |x| x.exp_m1(), written Expm1;
            Log "log" "the natural logarithm" each |x| x.ln(), library clog;
            Log2 "log2" "the logarithm to base 2" each |x| x.log2(), written Log2;
            Log10 "log10" "the logarithm to base 10" each |x| x.log10(), written Log10;
            Log1p "log1p" "log(1 + x), precise near 0" each |x| x.ln_1p(), written Log1p;
            Sin "sin" "the sine" each |x| x.sin(), library csin;
            Cos "cos" "the cosine" each |x| x.cos(), library ccos;
            Tan "tan" "the tangent" each |x| x.tan(), library ctan;
            Asin "asin" "the inverse sine" each |x| x.asin(), library casin;
            Acos "acos" "the inverse cosine" each |x| x.acos(), library cacos;
            Atan "atan" "the inverse tangent" each |x| x.atan(), library catan;
            Sinh "sinh" "the hyperbolic sine" each |x| x.sinh(), library csinh;
            Cosh "cosh" "the hyperbolic cosine" each |x| x.cosh(), library ccosh;
            Tanh "tanh" "the hyperbolic tangent" each |x| x.tanh(), library ctanh;
            Asinh "asinh" "the inverse hyperbolic sine" each |x| x.inverse_sinh(), library casinh;
            Acosh "acosh" "the inverse hyperbolic cosine" each |x| x.inverse_cosh(), library cacosh;
            Atanh "atanh" "the inverse hyperbolic tangent" each |x| x.inverse_tanh(), library catanh;
            Erf "erf" "the error function" double |x| libm::erf(x), none;
        }
    };
}

/// Calls `$define` with the rows of all functions of two floats: the variant, the name, the arguments, a line for readers, and
/// the value.
#[macro_export]
macro_rules! binary_functions {
    ($define:ident) => {
        $define! {
            Atan2 "atan2" "y, x" "the angle of the point (x, y)" |y, x| y.atan2(x);
        }
    };
}

/// What a table says of a function of one number.
struct UnaryRow {
    name: &'static str,
    summary: &'static str,
    single: extern "C" fn(f32) -> f32,
    double: extern "C" fn(f64) -> f64,
    is_double: bool,
    complex: Option<ComplexForm>,
    /// The real and the imaginary part of its value for `(re, im)`.
    parts: [extern "C" fn(f64, f64) -> f64; 2],
}

/// How a function of complex numbers is computed, in double precision.
#[derive(Clone, Copy, Debug)]
pub enum ComplexForm {
    /// By C's library.
    Library(extern "C" fn(Complex64) -> Complex64),
    Written(Written),
}

macro_rules! single {
    (each |$x:ident| $value:expr) => {{
        extern "C" fn single($x: f32) -> f32 {
            $value
        }
        single
    }};
    (double |$x:ident| $value:expr) => {{
        extern "C" fn single(narrow: f32) -> f32 {
            let $x = f64::from(narrow);
            $value as f32
        }
        single
    }};
}
macro_rules! is_double {
    (each) => {
        false
    };
    (double) => {
        true
    };
}
macro_rules! complex_form {
    (none) => {
        None
    };
    (library $function:ident) => {
        Some(ComplexForm::Library(complex::$function))
    };
    (written $function:ident) => {
        Some(ComplexForm::Written(Written::$function))
    };
}

macro_rules! define_unary {
    ($($variant:ident $name:literal $summary:literal $precision:ident |$x:ident| $value:expr, $form:ident $($of:ident)?;)*) => {
        /// A function of one number: of floats, and of complex numbers if it is defined for them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum UnaryFunction {
            $(#[doc = $summary] $variant,)*
        }

        impl UnaryFunction {
            pub const ALL: &'static [UnaryFunction] = &[$(UnaryFunction::$variant),*];

            fn row(self) -> &'static UnaryRow {
                match self {
                    $(UnaryFunction::$variant => {
                        extern "C" fn double($x: f64) -> f64 {
                            $value
                        }
                        extern "C" fn re(re: f64, im: f64) -> f64 {
                            UnaryFunction::$variant.or_itself(Complex64::new(re, im)).re
                        }
                        extern "C" fn im(re: f64, im: f64) -> f64 {
                            UnaryFunction::$variant.or_itself(Complex64::new(re, im)).im
                        }
                        const ROW: &UnaryRow = &UnaryRow {
                            name: $name,
                            summary: $summary,
                            single: single!($precision |$x| $value),
                            double,
                            is_double: is_double!($precision),
                            complex: complex_form!($form $($of)?),
                            parts: [re, im],
                        };
                        ROW
                    })*
                }
            }
        }
    };
}
unary_functions!(define_unary);

impl UnaryFunction {
    /// In the notation, in loops, and in the names of the libraries that have it.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    pub fn summary(self) -> &'static str {
        self.row().summary
    }
    /// In single precision; machine code calls it by its address.
    pub fn single(self) -> extern "C" fn(f32) -> f32 {
        self.row().single
    }
    pub fn double(self) -> extern "C" fn(f64) -> f64 {
        self.row().double
    }
    pub fn of_single(self, x: f32) -> f32 {
        self.single()(x)
    }
    pub fn of_double(self, x: f64) -> f64 {
        self.double()(x)
    }
    /// Whether it is computed in double precision for every type.
    pub fn is_double(self) -> bool {
        self.row().is_double
    }
    /// `None` if it is not defined for complex numbers.
    pub fn complex(self) -> Option<ComplexForm> {
        self.row().complex
    }
    pub fn of_complex(self, z: Complex64) -> Option<Complex64> {
        self.complex().map(|form| match form {
            ComplexForm::Library(function) => function(z),
            ComplexForm::Written(written) => written.of(z),
        })
    }
    fn or_itself(self, z: Complex64) -> Complex64 {
        self.of_complex(z).unwrap_or(z)
    }
    /// The real and the imaginary part of [`UnaryFunction::of_complex`], of `(re, im)`.
    pub fn complex_parts(self) -> [extern "C" fn(f64, f64) -> f64; 2] {
        self.row().parts
    }
    pub fn at_zero(self) -> f64 {
        self.of_double(0.0)
    }
}

struct BinaryRow {
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    single: extern "C" fn(f32, f32) -> f32,
    double: extern "C" fn(f64, f64) -> f64,
}

macro_rules! define_binary {
    ($($variant:ident $name:literal $arguments:literal $summary:literal |$x:ident, $y:ident| $value:expr;)*) => {
        /// A function of two floats.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum BinaryFunction {
            $(#[doc = $summary] $variant,)*
        }

        impl BinaryFunction {
            pub const ALL: &'static [BinaryFunction] = &[$(BinaryFunction::$variant),*];

            fn row(self) -> &'static BinaryRow {
                match self {
                    $(BinaryFunction::$variant => {
                        extern "C" fn single($x: f32, $y: f32) -> f32 {
                            $value
                        }
                        extern "C" fn double($x: f64, $y: f64) -> f64 {
                            $value
                        }
                        const ROW: &BinaryRow =
                            &BinaryRow { name: $name, arguments: $arguments, summary: $summary, single, double };
                        ROW
                    })*
                }
            }
        }
    };
}
binary_functions!(define_binary);

impl BinaryFunction {
    /// In the notation, in loops, and in the names of the libraries that have it.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    pub fn arguments(self) -> &'static str {
        self.row().arguments
    }
    pub fn summary(self) -> &'static str {
        self.row().summary
    }
    /// In single precision; machine code calls it by its address.
    pub fn single(self) -> extern "C" fn(f32, f32) -> f32 {
        self.row().single
    }
    pub fn double(self) -> extern "C" fn(f64, f64) -> f64 {
        self.row().double
    }
    pub fn of_single(self, x: f32, y: f32) -> f32 {
        self.single()(x, y)
    }
    pub fn of_double(self, x: f64, y: f64) -> f64 {
        self.double()(x, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_on_the_real_axis_agree_with_floats() {
        for function in UnaryFunction::ALL {
            let Some(value) = function.of_complex(Complex64::new(0.25, 0.0)) else { continue };
            let real = function.of_double(0.25);
            // `acosh` is no number there.
            let close = real.is_nan() || (value.re - real).abs() < 1e-14 && value.im.abs() < 1e-14;
            assert!(close, "{}: {value} and {real}", function.name());
            let [re, im] = function.complex_parts();
            assert_eq!(Complex64::new(re(0.25, 0.0), im(0.25, 0.0)), value, "{}", function.name());
        }
    }

    #[test]
    fn nan_has_the_sign_of_the_c_library() {
        for (function, inside) in [(UnaryFunction::Acosh, 1.5), (UnaryFunction::Atanh, 0.5)] {
            let negative =
                |x: f64| [function.of_double(x), function.of_single(x as f32).into()].map(f64::is_sign_negative);
            assert_eq!(negative(-2.5), [true; 2]);
            assert_eq!(negative(f64::NEG_INFINITY), [true; 2]);
            assert_eq!([inside, f64::NAN].map(negative), [[false; 2]; 2]);
            assert_eq!(negative(-f64::NAN), [true; 2]);
        }
        assert!(UnaryFunction::Atanh.of_double(2.5).is_sign_negative());
    }

    #[test]
    fn odd_functions_are_odd() {
        use UnaryFunction::{Asin, Asinh, Atan, Atanh, Cbrt, Erf, Sin, Sinh, Tan, Tanh};
        for function in [Asin, Asinh, Atan, Atanh, Cbrt, Erf, Sin, Sinh, Tan, Tanh] {
            for x in [0.0, 1e-9, 0.25, 0.999, 0.9999, 1.0] {
                assert_eq!(-function.of_double(x), function.of_double(-x), "{}({x})", function.name());
                let x = x as f32;
                assert_eq!(-function.of_single(x), function.of_single(-x), "{}({x}) in f32", function.name());
            }
        }
    }

    #[test]
    fn precisions_agree_to_that_of_the_narrower() {
        for function in UnaryFunction::ALL {
            let (single, double) = (f64::from(function.of_single(0.25)), function.of_double(0.25));
            assert!(double.is_nan() || (single - double).abs() < 1e-6, "{}: {single} and {double}", function.name());
        }
        for function in BinaryFunction::ALL {
            let (single, double) = (f64::from(function.of_single(0.25, -2.0)), function.of_double(0.25, -2.0));
            assert!((single - double).abs() < 1e-6, "{}: {single} and {double}", function.name());
        }
    }

    #[test]
    fn the_values_at_zero_are_those_of_the_functions() {
        let at = |function: UnaryFunction| function.at_zero();
        assert_eq!([UnaryFunction::Sin, UnaryFunction::Floor, UnaryFunction::Erf].map(at), [0.0; 3]);
        assert_eq!([UnaryFunction::Exp, UnaryFunction::Cosh].map(at), [1.0; 2]);
        assert_eq!(at(UnaryFunction::Acos), std::f64::consts::FRAC_PI_2);
        assert_eq!(at(UnaryFunction::Log), f64::NEG_INFINITY);
        assert!(at(UnaryFunction::Acosh).is_nan());
    }
}
