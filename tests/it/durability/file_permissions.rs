//! Permissions of files, and links and pipes in their place (security, R27).

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::json;
use tempfile::TempDir;

use crate::support::harness::{Shop, fails, piped, product, succeeds, text, wait_for_exit};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn with_umask(shop: &Shop, umask: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")])
        .arg(shop.command().get_program())
        .args(arguments)
        .current_dir(shop.folder());
    command
}

#[test]
fn files_of_a_shop_are_private_whatever_the_umask_is() {
    for umask in ["022", "000"] {
        let shop = Shop::new();
        let mut serve = with_umask(
            &shop,
            umask,
            &["serve", "--listen", "127.0.0.1:0", "--demo"],
        );
        let server = crate::support::harness::Server::start({
            serve.env_remove("DEALS_DB");
            serve
        });
        assert_eq!(server.list("").len(), 10);
        let backup = with_umask(&shop, umask, &["backup", "copy.sqlite"]);
        succeeds({ backup }.output().unwrap());
        for entry in fs::read_dir(shop.folder()).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path), 0o600, "{} with {umask}", path.display());
        }
        for name in [
            "deals.sqlite",
            "deals.sqlite-wal",
            "deals.sqlite-shm",
            "deals.sqlite.key",
        ] {
            assert!(shop.file(name).exists(), "{name}");
        }
    }
}

#[test]
fn a_world_readable_database_is_made_private() {
    let shop = Shop::with(&[product(1)]);
    fs::set_permissions(shop.db(), fs::Permissions::from_mode(0o644)).unwrap();
    let checked = text(&shop.run(&["check"]).stdout);
    assert!(checked.contains("wrong  files"), "{checked}");
    assert!(checked.contains("can be read by every user"), "{checked}");
    succeeds(
        with_umask(&shop, "022", &["user", "list"])
            .output()
            .unwrap(),
    );
    assert_eq!(mode(&shop.db()), 0o600);
    // A group with write permission keeps it.
    fs::set_permissions(shop.db(), fs::Permissions::from_mode(0o664)).unwrap();
    succeeds(shop.run(&["user", "list"]));
    assert_eq!(mode(&shop.db()), 0o660);
}

/// A file that must not change, in its own folder.
struct Secret(TempDir);

impl Secret {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("secret"), "the secret").unwrap();
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(folder.path().join("secret"), private).unwrap();
        Self(folder)
    }

    fn path(&self) -> std::path::PathBuf {
        self.0.path().join("secret")
    }

    fn assert_untouched(&self, what: &str) {
        assert_eq!(
            fs::read_to_string(self.path()).unwrap(),
            "the secret",
            "{what}"
        );
        assert_eq!(mode(&self.path()), 0o600, "{what}");
        let owner = fs::metadata(self.path()).unwrap().uid();
        assert_eq!(owner, fs::metadata(self.0.path()).unwrap().uid(), "{what}");
    }
}

#[test]
fn symbolic_links_in_the_shop_folder_are_not_followed() {
    let shop = Shop::with(&[product(1)]);
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    fs::write(shop.file("one.json"), json!([product(7)]).to_string()).unwrap();
    let secret = Secret::new();
    let import = ["import", "one.json"];
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for (name, command) in [
        ("deals.sqlite.import-lock", &import[..]),
        ("deals.sqlite.lock", &serve),
        ("deals.sqlite.lock", &["restore", "copy.sqlite"]),
        ("deals.sqlite.import-lock", &["restore", "copy.sqlite"]),
    ] {
        for hard in [false, true] {
            let link = shop.file(name);
            let _ = fs::remove_file(&link);
            let made = if hard {
                fs::hard_link(secret.path(), &link)
            } else {
                symlink(secret.path(), &link)
            };
            made.unwrap();
            let said = fails(shop.run(command));
            assert!(
                said.contains(name) || said.contains("link"),
                "{command:?}: {said}"
            );
            assert!(said.contains("link"), "{command:?}: {said}");
            secret.assert_untouched(&format!("{command:?}"));
            fs::remove_file(&link).unwrap();
        }
    }
    // Names that can be guessed.
    for name in ["deals.sqlite.part", "new.sqlite.part", "out.json.part"] {
        symlink(secret.path(), shop.file(name)).unwrap();
    }
    succeeds(shop.run(&["restore", "copy.sqlite"]));
    succeeds(shop.run(&["backup", "new.sqlite"]));
    succeeds(shop.run(&["export", "-o", "out.json"]));
    secret.assert_untouched("restore, backup and export");
    for name in ["deals.sqlite", "new.sqlite", "out.json"] {
        assert!(!fs::symlink_metadata(shop.file(name)).unwrap().is_symlink());
    }
    assert_eq!(mode(&shop.file("new.sqlite")), 0o600);
}

/// Only root could open a file that the maker of the link may not read.
#[test]
fn root_follows_no_link_of_another_user_to_a_database() {
    let secret = Secret::new();
    if fs::metadata(secret.path()).unwrap().uid() != 0 {
        // Only root can create links of another user.
        return;
    }
    let shop = Shop::new();
    fs::write(shop.file("one.json"), json!([product(7)]).to_string()).unwrap();
    let link = shop.db();
    symlink(secret.0.path().join("new.sqlite"), &link).unwrap();
    std::os::unix::fs::lchown(&link, Some(12_345), Some(12_345)).unwrap();
    let said = shop.run(&["import", "one.json"]);
    assert_eq!(said.status.code(), Some(2));
    assert!(text(&said.stderr).contains("another user's link"));
    assert!(!secret.0.path().join("new.sqlite").exists());
    fs::remove_file(&link).unwrap();
    // Nor does it write into a file of an unrelated user.
    fs::write(shop.file("deals.sqlite.import-lock"), "").unwrap();
    chown(shop.file("deals.sqlite.import-lock"), Some(12_345), None).unwrap();
    let said = fails(shop.run(&["import", "one.json"]));
    assert!(said.contains("belongs to another user"), "{said}");
    // A file of the server's own user keeps its owner.
    let theirs = shop.file("theirs");
    fs::create_dir(&theirs).unwrap();
    chown(&theirs, Some(12_345), Some(12_345)).unwrap();
    fs::write(theirs.join("shop.sqlite.import-lock"), "").unwrap();
    chown(
        theirs.join("shop.sqlite.import-lock"),
        Some(12_345),
        Some(12_345),
    )
    .unwrap();
    succeeds(shop.run(&["import", "one.json", "--db", "theirs/shop.sqlite"]));
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Returns the output of a command that must end by itself.
fn ended(shop: &Shop, arguments: &[&str]) -> Output {
    let mut child = piped(shop.command().args(arguments).stdin(Stdio::null()));
    wait_for_exit(&mut child);
    child.wait_with_output().unwrap()
}

#[test]
fn a_named_pipe_in_place_of_a_file_is_refused() {
    let shop = Shop::with(&[product(1)]);
    make_pipe(&shop.file("pipe"));
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0", "--db", "pipe"][..],
        &["export", "--db", "pipe"],
        &["check", "--db", "pipe"],
        &["restore", "pipe"],
        &["backup", "pipe"],
        &["backup", "pipe", "--keep", "2"],
    ] {
        let output = ended(&shop, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = text(&output.stderr) + &text(&output.stdout);
        assert!(said.contains("pipe"), "{arguments:?}: {said}");
    }
    let _ = fs::remove_file(shop.file("deals.sqlite.key"));
    make_pipe(&shop.file("deals.sqlite.key"));
    let said = fails(ended(&shop, &["user", "list"]));
    assert!(said.contains("deals.sqlite.key"), "{said}");
    let kind = fs::symlink_metadata(shop.file("pipe")).unwrap();
    assert!(!kind.is_file(), "the pipe was replaced");
}

#[test]
fn an_export_does_not_replace_a_named_pipe_or_link() {
    let shop = Shop::with(&[product(1)]);
    make_pipe(&shop.file("pipe"));
    let path = shop.file("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(path).unwrap());
    succeeds(ended(
        &shop,
        &["export", "-o", "pipe", "--format", "ndjson"],
    ));
    assert!(reader.join().unwrap().contains("Product 1"));
    // The name of standard output, a link to a pipe here.
    let said = succeeds(shop.run(&["export", "-o", "/dev/stdout", "--format", "ndjson"]));
    assert!(said.contains("Product 1"), "{said}");
    symlink("elsewhere.json", shop.file("link.json")).unwrap();
    for arguments in [&["export", "-o", "link.json"][..], &["backup", "link.json"]] {
        let said = fails(shop.run(arguments));
        assert!(said.contains("it is a link"), "{arguments:?}: {said}");
    }
    assert!(
        fs::symlink_metadata(shop.file("link.json"))
            .unwrap()
            .is_symlink()
    );
    assert!(!shop.file("elsewhere.json").exists());
}
