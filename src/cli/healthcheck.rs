//! `deals healthcheck`.

use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use super::options::ServeConfig;
use super::{Usage, say};
use crate::maintenance::listener::{ask, connect, encrypted, nearest};

/// Maximum duration of connecting, and of each wait for the answer.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(after_help = "\
Takes the options and variables of `deals serve`, to find the server on this machine.
Exits with status 0 if it can serve and write (GET /readyz), otherwise with 1.")]
pub(super) struct HealthcheckCommand {
    #[command(flatten)]
    config: ServeConfig,
}

impl HealthcheckCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let config = self.config;
        let listening = config.address.listening(&config.database.db, None);
        let listen = &listening.address;
        let address = nearest(listen).with_context(|| format!("cannot look up {listen}"))?;
        if address.port() == 0 {
            let reason = "name the port of the server with --listen: it is not 0.";
            return Err(Usage(reason.to_owned()).into());
        }
        let stream = connect(&address, PATIENCE)
            .with_context(|| format!("no server answers at {address}"))?;
        let answer = if listening.certificate.is_some() {
            let name = config.address.certified_name();
            encrypted(stream, name, None).and_then(|stream| ask(stream, "localhost", "/readyz"))
        } else {
            ask(stream, "localhost", "/readyz")
        };
        let answer = answer.with_context(|| format!("no answer from {address}"))?;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).unwrap_or_default();
        if status != "200" {
            bail!("the server at {address} answers {status}: {body}");
        }
        say(format_args!("the server at {address} is ready"));
        Ok(())
    }
}
