//! Putting many products in at once, however they come: staged first, then published.

pub(crate) mod cleanup;
mod publish;
pub(crate) mod session;
mod staging;

/// What an import did, in products.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// New products.
    pub added: u64,
    /// Products whose details changed.
    pub updated: u64,
    /// Products that were already as the file says.
    pub unchanged: u64,
    /// Rows that a later row of the same file replaced.
    pub replaced: u64,
}
