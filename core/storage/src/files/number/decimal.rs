//! The common decimal numbers: up to nineteen digits and a small exponent. Such a number is
//! `digits * 10^exponent` with both factors in 64 bits, so one multiplication or division in 128 bits is
//! enough to round correctly. `fast_float2` parses all other numbers.

use super::is_blank;

/// The most decimal digits that surely fit a `u64`.
const MAX_DIGITS: usize = 19;

/// The powers of ten that fit a `u64`.
const POWERS: [u64; MAX_DIGITS + 1] = {
    let mut powers = [1; MAX_DIGITS + 1];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// A machine's float.
pub(super) trait Binary: fast_float2::FastFloat + num_traits::Float {
    /// The bits of its significand, the first one included.
    const PRECISION: u32;
    /// Powers of ten up to this exponent are floats, and fit 63 bits.
    const EXACT_POWERS: u32;
    /// The nearest float to `number`, ties to even.
    fn nearest(number: u128) -> Self;
    /// `number`, which is a float.
    fn whole(number: i64) -> Self;
    /// `significand * 2^exponent`, both exact.
    fn scaled(significand: i64, exponent: i32) -> Self;
}

macro_rules! binary {
    ($($float:ty, $bits:ty, $powers:expr);*) => { $(
        impl Binary for $float {
            const PRECISION: u32 = <$float>::MANTISSA_DIGITS;
            const EXACT_POWERS: u32 = $powers;
            #[inline(always)]
            fn nearest(number: u128) -> Self {
                match u64::try_from(number) {
                    Ok(number) => number as $float,
                    Err(_) => number as $float,
                }
            }
            #[inline(always)]
            fn whole(number: i64) -> Self {
                number as $float
            }
            #[inline(always)]
            fn scaled(significand: i64, exponent: i32) -> Self {
                let biased = (exponent + <$float>::MAX_EXP - 1) as $bits;
                significand as $float * <$float>::from_bits(biased << (Self::PRECISION - 1))
            }
        }
    )* };
}
binary!(f64, u64, 18; f32, u32, 10);

/// The number that starts `text`, and its length in bytes; `None` if this method does not apply, whether or
/// not the text is a number.
#[inline(always)]
pub(super) fn usual<F: Binary>(text: &[u8]) -> Option<(F, usize)> {
    let negative = text.first() == Some(&b'-');
    let scanned = scan(text, usize::from(negative))?;
    let ends = text.get(scanned.end).is_some_and(|&byte| is_blank(byte) || byte == b'\n');
    if !ends {
        return None;
    }
    let value = rounded::<F>(scanned.digits, scanned.exponent)?;
    Some((if negative { -value } else { value }, scanned.end))
}

/// `digits * 10^exponent`.
struct Scanned {
    digits: u64,
    exponent: i32,
    /// Where the text continues.
    end: usize,
}

/// Reads the digits from `start` on, with a point among them and an exponent behind.
#[inline(always)]
fn scan(text: &[u8], start: usize) -> Option<Scanned> {
    let (whole, mut end) = whole_digits(text, start);
    let mut digits = whole;
    let mut count = end - start;
    let mut exponent = 0;
    if text.get(end) == Some(&b'.') {
        let fraction = end + 1;
        (digits, end) = append_digits(text, fraction, digits)?;
        exponent = -((end - fraction) as i32);
        count += end - fraction;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let (power, after) = short_exponent(text, end + 1)?;
        (exponent, end) = (exponent + power, after);
    }
    (1..=MAX_DIGITS).contains(&count).then_some(Scanned { digits, exponent, end })
}

/// The number of the digits from `at` on, modulo 2^64, and their end. There are usually few, and as many as
/// in the line before, so the processor predicts the end.
#[inline(always)]
pub(super) fn whole_digits(text: &[u8], mut at: usize) -> (u64, usize) {
    let mut number = 0u64;
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (number, at)
}

/// Appends the digits from `at` on to `digits`, modulo 2^64, and says where they end; in steps of
/// eight. `None` near the end of the text.
#[inline(always)]
fn append_digits(text: &[u8], mut at: usize, mut digits: u64) -> Option<(u64, usize)> {
    const EIGHT: u64 = 100_000_000;
    loop {
        let word = u64::from_le_bytes(*text.get(at..)?.first_chunk()?);
        let count = count_digits(word);
        if count < 8 {
            let digits = digits.wrapping_mul(POWERS[count]).wrapping_add(spelt(word, count));
            return Some((digits, at + count));
        }
        digits = digits.wrapping_mul(EIGHT).wrapping_add(spelt(word, 8));
        at += 8;
    }
}

/// How many of eight bytes of text, from the first on, are digits.
#[inline(always)]
fn count_digits(word: u64) -> usize {
    let word = word ^ (ONES * u64::from(b'0'));
    // A byte that is no digit has its highest bit set in the sum, or had it before.
    let others = (((word & (ONES * 0x7f)) + ONES * 0x76) | word) & (ONES * 0x80);
    others.trailing_zeros() as usize / 8
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// The number that the first `count` of eight digits spell: they are moved to the top, zeros below
/// them, and added in pairs, fours and eights, without a branch that depends on how many there are.
#[inline(always)]
fn spelt(word: u64, count: usize) -> u64 {
    let word = word ^ (ONES * u64::from(b'0'));
    let digits = word.checked_shl(u64::BITS - 8 * count as u32).unwrap_or(0);
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * 10_000 + (fours >> 32)) & 0xffff_ffff
}

/// An exponent of one to three digits, after its letter.
#[inline(always)]
fn short_exponent(text: &[u8], at: usize) -> Option<(i32, usize)> {
    let sign = text.get(at)?;
    let start = at + usize::from(matches!(sign, b'-' | b'+'));
    let mut power = 0;
    let mut end = start;
    while let Some(digit) = text.get(end).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        power = power * 10 + i32::from(digit);
        end += 1;
        if end - start > 3 {
            return None;
        }
    }
    (end > start).then_some((if *sign == b'-' { -power } else { power }, end))
}

/// The float nearest to `digits * 10^exponent`, ties to even; `None` for a large exponent.
#[inline(always)]
fn rounded<F: Binary>(digits: u64, exponent: i32) -> Option<F> {
    let size = exponent.unsigned_abs();
    let power = *POWERS.get(size as usize)?;
    if digits >> F::PRECISION == 0 && size <= F::EXACT_POWERS {
        // Both are floats, so that the machine's own rounding is the only one.
        let (digits, power) = (F::whole(digits as i64), F::whole(power as i64));
        return Some(if exponent < 0 { digits / power } else { digits * power });
    }
    Some(match exponent {
        _ if digits == 0 => F::whole(0),
        0.. => F::nearest(u128::from(digits) * u128::from(power)),
        _ => quotient(digits, power),
    })
}

/// The float nearest to `numerator / denominator`, neither of them 0. The quotient of the two, shifted
/// so that it has 63 or 64 bits, is more than every float holds; that bits are left over counts only
/// where those beyond the float's own are just a half.
#[inline(always)]
fn quotient<F: Binary>(numerator: u64, denominator: u64) -> F {
    let (up, down) = (numerator.leading_zeros(), denominator.leading_zeros());
    let dividend = u128::from(numerator << up) << 63;
    let divisor = u128::from(denominator << down);
    let (quotient, rest) = ((dividend / divisor) as u64, dividend % divisor);
    let exponent = down as i32 - up as i32 - 63;
    let surplus = u64::BITS - quotient.leading_zeros() - F::PRECISION;
    let (kept, cut) = ((quotient >> surplus) as i64, quotient & ((1 << surplus) - 1));
    let half = 1 << (surplus - 1);
    let more = cut > half || cut == half && (rest != 0 || kept % 2 == 1);
    F::scaled(kept + i64::from(more), exponent + surplus as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) {
        let bytes = [text.as_bytes(), b" 7 8 9 10 11"].concat();
        if let Some((value, used)) = usual::<f64>(&bytes) {
            assert_eq!((value.to_bits(), used), (text.parse::<f64>().unwrap().to_bits(), text.len()), "{text}");
        }
        if let Some((value, used)) = usual::<f32>(&bytes) {
            assert_eq!((value.to_bits(), used), (text.parse::<f32>().unwrap().to_bits(), text.len()), "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_the_standard_library_reads_them() {
        use rand::{Rng, SeedableRng};
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for _ in 0..300_000 {
            let digits = random.random::<u64>() % 10u64.pow(random.random_range(1..20));
            let text = digits.to_string();
            let point = random.random_range(0..=text.len());
            let exponent = random.random_range(-22..23);
            for sign in ["", "-"] {
                check(&format!("{sign}{text}"));
                check(&format!("{sign}{text}e{exponent}"));
                check(&format!("{sign}{}.{}E{exponent:+}", &text[..point], &text[point..]));
                check(&format!("{sign}{}.{}", &text[..point], &text[point..]));
            }
        }
    }

    #[test]
    fn halves_go_to_the_even_neighbour() {
        for text in ["9007199254740993", "9007199254740995", "90071992547409.93", "1.00000005960464478", "16777217.0"] {
            check(text);
            assert!(usual::<f64>(format!("{text}        ").as_bytes()).is_some(), "{text}");
        }
    }

    #[test]
    fn what_is_not_usual_is_left_alone() {
        let none = |text: &str| usual::<f64>(format!("{text}         ").as_bytes()).is_none();
        for text in
            ["", "-", ".", "-.", "+1", "1e", "1e+", "1d5", "1e99", "0x1", "inf", "1.5.", "12345678901234567890", "1_"]
        {
            assert!(none(text), "{text}");
        }
        assert_eq!(usual::<f64>(b"1.5"), None);
        assert!(usual::<f64>(b"-0.0        ").unwrap().0.is_sign_negative());
        assert_eq!(usual::<f64>(b".5         "), Some((0.5, 2)));
        assert_eq!(usual::<f64>(b"5.         "), Some((5.0, 2)));
    }

    #[test]
    fn the_most_digits_and_powers_there_are() {
        for text in
            ["9999999999999999999", "9999999999999999999e19", "9999999999999999999e-19", "1e-19", "1e19", "0e19"]
        {
            check(text);
            assert!(usual::<f64>(format!("{text}        ").as_bytes()).is_some(), "{text}");
        }
    }
}
