//! Keeping a shop for years: backups by themselves, and what is wrong before it hurts.

pub mod backups;
pub mod check;
pub mod clock;
pub mod disk;
pub mod needs;
