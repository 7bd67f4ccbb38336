//! Options of a shop on several machines.

use std::path::{Path, PathBuf};

use clap::Args;
use url::Url;

use super::{place, public_url};
use crate::maintenance::backups::BackupPlace;
use crate::replica::Cluster;

const SOCKET: &str = "/run/litestream/litestream.sock";

/// News of other machines.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct Machines {
    /// Serve a copy of the shop that Litestream replicates to this folder or bucket, like
    /// s3://bucket/litestream; it only answers reads of visitors
    #[arg(long, env = "DEALS_FOLLOW", value_name = "FOLDER", value_parser = place)]
    pub follow: Option<BackupPlace>,

    /// The address of the shop that a copy sends everything else to [default: the public address]
    #[arg(long, env = "DEALS_LEADER", value_name = "URL", value_parser = public_url)]
    pub leader: Option<Url>,

    /// Serve the shop on several machines that agree in this bucket, like s3://bucket/shop: one
    /// leads, and the others follow and take over
    #[arg(long, env = "DEALS_CLUSTER", value_name = "BUCKET", conflicts_with = "follow", value_parser = place)]
    cluster: Option<BackupPlace>,

    /// The control socket of Litestream, for --cluster
    #[arg(long, env = "DEALS_LITESTREAM_SOCKET", value_name = "FILE", default_value = SOCKET)]
    litestream_socket: PathBuf,

    /// Whether the machine that leads waits for the bucket before it answers a write
    #[arg(long, env = "DEALS_WAIT", value_name = "WHEN", default_value = "always", value_parser = ["always", "never"])]
    wait: String,
}

impl Machines {
    /// Returns the cluster that this machine is in, if it is in one.
    pub(in crate::cli) fn cluster(&self, database: &Path) -> anyhow::Result<Option<Cluster>> {
        let (socket, waits) = (&self.litestream_socket, self.wait == "always");
        let open = |place| Cluster::open(place, socket, waits, database);
        self.cluster.as_ref().map(open).transpose()
    }
}
