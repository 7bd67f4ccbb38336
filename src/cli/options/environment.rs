//! Settings in the environment and in the environment file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Arg, CommandFactory};
use rustix::process::{Resource, getrlimit};

use super::values::flaw;
use crate::cli::Cli;

/// Environment file of the systemd unit, read without `--env-file`.
const STANDARD_FILE: &str = "/etc/deals.env";
/// Beginning of the variables of providers of buckets, which are read too.
const BUCKET: &str = "AWS_";
/// Similarity of a whole name to a setting's, above which it may be meant for it.
const ALIKE: f64 = 0.94;
/// Variable of glibc for the number of heaps, and a number that is enough.
const HEAPS: (&str, &str) = ("MALLOC_ARENA_MAX", "2");
/// Similarity of two names, from 0 to 1, above which one may be meant by the other.
const SIMILAR: f64 = 0.75;

/// Adds the variables of the environment file by starting the program anew with them in the same
/// process, because changing the environment of a running program is unsafe. Does nothing when
/// they are all set. Variables that are set win over the file; empty ones count as unset.
///
/// # Errors
///
/// A sentence about the file, or about a variable that cannot be meant.
pub(in crate::cli) fn load() -> Result<(), String> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let known = setting_names();
    let is_read = |name: &str| known.iter().any(|it| it == name) || name.starts_with(BUCKET);
    let file = file(&arguments);
    let mut missing = BTreeMap::new();
    for line in read(file.as_deref())? {
        if is_read(&line.name) {
            check(&line.name, &line.value).map_err(|wrong| {
                let file = file.as_deref().unwrap_or(STANDARD_FILE.as_ref()).display();
                format!("{file}, line {}: {wrong}", line.number)
            })?;
            missing.insert(line.name, line.value);
        }
    }
    missing.retain(|_, value| !value.is_empty());
    let mut empty = Vec::new();
    for (name, value) in std::env::vars_os() {
        let Some(name) = name.to_str().filter(|name| is_read(name)) else {
            continue;
        };
        if value.is_empty() {
            empty.push(name.to_owned());
            continue;
        }
        missing.remove(name);
        check(name, &value.to_string_lossy())?;
    }
    // With a limit (`ulimit -v`): the C library reserves 64 MB for each thread's heap.
    let heaps = (getrlimit(Resource::As).current.is_some() && std::env::var_os(HEAPS.0).is_none())
        .then_some(HEAPS);
    if missing.is_empty() && empty.is_empty() && heaps.is_none() {
        return Ok(());
    }
    let program = std::env::current_exe()
        .map_err(|error| format!("cannot find the path of this program: {error}"))?;
    let mut program = Command::new(program);
    if let Some(name) = std::env::args_os().next() {
        program.arg0(name);
    }
    for name in empty {
        program.env_remove(name);
    }
    let error = program.args(arguments).envs(missing).envs(heaps).exec();
    Err(format!("cannot start with the settings: {error}"))
}

/// Checks the text of a shop's variable, without repeating a secret; keys and texts for visitors
/// may be any.
fn check(name: &str, value: &str) -> Result<(), String> {
    let may_be_any = name.starts_with(BUCKET)
        || ["DEALS_SECRET", "DEALS_DISCLOSURE", "DEALS_MAIL_FROM"].contains(&name);
    match flaw(value).filter(|_| !may_be_any) {
        None => Ok(()),
        Some(advice) if name == "DEALS_SMTP_URL" => Err(format!("{name}: {advice}")),
        Some(advice) => Err(format!("{name} is {value:?}: {advice}")),
    }
}

/// Returns the file that `--env-file` names.
fn file(arguments: &[OsString]) -> Option<PathBuf> {
    option("--env-file", arguments).map(PathBuf::from)
}

/// Returns the value of an option, before the command line is parsed: options are parsed with the
/// variables of the file.
pub(in crate::cli) fn option(name: &str, arguments: &[OsString]) -> Option<OsString> {
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    while let Some(option) = options.next() {
        if option == name {
            return options.next().cloned();
        }
        let value = option.to_str().and_then(|it| it.strip_prefix(name));
        if let Some(value) = value.and_then(|it| it.strip_prefix('=')) {
            return Some(value.into());
        }
    }
    None
}

/// Reads the lines of the named file, or of the standard one where it is readable.
fn read(named: Option<&Path>) -> Result<Vec<VariableLine>, String> {
    let file = named.unwrap_or(STANDARD_FILE.as_ref());
    match std::fs::read_to_string(file) {
        Ok(text) => parse(&text).map_err(|problem| format!("{}, {problem}", file.display())),
        Err(error) if named.is_none() && error.kind() != ErrorKind::InvalidData => Ok(Vec::new()),
        Err(error) if error.kind() == ErrorKind::InvalidData => Err(format!(
            "{} is no UTF-8 text: save it as UTF-8",
            file.display()
        )),
        Err(error) => Err(format!("cannot read {}: {error}", file.display())),
    }
}

/// True if the standard file exists, and this user may not read it.
pub(in crate::cli) fn is_closed() -> bool {
    std::fs::File::open(STANDARD_FILE)
        .is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

/// A line of an environment file.
#[derive(Debug, PartialEq)]
struct VariableLine {
    /// Number from 1.
    number: usize,
    name: String,
    value: String,
}

/// Parses NAME=VALUE lines as systemd does (systemd.exec, `EnvironmentFile=`), also after `export`,
/// without continued lines. The last one of a name wins.
fn parse(text: &str) -> Result<Vec<VariableLine>, String> {
    let mut settings = Vec::new();
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let (name, value) = line
            .split_once('=')
            .ok_or_else(|| format!("line {number}: write NAME=VALUE, or # before a comment"))?;
        let (name, value) = (name.trim(), value.trim());
        if value.ends_with('\\') {
            return Err(format!("line {number}: write the whole value on this line"));
        }
        let exported = name.strip_prefix("export").map(str::trim_start);
        settings.push(VariableLine {
            number,
            name: exported
                .filter(|it| name.len() > it.len() + 6)
                .unwrap_or(name)
                .to_owned(),
            value: unquoted(value),
        });
    }
    Ok(settings)
}

/// Removes quotes around a value, and the backslashes that escape a character outside single
/// quotes.
fn unquoted(value: &str) -> String {
    let inside = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(literal) = inside('\'') {
        return literal.to_owned();
    }
    let quoted = inside('"');
    let mut plain = String::new();
    let mut rest = quoted.unwrap_or(value).chars().peekable();
    while let Some(c) = rest.next() {
        let escapes = c == '\\'
            && rest
                .peek()
                .is_some_and(|next| quoted.is_none() || "\"\\`$".contains(*next));
        plain.extend(if escapes { rest.next() } else { Some(c) });
    }
    plain
}

/// Names of all settings.
fn setting_names() -> Vec<String> {
    let command = Cli::command();
    let serve = command.find_subcommand("serve");
    let options = serve.into_iter().flat_map(clap::Command::get_arguments);
    let names = options
        .chain(command.get_arguments())
        .filter_map(Arg::get_env)
        .filter_map(|it| it.to_str());
    // The build of the program reads the other one.
    let others = ["DEALS_LOG", "DEALS_COMMIT"];
    names.chain(others).map(ToOwned::to_owned).collect()
}

/// Returns a sentence about each variable of the file and of the environment that is no setting and
/// may be meant to be one, with the nearest name.
pub(in crate::cli) fn unknown() -> Vec<String> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let file = file(&arguments);
    let shown = file.as_deref().unwrap_or(STANDARD_FILE.as_ref()).display();
    let lines = read(file.as_deref()).unwrap_or_default();
    let known = setting_names();
    let mut unknown: Vec<String> = lines
        .iter()
        .filter_map(|line| {
            Some(format!(
                "{shown}, line {}: {}",
                line.number,
                doubt(&line.name, &known)?
            ))
        })
        .collect();
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut others: Vec<String> = names
        .filter(|name| lines.iter().all(|line| line.name != *name))
        .filter_map(|name| doubt(&name, &known))
        .collect();
    others.sort();
    unknown.append(&mut others);
    unknown
}

/// Returns a sentence about a name that is no setting and begins or looks like one.
fn doubt(name: &str, known: &[String]) -> Option<String> {
    if known.iter().any(|it| it == name) {
        return None;
    }
    let plain = |name: &str| name.to_uppercase().replace(['_', '-', '.', ' '], "");
    let own = plain(name);
    let likeness = |other: &&String| strsim::jaro_winkler(&own, &plain(other));
    let nearest = known
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let nearest = nearest.map(|it| (it, likeness(&it)));
    let is_ours = own.starts_with("DEALS") || own.contains("DEALS") && name.contains(' ');
    if !is_ours && nearest.is_none_or(|(_, likeness)| likeness < ALIKE) {
        return None;
    }
    let rest = own.split_once("DEALS").map_or(&*own, |(_, rest)| rest);
    let likeness = |other: &str| strsim::jaro_winkler(rest, &plain(other)["DEALS".len()..]);
    let nearest = known
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .filter(|nearest| likeness(nearest) > SIMILAR);
    let advice = nearest.map_or(String::new(), |it| format!(" Did you mean {it}?"));
    Some(format!("{name} is not a setting and is ignored.{advice}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_file_values_are_read_as_in_systemd() {
        let text = "\u{20}# a comment\n; another\n\nDEALS_A=1 2\nDEALS_B = \"a \\\"b\\\" \\n\"\n\
                    DEALS_C='a\\b'\nDEALS_D=\nTZ=UTC\nAWS_REGION=auto\nDEALS_E=a\\\\b\\c=d\nDEALS_A=3";
        let read = parse(text).unwrap().into_iter();
        let read: BTreeMap<String, String> = read.map(|line| (line.name, line.value)).collect();
        let expected = [
            ("AWS_REGION", "auto"),
            ("DEALS_A", "3"),
            ("DEALS_B", "a \"b\" \\n"),
            ("DEALS_C", "a\\b"),
            ("DEALS_D", ""),
            ("DEALS_E", "a\\bc=d"),
            ("TZ", "UTC"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(read, BTreeMap::from(expected));
        let error = parse("DEALS_A=1\nexport").unwrap_err();
        assert!(error.starts_with("line 2:"), "{error}");
    }

    #[test]
    fn environment_file_lines_with_export_or_quotes_are_read() {
        for text in [
            "DEALS_DB=x",
            "export DEALS_DB=x",
            "\u{feff}DEALS_DB=x",
            "DEALS_DB=x\r",
            "export  DEALS_DB = 'x'",
            "\tDEALS_DB =\"x\"",
        ] {
            let line = parse(text).unwrap().pop().unwrap();
            assert_eq!(
                (line.name.as_str(), line.value.as_str()),
                ("DEALS_DB", "x"),
                "{text:?}"
            );
        }
    }

    #[test]
    fn misspelt_environment_variables_get_a_suggestion() {
        let known = setting_names();
        for (name, meant) in [
            ("deals_db", "DEALS_DB"),
            ("DEALSDB", "DEALS_DB"),
            ("DEAL_LISTEN", "DEALS_LISTEN"),
            ("DEALS_PUBLIC_URI", "DEALS_PUBLIC_URL"),
            ("ENV DEALS_DB", "DEALS_DB"),
        ] {
            let said = doubt(name, &known).unwrap_or_default();
            assert!(
                said.ends_with(&format!("Did you mean {meant}?")),
                "{name}: {said}"
            );
        }
        for name in ["PATH", "HOME", "LISTEN_FDS", "AWS_REGION", "TZ", "DEALS_DB"] {
            assert_eq!(doubt(name, &known), None, "{name}");
        }
    }

    #[test]
    fn only_settings_of_a_shop_have_variables() {
        fn names(command: &clap::Command, into: &mut Vec<String>) {
            let own = command.get_arguments().filter_map(Arg::get_env);
            into.extend(own.filter_map(|name| name.to_str()).map(ToOwned::to_owned));
            for sub in command.get_subcommands() {
                names(sub, into);
            }
        }
        let mut all = Vec::new();
        names(&Cli::command(), &mut all);
        let known = setting_names();
        all.retain(|name| !known.contains(name));
        assert_eq!(all, Vec::<String>::new());
    }
}
