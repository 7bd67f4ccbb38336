//! `deals import`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::options::{Database, FileOptions};
use super::{OWNER, complain, counted, created, say, say_json};
use crate::catalog::findings::Findings;
use crate::catalog::formats::Input;
use crate::catalog::import::{
    ImportError, ImportOptions, ImportProgress, ImportReport, Problems, Source, import,
};
use crate::catalog::refused::RefusedRows;
use crate::domain::group_digits;
use crate::store::{Import, folder_of};
use crate::telemetry::is_drawn_to;

/// Rows between progress lines without a terminal.
const ROWS_PER_LINE: u64 = 50_000;
/// Rows between steps of the progress bar.
const ROWS_PER_STEP: u64 = 500;

#[derive(Debug, Args)]
#[command(after_help = "\
The file is CSV or TSV, an Excel sheet (.xlsx), a Google Merchant, RSS or Atom feed, an
export of Shopify or WooCommerce, or JSON; plain, in gzip, or alone in a zip archive; or an
archive that `deals export --format zip` writes. The program's own JSON is an array of
products, or has one per line (NDJSON):
  {\"title\": \"USB-C cable\", \"description\": \"Braided, 1 m long.\", \"price\": 499, \"discount\": 20,
   \"category\": \"Electronics\", \"source\": \"Amazon\", \"affiliateLink\": \"https://…\",
   \"images\": [\"https://…\"], \"averageRating\": 4.2, \"totalRatings\": 318}
Categories are those of the shop, at first Electronics, Clothing, Books and Home. Unknown
fields are ignored.

A product with the same source and affiliateLink is updated and keeps its clicks. If
any row is invalid nothing is written, unless --skip-invalid is given. May run beside
the server.")]
pub(super) struct ImportCommand {
    /// The file to read, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    reading: FileOptions,

    /// Write the refused rows and the reasons into this file, as CSV
    #[arg(long, value_name = "FILE.csv")]
    refused: Option<PathBuf>,

    #[command(flatten)]
    database: Database,

    /// Check the file and report what would be done, without writing anything
    #[arg(long)]
    dry_run: bool,

    /// Import the valid rows although others are invalid
    #[arg(long)]
    skip_invalid: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl ImportCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let name = if self.is_standard_input() {
            "standard input".to_owned()
        } else {
            self.file.display().to_string()
        };
        let db = &self.database.db;
        let mut reading = self.reading.reading(db)?;
        reading.keeps_rows = self.refused.is_some();
        let folder = temporary_folder(db);
        let mut refused = match &self.refused {
            None => None,
            Some(file) => {
                let output = File::create(file)
                    .with_context(|| format!("cannot write {}", file.display()))?;
                Some((RefusedRows::new(&folder)?, output, file))
            }
        };
        let (input, bytes) = self.open().with_context(|| format!("cannot read {name}"))?;
        let session = Import::begin_lazily(db)?;
        let mut shown = ProgressDisplay::new(bytes);
        let source = Source {
            input: shown.watch(input),
            reading: &reading,
            folder: &folder,
        };
        let options = ImportOptions {
            skip_invalid: self.skip_invalid,
            dry_run: self.dry_run,
        };
        let outcome = import(
            source,
            session,
            options,
            OWNER,
            Timestamp::now(),
            |progress| shown.show(progress),
            refused.as_mut().map(|(rows, _, _)| rows),
            None,
        );
        shown.finish();
        if let Some((rows, mut output, file)) = refused {
            rows.write_csv(&mut output)
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        match outcome {
            Ok(report) => {
                if self.json {
                    return say_json(&body(&report));
                }
                self.print_report(&name, db, &report);
                Ok(())
            }
            Err(ImportError::Invalid(problems, valid, findings)) => {
                if !self.json {
                    print_reading(&findings);
                }
                describe(&problems);
                Err(invalid(&name, &problems, valid))
            }
            Err(ImportError::Open(error)) => Err(error.into()),
            Err(error) => Err(anyhow!("{name}: {error}. Nothing was imported.")),
        }
    }

    fn is_standard_input(&self) -> bool {
        self.file == Path::new("-")
    }

    fn open(&self) -> anyhow::Result<(ImportInput, Option<u64>)> {
        if self.is_standard_input() {
            return Ok((ImportInput::Pipe(Box::new(io::stdin())), None));
        }
        let file = File::open(&self.file)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            bail!("it is a folder: name a file of products");
        }
        if metadata.is_file() {
            return Ok((ImportInput::File(file), Some(metadata.len())));
        }
        Ok((ImportInput::Pipe(Box::new(file)), None))
    }

    fn print_report(&self, name: &str, db: &Path, report: &ImportReport) {
        print_reading(&report.findings);
        describe(&report.problems);
        if report.is_new {
            say(created(db));
        }
        let counts = report.counts;
        let done = format!(
            "{} added, {} updated, {} unchanged",
            group_digits(counts.added),
            group_digits(counts.updated),
            group_digits(counts.unchanged)
        );
        if self.dry_run {
            say(format_args!(
                "dry run of {name}, nothing was written: {done}"
            ));
        } else {
            say(format_args!(
                "imported {name} into {}: {done}",
                db.display()
            ));
        }
        if counts.replaced > 0 {
            say(format_args!(
                "{} replaced by a later one of the same product",
                were(counts.replaced)
            ));
        }
        if report.problems.rows > 0 {
            say(format_args!(
                "{} skipped as invalid",
                were(report.problems.rows)
            ));
        }
    }
}

/// The file before its reading is watched.
enum ImportInput {
    File(File),
    Pipe(Box<dyn io::Read>),
}

/// Returns the database's folder, or the system's for temporary files if it does not exist yet.
fn temporary_folder(db: &Path) -> PathBuf {
    let folder = folder_of(db);
    if folder.is_dir() {
        folder.to_owned()
    } else {
        std::env::temp_dir()
    }
}

fn body(report: &ImportReport) -> Value {
    let counts = report.counts;
    let problems = report.problems.described.iter().map(|problem| {
        let error = &problem.error;
        json!({ "row": problem.row, "field": error.field, "message": error.message })
    });
    json!({
        "created": report.is_new,
        "added": counts.added,
        "updated": counts.updated,
        "unchanged": counts.unchanged,
        "replaced": counts.replaced,
        "skipped": report.problems.rows,
        "note": report.findings.note,
        "reading": report.findings.lines(),
        "newCategories": report.findings.new_categories(),
        "problems": problems.collect::<Vec<_>>(),
    })
}

fn were(rows: u64) -> String {
    let verb = if rows == 1 { "was" } else { "were" };
    format!("{} {verb}", counted(rows, "row"))
}

/// Prints how the file was read, and doubts about it.
fn print_reading(findings: &Findings) {
    for line in findings.lines() {
        say(line);
    }
    if let Some(note) = &findings.note {
        complain(note);
    }
}

fn describe(problems: &Problems) {
    for problem in &problems.described {
        complain(problem);
    }
    let more = problems.total - problems.described.len() as u64;
    if more > 0 {
        complain(format_args!("… and {}", counted(more, "more problem")));
    }
}

fn invalid(name: &str, problems: &Problems, valid: u64) -> anyhow::Error {
    let rows = counted(problems.rows, "invalid row");
    let rest = if valid == 0 {
        "No row is valid.".to_owned()
    } else {
        format!(
            "Correct {}, or import the other {} with --skip-invalid.",
            if problems.rows == 1 { "it" } else { "them" },
            group_digits(valid)
        )
    };
    anyhow!("{name} has {rows}, so nothing was imported. {rest}")
}

/// A progress bar on a terminal, otherwise occasional lines.
struct ProgressDisplay {
    bar: Option<ProgressBar>,
    /// Rows read or written at the last update.
    shown: u64,
    is_writing: bool,
}

impl ProgressDisplay {
    fn new(bytes: Option<u64>) -> Self {
        let bar = is_drawn_to().then(|| match bytes {
            Some(bytes) => with_style(ProgressBar::new(bytes), BAR),
            None => with_style(ProgressBar::new_spinner(), "{spinner} {msg}"),
        });
        Self {
            bar,
            shown: 0,
            is_writing: false,
        }
    }

    /// Counts the input for the progress bar.
    fn watch(&self, input: ImportInput) -> Input {
        match (input, &self.bar) {
            (ImportInput::File(file), Some(bar)) => Input::File(Box::new(bar.wrap_read(file))),
            (ImportInput::File(file), None) => Input::File(Box::new(file)),
            (ImportInput::Pipe(pipe), Some(bar)) => Input::Stream(Box::new(bar.wrap_read(pipe))),
            (ImportInput::Pipe(pipe), None) => Input::Stream(pipe),
        }
    }

    fn show(&mut self, progress: ImportProgress) {
        let (rows, verb) = match progress {
            ImportProgress::Read(rows) => (rows, "read"),
            ImportProgress::Written { rows, of } => {
                self.begin_writing(of);
                (rows, "written")
            }
        };
        let step = match self.bar {
            Some(_) => ROWS_PER_STEP,
            None => ROWS_PER_LINE,
        };
        if rows / step == self.shown / step {
            return;
        }
        self.shown = rows;
        let text = format!("{} {verb}", counted(rows, "row"));
        match &self.bar {
            None => complain(text),
            Some(bar) => {
                if self.is_writing {
                    bar.set_position(rows);
                }
                bar.set_message(text);
            }
        }
    }

    /// Starts the progress bar anew for writing.
    fn begin_writing(&mut self, rows: u64) {
        if std::mem::replace(&mut self.is_writing, true) {
            return;
        }
        self.shown = 0;
        if let Some(bar) = &self.bar {
            bar.set_length(rows);
            bar.set_position(0);
            bar.reset_elapsed();
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

const BAR: &str = "{bar:40} {percent:>3} %  {msg}  {eta} left";

fn with_style(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
