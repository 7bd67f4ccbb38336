//! `deals export`.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, LineWriter, Stdout, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::options::Database;
use super::{complain, counted, open_existing};
use crate::catalog::export::{ExportError, ExportFormat, export};
use crate::domain::disarmed;
use crate::store::{Store, check_replaceable, new_beside};

#[derive(Debug, Args)]
#[command(after_help = "\
`deals import` reads exports of every format: into an empty database it restores every
product with its _id, clicks and times. May run beside the server.")]
pub(super) struct ExportCommand {
    #[command(flatten)]
    database: Database,

    /// The file to write; standard output by default
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The format of the file
    #[arg(long, value_enum, default_value = "json")]
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
    /// An archive with the categories and the shop's own pictures too
    Zip,
}

impl ExportCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let store = open_existing(&self.database.db)?;
        let format = match self.format {
            Name::Json => ExportFormat::Json,
            Name::Ndjson => ExportFormat::Ndjson,
            Name::Csv => ExportFormat::Csv,
            Name::Zip => ExportFormat::Zip,
        };
        let written = match &self.output {
            None => match export(&store, format, None, &mut BufWriter::new(standard_output())) {
                // The reader has closed the pipe, as in `deals export | head`.
                Err(ExportError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                    return Ok(());
                }
                other => other.context("cannot write to standard output")?,
            },
            Some(file) => into_file(&store, format, file)
                .with_context(|| format!("cannot write {}", file.display()))?,
        };
        complain(format_args!("exported {}", counted(written, "product")));
        Ok(())
    }
}

/// Returns standard output; a terminal gets no characters that act on it.
fn standard_output() -> Box<dyn Write> {
    let output = io::stdout();
    if output.is_terminal() {
        Box::new(LineWriter::new(Terminal(output)))
    } else {
        Box::new(output)
    }
}

/// A terminal.
struct Terminal(Stdout);

impl Write for Terminal {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(lines);
        self.0.write_all(disarmed(&text).as_bytes())?;
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes beside the file and renames, so that an interrupted export leaves the previous file. A
/// device or pipe is written directly.
fn into_file(store: &Store, format: ExportFormat, file: &Path) -> anyhow::Result<u64> {
    if is_stream(file) {
        // A redirected file is appended to.
        let stream = File::options().append(true).open(file)?;
        return write(store, format, stream);
    }
    check_replaceable(file)?;
    let part = new_beside(file)?;
    let written = write(store, format, part.as_file().try_clone()?)?;
    part.as_file().sync_all()?;
    share(part.as_file(), file)?;
    part.persist(file)?;
    Ok(written)
}

fn write(store: &Store, format: ExportFormat, target: File) -> anyhow::Result<u64> {
    let mut output = BufWriter::new(target);
    let written = export(store, format, None, &mut output)?;
    output.flush()?;
    Ok(written)
}

/// Returns true for a device, a pipe, or one of the process's own streams: these cannot be
/// replaced.
fn is_stream(file: &Path) -> bool {
    let is_own = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"]
        .iter()
        .any(|stream| file.starts_with(stream));
    let found = std::fs::metadata(file).map(|found| found.file_type());
    found.is_ok_and(|kind| is_own || kind.is_char_device() || kind.is_fifo())
}

/// Gives the new file the mode of the old one, or that of any new file.
fn share(part: &File, file: &Path) -> io::Result<()> {
    let mode = match std::fs::metadata(file) {
        Ok(there) => there.permissions().mode(),
        Err(_) => {
            let umask = rustix::process::umask(rustix::fs::Mode::empty());
            rustix::process::umask(umask);
            0o666 & !umask.bits()
        }
    };
    part.set_permissions(std::fs::Permissions::from_mode(mode))
}
