//! Maintenance: backups, and checks that find problems before they do harm.

pub mod acme;
pub mod backups;
pub mod certificates;
pub mod check;
mod check_files;
pub mod disk;
pub mod listener;
pub mod needs;
