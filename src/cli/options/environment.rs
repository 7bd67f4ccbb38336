//! Settings in the environment and in the environment file.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use clap::{Arg, CommandFactory};

use crate::cli::Cli;

/// Environment file of the systemd unit, read without `--env-file`.
const STANDARD_FILE: &str = "/etc/deals.env";
const PREFIX: &str = "DEALS_";
/// Beginnings of the variables that are read: the shop's, and those of providers of buckets.
const PREFIXES: [&str; 2] = [PREFIX, "AWS_"];
/// Similarity of two names, from 0 to 1, above which one may be meant by the other.
const SIMILAR: f64 = 0.75;

/// Adds the variables of the environment file by starting the program anew with them in the same
/// process, because changing the environment of a running program is unsafe. Does nothing when
/// they are all set. Variables that are set win over the file; empty ones count as unset.
///
/// # Errors
///
/// A sentence about the file.
pub(in crate::cli) fn load() -> Result<(), String> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut missing = read(option("--env-file", &arguments).as_deref())?;
    let mut empty = Vec::new();
    for (name, value) in std::env::vars_os() {
        let Some(name) = name.to_str().filter(|name| is_read(name)) else {
            continue;
        };
        if value.is_empty() {
            empty.push(name.to_owned());
        } else {
            missing.remove(name);
        }
    }
    if missing.is_empty() && empty.is_empty() {
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
    let error = program.args(arguments).envs(missing).exec();
    Err(format!("cannot start with the settings: {error}"))
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

/// Reads the settings of the named file, or of the standard one where it is readable.
fn read(named: Option<&OsStr>) -> Result<BTreeMap<String, String>, String> {
    let file = Path::new(named.unwrap_or(STANDARD_FILE.as_ref()));
    match std::fs::read_to_string(file) {
        Ok(text) => parse(&text).map_err(|problem| format!("{}, {problem}", file.display())),
        Err(error) if named.is_none() && error.kind() != ErrorKind::InvalidData => {
            Ok(BTreeMap::new())
        }
        Err(error) => Err(format!("cannot read {}: {error}", file.display())),
    }
}

/// True if the standard file exists, and this user may not read it.
pub(in crate::cli) fn is_closed() -> bool {
    std::fs::File::open(STANDARD_FILE)
        .is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

/// Parses NAME=VALUE lines as systemd does (systemd.exec, `EnvironmentFile=`), without continued
/// lines. Keeps non-empty variables that are read; the last one of a name wins.
fn parse(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut settings = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let (name, value) = line.split_once('=').ok_or_else(|| {
            format!(
                "line {}: write NAME=VALUE, or # before a comment",
                number + 1
            )
        })?;
        let value = unquoted(value.trim());
        if is_read(name.trim()) && !value.is_empty() {
            settings.insert(name.trim().to_owned(), value);
        }
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

fn is_read(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Names of all settings.
fn known() -> Vec<String> {
    let command = Cli::command();
    let serve = command.find_subcommand("serve");
    let options = serve.into_iter().flat_map(clap::Command::get_arguments);
    let names = options
        .filter_map(Arg::get_env)
        .filter_map(|it| it.to_str());
    // The build of the program reads the other one.
    let others = ["DEALS_LOG", "DEALS_COMMIT"];
    names.chain(others).map(ToOwned::to_owned).collect()
}

/// Returns a sentence about each `DEALS_*` variable that is no setting, with the nearest name.
pub(in crate::cli) fn unknown() -> Vec<String> {
    let known = known();
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut unknown: Vec<String> = names
        .filter(|name| name.starts_with(PREFIX) && !known.contains(name))
        .map(|name| {
            let likeness = |other: &&String| {
                strsim::jaro_winkler(&name[PREFIX.len()..], &other[PREFIX.len()..])
            };
            let nearest = known
                .iter()
                .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
                .filter(|nearest| likeness(nearest) > SIMILAR);
            let advice = nearest.map_or(String::new(), |it| format!(" Did you mean {it}?"));
            format!("{name} is not a setting and is ignored.{advice}")
        })
        .collect();
    unknown.sort();
    unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_systemd_reads_them() {
        let text = "\u{20}# a comment\n; another\n\nDEALS_A=1 2\nDEALS_B = \"a \\\"b\\\" \\n\"\n\
                    DEALS_C='a\\b'\nDEALS_D=\nTZ=UTC\nAWS_REGION=auto\nDEALS_E=a\\\\b\\c=d\nDEALS_A=3";
        let read: Vec<(String, String)> = parse(text).unwrap().into_iter().collect();
        let expected = [
            ("AWS_REGION", "auto"),
            ("DEALS_A", "3"),
            ("DEALS_B", "a \"b\" \\n"),
            ("DEALS_C", "a\\b"),
            ("DEALS_E", "a\\bc=d"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(read, expected);
        let error = parse("DEALS_A=1\nexport").unwrap_err();
        assert!(error.starts_with("line 2:"), "{error}");
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
        let known = known();
        all.retain(|name| !known.contains(name));
        assert_eq!(all, Vec::<String>::new());
    }
}
