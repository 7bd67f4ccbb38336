//! `deals user reset-key`.

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Context, bail};
use jiff::Timestamp;

use crate::accounts::Secrets;
use crate::cli::{complain, counted, open_existing, say};
use crate::store::ServerLock;

/// Replaces the key of a shop whose key is lost, after its owner has agreed.
pub(super) fn reset_key(path: &Path, secret: Option<&str>, is_agreed: bool) -> anyhow::Result<()> {
    let store = open_existing(path)?;
    // A running server would go on using the old key.
    let _alone = ServerLock::acquire(path)?;
    let accounts = store.list_users()?.len();
    complain(format_args!(
        "This makes a new key for {}. Products, clicks and settings are unaffected.\n\
         The passwords of {} become invalid: everybody is signed out and must set a new one, with\n\
         \"Forgot your password?\" or `deals user set-password`. Mailed codes become invalid, forms\n\
         that wait for one must be sent again, and the old key is of no more use. Second factors and\n\
         recovery codes need the old key: remove each with `deals user reset-totp`.",
        path.display(),
        counted(accounts, "account"),
    ));
    if !is_agreed {
        if !io::stdin().is_terminal() {
            bail!("nothing was changed: without a terminal, confirm with --yes");
        }
        complain("Type yes to continue:");
        let mut answer = String::new();
        io::stdin()
            .read_line(&mut answer)
            .context("cannot read the answer")?;
        if answer.trim() != "yes" {
            bail!("nothing was changed");
        }
    }
    let old_file = Secrets::renew(secret, &store, Timestamp::now())?;
    if let Some(old_file) = old_file {
        say(format_args!(
            "the old key is kept as {}",
            old_file.display()
        ));
    }
    say(format_args!(
        "{} has a new key: keep a copy of it apart from the backups",
        path.display()
    ));
    Ok(())
}
