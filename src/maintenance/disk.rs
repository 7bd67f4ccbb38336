//! Free disk space.

/// Free bytes below which writes may soon fail: some hours of a busy shop, and the WAL of an import.
pub const LITTLE: u64 = 64 * 1_024 * 1_024;

/// Formats a number of bytes, like `12.3 MB`.
pub fn readable(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let Some((size, unit)) = units.into_iter().find(|(size, _)| bytes >= *size) else {
        return format!("{bytes} bytes");
    };
    format!("{}.{} {unit}", bytes / size, bytes % size * 10 / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_readable() {
        assert_eq!(readable(999), "999 bytes");
        assert_eq!(readable(1_000), "1.0 kB");
        assert_eq!(readable(12_345_678), "12.3 MB");
        assert_eq!(readable(2_050_000_000), "2.0 GB");
    }
}
