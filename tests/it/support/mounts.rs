//! Programs in a mount namespace of their own.

use std::process::Command;

/// Returns a command that runs a shell script, of which `"$@"` is the program with its arguments, where
/// mounts can be made.
pub fn with_mounts(script: &str, program: &Command) -> Command {
    let mut unshare = Command::new("unshare");
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => unshare.env(name, value),
            None => unshare.env_remove(name),
        };
    }
    if !rustix::process::geteuid().is_root() {
        unshare.args(["--user", "--map-root-user"]);
    }
    unshare
        .args(["--mount", "sh", "-ec", script, "sh"])
        .arg(program.get_program())
        .args(program.get_args());
    if let Some(folder) = program.get_current_dir() {
        unshare.current_dir(folder);
    }
    unshare
}

/// Returns false, with a message, where this script can't make its mounts.
#[expect(clippy::print_stderr, reason = "it tells that the test is skipped")]
pub fn can_mount(script: &str, program: &Command) -> bool {
    let mut tried = Command::new(program.get_program());
    tried.arg("--version");
    if let Some(folder) = program.get_current_dir() {
        tried.current_dir(folder);
    }
    let tried = with_mounts(script, &tried).output();
    let can = tried.is_ok_and(|output| output.status.success());
    if !can {
        eprintln!("skipped: this system lets tests make no mounts (unshare, mount)");
    }
    can
}
