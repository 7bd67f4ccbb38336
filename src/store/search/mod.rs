//! Full-text index: terms, posting lists, queries and suggestions.

pub(crate) mod batch;
pub(crate) mod budget;
pub(crate) mod changes;
pub(crate) mod chunks;
pub(crate) mod query;
pub(crate) mod rebuild;
pub(crate) mod relevance;
pub(crate) mod same_words;
pub(crate) mod shop_words;
pub(crate) mod stem;
pub(crate) mod suggest;
pub(crate) mod terms;
pub(crate) mod vocabulary;
pub(crate) mod writer;
