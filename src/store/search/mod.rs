//! The full-text index: its terms, its sets of products, what a search finds in it.

pub(crate) mod batch;
pub(crate) mod changes;
pub(crate) mod joining;
pub(crate) mod key_set;
pub(crate) mod query;
pub(crate) mod suggest;
pub(crate) mod terms;
pub(crate) mod vocabulary;
pub(crate) mod writer;
