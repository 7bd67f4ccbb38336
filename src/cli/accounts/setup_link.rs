//! `deals setup-link`, and the link that `deals serve` prints.

use anyhow::bail;
use clap::Args;
use url::{Host, Url};

use crate::accounts::renew_setup_link;
use crate::cli::options::ServeConfig;
use crate::cli::{Usage, open_existing, say};

#[derive(Debug, Args)]
#[command(after_help = "\
Whoever opens the link makes the first administrator, with a name, an address and a
password. It works once, within 24 hours; `deals serve` prints one at each start until
there is an administrator. A new link ends the former one, in a running server too.
Takes the options and variables of `deals serve`, to know the address of the shop.

Example:
  deals setup-link --public-url https://deals.example.com")]
pub(in crate::cli) struct SetupLinkCommand {
    #[command(flatten)]
    config: ServeConfig,
}

impl SetupLinkCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let config = self.config;
        let shop = match config.known_url() {
            Some(url) => url,
            None => listening_url(&config)?,
        };
        let store = open_existing(&config.database.db)?;
        match renew_setup_link(&store)? {
            Some(secret) => say(setup_line(&shop, &secret)),
            None => bail!(
                "this shop has an administrator already, who can sign in at {shop}login. \
                 Add another one with `deals user add EMAIL --username NAME --admin`."
            ),
        }
        Ok(())
    }
}

/// Returns the address of a server with these options on this machine.
fn listening_url(config: &ServeConfig) -> anyhow::Result<Url> {
    let listening = config.address.listening(&config.database.db, None);
    let scheme = if listening.certificate.is_some() {
        "https"
    } else {
        "http"
    };
    let url = Url::parse(&format!("{scheme}://{}", listening.address))?;
    if url.port() == Some(0) {
        let reason = "name the address of the shop, with --public-url, or its port with --listen.";
        return Err(Usage(reason.to_owned()).into());
    }
    Ok(url)
}

/// Returns the sentence with the setup link of a shop at this address.
pub(in crate::cli) fn setup_line(shop: &Url, secret: &str) -> String {
    let mut link = shop.clone();
    let is_anywhere = match link.host() {
        Some(Host::Ipv4(address)) => address.is_unspecified(),
        Some(Host::Ipv6(address)) => address.is_unspecified(),
        _ => false,
    };
    if is_anywhere {
        let _ = link.set_host(Some("localhost"));
    }
    link.set_path("/setup");
    link.set_fragment(Some(secret));
    format!("open this link within 24 hours to become the administrator; it works once: {link}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setup_link_of_a_shop_on_all_interfaces_names_localhost() {
        for (shop, link) in [
            ("http://0.0.0.0:8080", "http://localhost:8080/setup#s"),
            ("http://[::]:8080", "http://localhost:8080/setup#s"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/setup#s"),
            (
                "https://deals.example.com",
                "https://deals.example.com/setup#s",
            ),
        ] {
            let line = setup_line(&Url::parse(shop).unwrap(), "s");
            assert!(line.ends_with(&format!(": {link}")), "{line}");
        }
    }
}
