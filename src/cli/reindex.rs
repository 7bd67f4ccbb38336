//! `deals reindex`.

use clap::Args;

use super::options::Database;
use super::{counted, must_exist, say};
use crate::store::reindex;

#[derive(Debug, Args)]
#[command(after_help = "\
Rebuilds the index that searches use, for when `deals check` finds it damaged. A new
release with other rules for words rebuilds it automatically. Stop the server first.")]
pub(super) struct ReindexCommand {
    #[command(flatten)]
    database: Database,
}

impl ReindexCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let path = &self.database.db;
        must_exist(path)?;
        let products = reindex(path)?;
        say(format_args!(
            "rebuilt the full-text index of {}: {}",
            path.display(),
            counted(products, "product")
        ));
        Ok(())
    }
}
