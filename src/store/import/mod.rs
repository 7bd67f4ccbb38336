//! Imports: rows are staged first, then published.

pub(crate) mod archived;
pub(crate) mod cleanup;
mod publish;
pub(crate) mod session;
mod staging;

/// Result of an import, in products.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// New products.
    pub added: u64,
    /// Changed products.
    pub updated: u64,
    /// Products equal to their row.
    pub unchanged: u64,
    /// Rows replaced by a later row of the same file.
    pub replaced: u64,
}
