//! `deals reindex`.

use clap::Args;

use super::options::Database;
use super::{counted, must_exist, say};
use crate::store::reindex;

#[derive(Debug, Args)]
#[command(after_help = "\
Searches find products by an index of their words. A new release whose rules for words
differ makes it again by itself; this command does it at any time, for an index that
`deals check` finds fault with. Stop the server first.")]
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
            "made the full-text index of {} again: {}",
            path.display(),
            counted(products, "product")
        ));
        Ok(())
    }
}
