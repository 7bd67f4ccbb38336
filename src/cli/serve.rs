//! `deals serve`.

use clap::Args;
use jiff::Timestamp;

use super::counted;
use crate::catalog::demo;
use crate::config::ServeConfig;
use crate::http::Server;
use crate::store::{Import, Store};
use crate::telemetry;

/// The options of `deals serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  deals serve --demo                         look around in a shop with demo products
  deals serve --db shop.sqlite --listen 0.0.0.0:8080 --public-url https://deals.example.com

Stop it with Ctrl-C or SIGTERM: running requests finish first.
DEALS_LOG chooses what is logged (error, warn, info, debug).")]
pub(super) struct Serve {
    #[command(flatten)]
    config: ServeConfig,
}

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        telemetry::init();
        let server = Server::bind(&self.config.listen)?;
        let path = &self.config.database.db;
        let store = Store::open(path)?;
        let demo = if self.config.demo {
            Some(demo::fill(Import::begin(path)?, Timestamp::now())?)
        } else {
            None
        };
        let products = u64::try_from(store.count_products()?).unwrap_or_default();
        println!("listening on {}", origin(&server.local_url()));
        println!(
            "database {} holds {}",
            path.display(),
            counted(products, "product")
        );
        match demo {
            Some(Some(added)) => println!("added {}", counted(added, "demo product")),
            Some(None) => println!("--demo added nothing: it only fills an empty database"),
            None if products == 0 => println!(
                "no products yet: add some with `deals import products.json --db {}`, \
                 or start with --demo to look around",
                path.display()
            ),
            None => {}
        }
        let public_url = self.config.public_url.unwrap_or_else(|| server.local_url());
        Ok(server.run(store, public_url)?)
    }
}

/// A URL without the slash that an empty path has.
fn origin(url: &url::Url) -> &str {
    url.as_str().trim_end_matches('/')
}
