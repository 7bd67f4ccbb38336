//! `deals export`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::{complain, counted, open_existing};
use crate::catalog::export::{ExportError, Format, export};
use crate::config::Database;
use crate::store::Store;

/// The options of `deals export`.
#[derive(Debug, Args)]
#[command(after_help = "\
What is written as JSON or NDJSON, `deals import` reads: into an empty database it
restores every product with its _id, clicks and times. Works while the server is
running.")]
pub(super) struct ExportCommand {
    #[command(flatten)]
    database: Database,

    /// The file to write; standard output without it
    #[arg(short, long, env = "DEALS_OUTPUT", value_name = "FILE")]
    output: Option<PathBuf>,

    /// How to write it
    #[arg(long, env = "DEALS_FORMAT", value_enum, default_value = "json")]
    format: Name,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// A JSON array
    Json,
    /// One product per line
    Ndjson,
    /// A table for a spreadsheet
    Csv,
}

impl ExportCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let store = open_existing(&self.database.db)?;
        let format = match self.format {
            Name::Json => Format::Json,
            Name::Ndjson => Format::Ndjson,
            Name::Csv => Format::Csv,
        };
        let written = match &self.output {
            None => match export(&store, format, &mut BufWriter::new(io::stdout().lock())) {
                // Whoever reads has had enough, as in `deals export | head`.
                Err(ExportError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                    return Ok(());
                }
                other => other?,
            },
            Some(file) => into_file(&store, format, file)
                .with_context(|| format!("cannot write {}", file.display()))?,
        };
        complain(format_args!("exported {}", counted(written, "product")));
        Ok(())
    }
}

/// Writes beside the file and puts the whole in its place: an export that is
/// interrupted leaves the one before.
fn into_file(store: &Store, format: Format, file: &Path) -> anyhow::Result<u64> {
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let mut output = BufWriter::new(File::create(&part)?);
    let written = export(store, format, &mut output)
        .map_err(anyhow::Error::from)
        .and_then(|written| {
            output.flush()?;
            output.get_ref().sync_all()?;
            fs::rename(&part, file)?;
            Ok(written)
        });
    if written.is_err() {
        // What is left of it is of no use; failing to remove it changes nothing.
        let _ = fs::remove_file(&part);
    }
    written
}
