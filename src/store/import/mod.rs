//! Putting many products in at once.

pub(crate) mod adding;
pub(crate) mod cleanup;
pub(crate) mod parts;
pub(crate) mod publish;
pub(crate) mod session;
pub(crate) mod staging;
pub(crate) mod waiting;
