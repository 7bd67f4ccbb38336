//! What is written stays, whatever happens to the process, the disk or the file.

mod backup;
mod concurrent_imports;
mod crash;
mod damage;
mod file_permissions;
mod full_disk;
mod lost_files;
mod tampering;
mod upgrading;
mod wal;
