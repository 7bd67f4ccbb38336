//! Operation of the server: options, disks, backups, certificates, mail, proxies and signals.

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
