//! Durability: writes survive faults of the process, the disk and the file.

mod backup;
mod bucket;
mod checksum;
mod concurrent_imports;
mod crash;
mod damage;
mod file_permissions;
pub mod full_disk;
mod lost_files;
mod read_only_disk;
mod tampering;
pub mod upgrading;
mod wal;
