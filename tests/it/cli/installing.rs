//! Installation: systemd unit, completions, man pages.

use std::path::Path;
use std::process::Command;

use crate::support::harness::{Shop, fails, piped, succeeds, text};

#[test]
fn the_unit_for_systemd_runs_this_program_with_hardening() {
    let shop = Shop::new();
    let output = shop.run(&["systemd"]);
    let hidden = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"];
    let program = Path::new(env!("CARGO_BIN_EXE_deals"));
    if hidden.iter().any(|folder| program.starts_with(folder)) {
        assert!(fails(output).contains("the unit hides"));
        return;
    }
    let unit = succeeds(output);
    let start = format!("ExecStart={} serve", env!("CARGO_BIN_EXE_deals"));
    assert!(unit.contains(&start), "{unit}");
    for setting in [
        "ProtectSystem=strict",
        "NoNewPrivileges=yes",
        "StateDirectory=deals",
        // The example in its comment and in running.md.
        "ReadWritePaths=-/backup",
        "echo DEALS_BACKUP_DIR=/backup >> /etc/deals.env",
        "User=deals",
        "EnvironmentFile=/etc/deals.env",
    ] {
        assert!(unit.contains(setting), "{setting}");
    }
    // systemd verifies the unit, if installed.
    std::fs::write(shop.file("deals.service"), &unit).unwrap();
    let verified = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(shop.file("deals.service"))
        .output();
    if let Ok(output) = verified {
        let said = text(&output.stderr);
        let about_it = said.lines().filter(|line| line.contains("deals.service"));
        assert_eq!(about_it.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}

#[test]
fn no_systemd_unit_is_written_for_a_program_in_a_hidden_folder() {
    let folder = tempfile::Builder::new().tempdir_in("/tmp").unwrap();
    let program = folder.path().join("deals");
    // A child process writes the copy: a descriptor of this process would be inherited by what
    // other tests start meanwhile, and a file open for writing cannot be executed (ETXTBSY).
    let copied = Command::new("cp")
        .args([env!("CARGO_BIN_EXE_deals").as_ref(), program.as_os_str()])
        .status()
        .unwrap();
    assert!(copied.success());
    let said = fails(Command::new(&program).arg("systemd").output().unwrap());
    assert!(said.contains("the unit hides /tmp"), "{said}");
    assert!(said.contains("/usr/local/bin/deals"), "{said}");
}

#[test]
fn shells_complete_commands_and_options() {
    let shop = Shop::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = succeeds(shop.run(&["completions", shell]));
        assert!(
            script.contains("restore") && script.contains("metrics-listen"),
            "{shell}"
        );
    }
    let script = succeeds(shop.run(&["completions", "bash"]));
    let asked = format!(
        "{script}\nCOMP_WORDS=(deals ba); COMP_CWORD=1; _deals deals ba deals; echo \"${{COMPREPLY[@]}}\""
    );
    let output = Command::new("bash").args(["-c", &asked]).output().unwrap();
    assert_eq!(text(&output.stdout).trim(), "backup");
    let output = shop.run(&["completions", "cmd"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn there_is_a_man_page_for_each_command() {
    let shop = Shop::new();
    let page = succeeds(shop.run(&["man"]));
    assert!(page.contains(".TH deals 1"), "{page}");
    let said = succeeds(shop.run(&["man", "pages"]));
    assert!(said.ends_with("in pages\n"), "{said}");
    for page in [
        "deals.1",
        "deals-serve.1",
        "deals-user-add.1",
        "deals-restore.1",
    ] {
        let page = std::fs::read_to_string(shop.file("pages").join(page)).unwrap();
        assert!(page.contains(".SH NAME"));
    }
    std::fs::write(shop.file("file"), "no folder").unwrap();
    let said = fails(shop.run(&["man", "file/pages"]));
    assert!(said.contains("file/pages"), "{said}");
}

#[test]
fn completions_succeed_when_the_output_pipe_is_closed() {
    let shop = Shop::new();
    let mut child = piped(shop.command().args(["completions", "zsh"]));
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn the_version_names_the_commit() {
    let shop = Shop::new();
    let version = succeeds(shop.run(&["--version"]));
    let (release, commit) = version.trim().split_once(" (").unwrap();
    assert_eq!(release, format!("deals {}", env!("CARGO_PKG_VERSION")));
    let commit = commit.trim_end_matches(')');
    assert!(commit == "unknown" || commit.len() >= 12, "{commit}");
}
