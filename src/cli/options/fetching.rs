//! Networks of private addresses to which the server may connect.

use clap::Args;
use ipnet::IpNet;

use super::network;

/// Options of requests to addresses of others.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct Fetching {
    /// A private network to which webhooks may lead, also by http, like 10.0.0.0/8; several with
    /// commas
    #[arg(
        long,
        global = true,
        env = "DEALS_FETCH_NETWORK",
        value_name = "ADDRESS",
        value_delimiter = ',',
        value_parser = network
    )]
    pub(in crate::cli) fetch_network: Vec<IpNet>,
    /// A private network of push services, for tests: visitors name them
    #[arg(
        long,
        global = true,
        hide = true,
        value_delimiter = ',',
        value_parser = network
    )]
    pub(in crate::cli) push_network: Vec<IpNet>,
}
