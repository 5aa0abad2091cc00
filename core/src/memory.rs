//! How much memory there is, as the edge that starts the process says it: the core asks no system.
//!
//! Rust ends the process where an array cannot be had. So whatever may become large asks for room first, with an
//! estimate, and is refused with the figures while it can still be refused.

use std::sync::OnceLock;

/// What the edge knows.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Bytes that the process has allocated.
    pub used: fn() -> Option<u64>,
    /// Bytes that it can still have.
    pub free: fn() -> Option<u64>,
    /// Bytes that the user allows it.
    pub limit: fn() -> Option<u64>,
}

static METER: OnceLock<Meter> = OnceLock::new();

/// Sets the meter of this process, once.
pub fn measure_by(meter: Meter) {
    // Whoever came first knows as much.
    let _ = METER.set(meter);
}

/// How many bytes are allocated, where that is known.
pub fn used() -> Option<u64> {
    METER.get().and_then(|meter| (meter.used)())
}

/// How many bytes the user allows, if there is a bound.
pub fn limit() -> Option<u64> {
    METER.get().and_then(|meter| (meter.limit)())
}

/// Less than this is not worth asking for.
fn small() -> u64 {
    const SMALL: u64 = 16 << 20;
    limit().map_or(SMALL, |limit| (limit / 64).min(SMALL))
}

/// More than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this would take {} of memory, and {}", mebibytes(*wanted), left(mebibytes(*free)))]
pub struct NoRoom {
    pub wanted: u64,
    pub free: u64,
}

/// How much is free, and of what.
pub fn left(free: String) -> String {
    match limit() {
        Some(limit) => format!("{free} are left of the {} that `--max-memory` allows", mebibytes(limit)),
        None => format!("{free} are free"),
    }
}

fn mebibytes(bytes: u64) -> String {
    match bytes {
        ..1_048_576 => format!("{bytes} bytes"),
        _ => format!("{} MiB", bytes.div_ceil(1 << 20)),
    }
}

/// Whether `wanted` bytes can be had.
///
/// # Errors
/// They cannot; where nothing is known of that, 64 GiB cannot.
pub fn room(wanted: u64) -> Result<(), NoRoom> {
    const UNKNOWN: u64 = 64 << 30;
    if wanted < small() {
        return Ok(());
    }
    let free = METER.get().and_then(|meter| (meter.free)()).unwrap_or(UNKNOWN);
    if wanted <= free { Ok(()) } else { Err(NoRoom { wanted, free }) }
}

/// As [`room`], for `count` things of `bytes` each.
///
/// # Errors
/// As [`room`].
pub fn room_for(count: u128, bytes: u64) -> Result<(), NoRoom> {
    room(u64::try_from(count.saturating_mul(u128::from(bytes))).unwrap_or(u64::MAX))
}
