//! `deals replica`.

use clap::Args;

use super::options::ServeConfig;
use super::{Usage, say};

#[derive(Debug, Args)]
#[command(after_help = "\
Takes the options and variables of `deals serve`, to find the cluster. Run it with --release before
a reboot of the machine that leads. `deals check` says how this machine does.")]
pub(super) struct ReplicaCommand {
    #[command(flatten)]
    config: ServeConfig,

    /// Have another machine lead, and wait until one does
    #[arg(long)]
    release: bool,
}

impl ReplicaCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let Some(cluster) = self.config.machines.cluster(&self.config.database.db) else {
            let reason = "name the cluster with --cluster or DEALS_CLUSTER, as for `deals serve`.";
            return Err(Usage(reason.to_owned()).into());
        };
        let cluster = cluster?;
        if self.release {
            cluster.release()?;
        }
        say(cluster.state()?);
        Ok(())
    }
}
