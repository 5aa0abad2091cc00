//! Processor time.

/// Nanoseconds of processor time that all threads of this process have used; 0 if the system does not report it.
pub(super) fn process_cpu_ns() -> f64 {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a valid place to write to.
        if unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) } == 0 {
            return time.tv_sec as f64 * 1e9 + time.tv_nsec as f64;
        }
    }
    0.0
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let start = process_cpu_ns();
        let mut sum = 0u64;
        while process_cpu_ns() - start < 1e6 {
            sum = std::hint::black_box(sum.wrapping_mul(3).wrapping_add(1));
        }
        assert!(process_cpu_ns() > start);
    }
}
