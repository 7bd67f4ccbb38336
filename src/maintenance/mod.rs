//! Keeping a shop for years: backups, and problems found before they do harm.

pub mod backups;
pub mod check;
pub mod disk;
pub mod needs;
