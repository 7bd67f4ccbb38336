//! Values as people, shops and programs write them.

pub(super) mod date;
pub(super) mod money;
pub(super) mod rating;
pub(super) mod words;
