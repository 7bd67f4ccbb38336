//! The database file: checks before it is opened, connections, the schema, locks, the writer thread.

pub(crate) mod error;
pub(crate) mod lock;
pub(crate) mod open;
pub(crate) mod opened_file;
pub(crate) mod paths;
pub(crate) mod pending;
pub(crate) mod preflight;
pub(crate) mod private;
pub(crate) mod rows;
pub(crate) mod schema;
pub(crate) mod sentinel;
pub(crate) mod version;
pub(crate) mod wal;
pub(crate) mod writer;
