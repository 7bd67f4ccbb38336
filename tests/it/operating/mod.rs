//! What people who run a server meet.

mod acme;
mod backups;
mod certificates;
mod clock;
mod database_names;
mod disks;
mod mail;
mod options;
mod output;
mod proxies;
mod settings;
mod signals;
mod temporary;
mod two_shops;
