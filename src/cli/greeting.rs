//! The lines that `deals serve` prints at its start.

use std::net::SocketAddr;
use std::path::Path;

use super::{counted, say};

/// The lines that are printed once the server answers.
pub(super) struct Greeting<'a> {
    pub(super) address: &'a str,
    /// The address that redirects plain http to it.
    pub(super) plain: Option<SocketAddr>,
    pub(super) metrics: Option<SocketAddr>,
    pub(super) database: &'a Path,
    pub(super) products: u64,
    /// With `--demo`, the number of products added, `None` if the database was not empty.
    pub(super) demo: Option<Option<u64>>,
    /// The setup link of a shop without an administrator, in a sentence.
    pub(super) setup: Option<String>,
}

impl Greeting<'_> {
    /// Prints the lines from a thread of its own: a reader who stops reading must not block the
    /// server.
    pub(super) fn print(&self) {
        let lines = self.lines();
        std::thread::spawn(move || lines.iter().for_each(say));
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("listening on {}", self.address)];
        if let Some(setup) = &self.setup {
            lines.push(format!("there is no administrator yet: {setup}"));
        }
        if let Some(plain) = self.plain {
            lines.push(format!("plain http is led there from http://{plain}"));
        }
        if let Some(metrics) = self.metrics {
            lines.push(format!("metrics are at http://{metrics}/metrics"));
        }
        let database = self.database.display();
        lines.push(format!(
            "database {database} holds {}",
            counted(self.products, "product")
        ));
        match self.demo {
            Some(Some(added)) => lines.push(format!(
                "added {}, with two made-up months of clicks",
                counted(added, "demo product")
            )),
            Some(None) => {
                lines.push("--demo added nothing: it only fills an empty database".to_owned());
            }
            None if self.products == 0 => lines.push(format!(
                "no products yet: add some with `deals import products.json --db {database}`, \
                 or start with --demo to look around"
            )),
            None => {}
        }
        lines
    }
}
