//! Calls about what the shop sends out by itself.

pub(in crate::http) mod channels;
