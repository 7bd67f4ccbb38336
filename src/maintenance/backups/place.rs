//! Where backups are kept, and values that name no place.

use std::fmt;
use std::path::PathBuf;

use crate::bucket::Address;

/// Where backups are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupPlace {
    /// A folder, which has no other files with such names.
    Folder(PathBuf),
    /// A part of a bucket.
    Bucket(Address),
}

impl BackupPlace {
    /// Parses the name of a folder or the address of a bucket.
    ///
    /// # Errors
    ///
    /// A sentence about an address that no bucket can have, or a name that is no path.
    pub fn parse(text: &str) -> Result<Self, String> {
        check_is_literal(text)?;
        if let Some(rest) = after_scheme(text, "s3:").filter(|_| !text.starts_with("s3://")) {
            return Err(format!("write it like s3://{rest}"));
        }
        match Address::parse(text) {
            Some(address) if after_scheme(text, "file:").is_none() => address.map(Self::Bucket),
            _ => check_path(text).map(|()| Self::Folder(text.into())),
        }
    }
}

impl fmt::Display for BackupPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Bucket(address) => address.fmt(f),
        }
    }
}

/// Refuses the name of a file or folder that only a shell, another program or another system reads
/// as it was meant, or that SQLite reads in its own way. A name that begins with `./` is taken as it is.
///
/// # Errors
///
/// The end of a sentence, with the way to write it.
pub fn check_path(text: &str) -> Result<(), String> {
    check_is_literal(text)?;
    if text.contains('\\') {
        return Err(
            "folders are separated by /, so write it like /srv/shop; a folder of another machine \
             is mounted first"
                .to_owned(),
        );
    }
    let first = text.split('/').next().unwrap_or_default();
    if !has_colon(first) {
        return Ok(());
    }
    match after_scheme(text, "file:").filter(|path| !path.starts_with(':')) {
        Some(path) => Err(format!("write the path alone, like {path}")),
        None => Err(format!(
            "it is an address, or a name that SQLite reads in its own way. Write a path like \
             /srv/shop, or ./{text} for a file or folder with this name"
        )),
    }
}

/// Refuses what was written for a shell, a unit file or a template, which was to be replaced by
/// something else.
fn check_is_literal(text: &str) -> Result<(), String> {
    let bare = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    if bare.is_empty() {
        return Err("it is empty: write a path like /srv/shop".to_owned());
    }
    if bare != text {
        return Err(format!(
            "it begins or ends with a blank or a line end, as in files from Windows: write {bare}"
        ));
    }
    if text.contains(char::is_control) {
        return Err("it has a control character: write a path like /srv/shop".to_owned());
    }
    let quotes = ['"', '\'', '“', '”', '‘', '’'];
    if text.starts_with(quotes) || text.ends_with(['"', '”']) {
        let bare = text.trim_matches(quotes);
        return Err(format!("the quotes are a part of it: write {bare}"));
    }
    if text.starts_with('~') || text.split('/').any(is_variable) {
        return Err(
            "~, $HOME, %h and the like are replaced by a shell, by systemd or by a template, and \
             not here: write the whole path, like /srv/shop"
                .to_owned(),
        );
    }
    Ok(())
}

/// Whether a part of a path has a variable: `$HOME`, `${X}`, `$(pwd)`, `{{ x }}`, `%h`, `%TEMP%`.
fn is_variable(part: &str) -> bool {
    let has = |text| part.contains(text);
    let bytes = part.as_bytes();
    let at = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied().unwrap_or(b'/');
    has("${")
        || has("$(")
        || has("{{")
        || has("`")
        || (part.starts_with('%') && part.ends_with('%') && part.len() > 2)
        || (0..bytes.len()).any(|sign| {
            let (before, next) = (at(sign.checked_sub(1)), at(Some(sign + 1)));
            let is_first = !before.is_ascii_alphanumeric();
            match bytes[sign] {
                b'$' => {
                    next.is_ascii_uppercase()
                        || is_first && (next.is_ascii_alphabetic() || next == b'_')
                }
                // One letter: a%20b and 100%.sqlite are names.
                b'%' => {
                    is_first
                        && next.is_ascii_alphabetic()
                        && !at(Some(sign + 2)).is_ascii_alphanumeric()
                }
                _ => false,
            }
        })
}

/// Whether a name has a colon that is not a part of a time, like `shop-10:30.sqlite`.
fn has_colon(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    (0..bytes.len())
        .any(|at| bytes[at] == b':' && !(is_digit(at.checked_sub(1)) && is_digit(Some(at + 1))))
}

/// Returns what follows a scheme, however it is spelt; an absolute path keeps one slash.
fn after_scheme<'a>(text: &'a str, scheme: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(scheme.len())?;
    let rest = if scheme == "file:" {
        rest.strip_prefix("//").unwrap_or(rest)
    } else {
        rest.trim_start_matches('/')
    };
    start.eq_ignore_ascii_case(scheme).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_of_every_kind_are_paths() {
        for name in [
            "/backup",
            "backups",
            "./a:b",
            "./:memory:",
            "../shop 1/b",
            "a?mode=memory",
            "a#b",
            "a%20b",
            "a%b",
            "100%",
            "cash$.sqlite",
            "a$b",
            "it's.sqlite",
            "deals.sqlite~",
            "/srv/~old",
            "दुकान.sqlite",
            "-dash",
            "deals-2026-11-26T10:30:00+05:30.sqlite",
            "/data/a:b",
        ] {
            assert_eq!(check_path(name), Ok(()), "{name}");
            assert!(
                matches!(BackupPlace::parse(name), Ok(BackupPlace::Folder(_))),
                "{name}"
            );
        }
        assert!(matches!(
            BackupPlace::parse("s3://bucket/a b"),
            Ok(BackupPlace::Bucket(_))
        ));
    }

    #[test]
    fn invalid_backup_paths_are_refused_with_a_suggestion() {
        for (value, advice) in [
            ("", "like /srv/shop"),
            ("/backup\r", "write /backup"),
            (" /backup", "write /backup"),
            ("/a\tb", "control character"),
            ("\"/backup\"", "write /backup"),
            ("'backup'", "write backup"),
            ("/backup\"", "write /backup"),
            ("~", "whole path"),
            ("~/backups", "whole path"),
            ("~asha/backups", "whole path"),
            ("$HOME/backups", "whole path"),
            ("/srv/$shop", "whole path"),
            ("/srv/a-${X}", "whole path"),
            ("$(pwd)/b", "whole path"),
            ("%h/backups", "whole path"),
            ("/srv/shop-%i", "whole path"),
            ("/srv/{{ shop }}", "whole path"),
            ("%TEMP%/b", "whole path"),
            ("C:\\backup", "like /srv/shop"),
            ("\\\\server\\share", "like /srv/shop"),
            ("C:/backup", "./C:/backup"),
            ("u123@box.example:/backup", "path like /srv/shop"),
            ("box:backup", "./box:backup"),
            ("10.0.0.5:/backup", "path like /srv/shop"),
            ("rclone:remote", "path like /srv/shop"),
            (":memory:", "SQLite"),
            ("file::memory:", "SQLite"),
            ("file:x.sqlite", "like x.sqlite"),
            ("file:///backup", "like /backup"),
            ("FILE:/backup", "like /backup"),
        ] {
            let said = check_path(value).unwrap_err();
            assert!(said.contains(advice), "{value:?}: {said}");
            let said = BackupPlace::parse(value).map(|place| place.to_string());
            assert!(
                said.as_ref().is_err_and(|said| said.contains(advice)),
                "{value:?}: {said:?}"
            );
        }
        for value in [
            "s3:/bucket/shop",
            "s3:bucket/shop",
            "S3://bucket/shop",
            "S3:bucket/shop",
        ] {
            let said = BackupPlace::parse(value).unwrap_err();
            assert!(said.contains("s3://bucket/shop"), "{value}: {said}");
        }
        assert!(
            BackupPlace::parse("https://box.example/a")
                .unwrap_err()
                .contains("s3://")
        );
        assert!(
            check_path("s3://bucket/shop")
                .unwrap_err()
                .contains("path like")
        );
    }
}
