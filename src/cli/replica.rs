//! `deals replica`.

use anyhow::Context;
use clap::Args;

use super::options::ServeConfig;
use super::say;

#[derive(Debug, Args)]
pub(super) struct ReplicaCommand {
    #[command(flatten)]
    config: ServeConfig,

    /// Have another machine lead, as before a reboot, and wait until one does
    #[arg(long)]
    release: bool,
}

impl ReplicaCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let cluster = self.config.machines.cluster(&self.config.database.db)?;
        let cluster = cluster.context("name the cluster with --cluster or DEALS_CLUSTER")?;
        say(cluster.state(self.release)?);
        Ok(())
    }
}
