//! `deals systemd`, `deals completions` and `deals man`: files for an installation.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, counted, say, write_out};

const UNIT: &str = include_str!("../../assets/deals.service");

#[derive(Debug, Args)]
pub(super) struct SystemdCommand {}

impl SystemdCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let program = std::env::current_exe().context("cannot find the path of this program")?;
        let program = program.to_str().context(
            "the path of this program is not valid UTF-8. Copy it to /usr/local/bin/deals, and run that.",
        )?;
        if let Some(folder) = hidden_folder(program) {
            bail!(
                "the unit hides {folder} from the server, which could not start {program}. \
                 Copy the program to /usr/local/bin/deals, and run that."
            );
        }
        write_out(UNIT.replace("@DEALS@", &quoted(program)).as_bytes());
        Ok(())
    }
}

/// Returns the folder of a path that the unit hides, by `ProtectHome` or `PrivateTmp`.
fn hidden_folder(path: &str) -> Option<&'static str> {
    ["/home", "/root", "/run/user", "/tmp", "/var/tmp"]
        .into_iter()
        .find(|folder| Path::new(path).starts_with(folder))
}

/// Quotes a path for systemd (systemd.service, "Command lines").
fn quoted(path: &str) -> String {
    let escaped = path.replace('%', "%%").replace('$', "$$");
    if escaped.contains([' ', '"', '\\', '\'']) {
        let escaped = escaped.replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{escaped}\"")
    } else {
        escaped
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  deals completions bash > /etc/bash_completion.d/deals
  deals completions zsh > /usr/local/share/zsh/site-functions/_deals
  deals completions fish > ~/.config/fish/completions/deals.fish")]
pub(super) struct CompletionsCommand {
    /// The shell
    shell: Shell,
}

impl CompletionsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "deals", &mut script);
        write_out(&script);
        Ok(())
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  deals man | man -l -
  deals man /usr/local/share/man/man1")]
pub(super) struct ManCommand {
    /// The folder for one page per command [default: print the first page]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl ManCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let command = Cli::command();
        let Some(folder) = self.folder else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            write_out(&page);
            return Ok(());
        };
        let fail = || format!("cannot write man pages to {}", folder.display());
        fs::create_dir_all(&folder).with_context(fail)?;
        clap_mangen::generate_to(command, &folder).with_context(fail)?;
        let pages = fs::read_dir(&folder).with_context(fail)?;
        let pages = pages
            .filter_map(Result::ok)
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("deals"));
        say(format_args!(
            "{} in {}",
            counted(pages.count(), "page"),
            folder.display()
        ));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_hidden_by_the_systemd_unit_are_recognized() {
        assert_eq!(hidden_folder("/home/joe/bin/deals"), Some("/home"));
        assert_eq!(hidden_folder("/var/tmp/deals"), Some("/var/tmp"));
        for shown in ["/usr/local/bin/deals", "/opt/home/deals", "/homes/deals"] {
            assert_eq!(hidden_folder(shown), None, "{shown}");
        }
    }

    #[test]
    fn paths_are_quoted_for_systemd() {
        assert_eq!(quoted("/usr/local/bin/deals"), "/usr/local/bin/deals");
        assert_eq!(quoted("/srv/100%/my deals"), "\"/srv/100%%/my deals\"");
    }
}
