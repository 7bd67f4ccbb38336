//! What is written stays, whatever happens to the process, the disk or the file.

mod backup;
mod crash;
mod damage;
mod foreign_links;
mod full_disk;
mod import_beside;
mod lost;
mod tampered;
pub mod upgrading;
