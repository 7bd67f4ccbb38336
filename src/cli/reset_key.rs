//! `deals user reset-key`.

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Context, bail};
use jiff::Timestamp;

use super::{complain, counted, open_existing, say};
use crate::accounts::Secrets;
use crate::store::ServerLock;

/// Replaces the key of a shop whose key is lost, after its owner has agreed.
pub(super) fn reset_key(path: &Path, secret: Option<&str>, is_agreed: bool) -> anyhow::Result<()> {
    let store = open_existing(path)?;
    // A running server would go on using the old key.
    let _alone = ServerLock::take(path)?;
    let accounts = store.list_users()?.len();
    complain(format_args!(
        "This makes a new key for {}. Products, clicks and settings stay as they are.\n\
         It costs the passwords of {}: everybody is signed out and sets a new one, by\n\
         \"Forgot your password?\" or `deals user set-password`. Codes that were mailed are void,\n\
         forms that wait for one have to be sent again, and the old key opens nothing any more.",
        path.display(),
        counted(accounts, "account"),
    ));
    if !is_agreed {
        if !io::stdin().is_terminal() {
            bail!("nothing was changed: pass --yes to agree where there is no terminal to ask");
        }
        complain("Type yes to go on:");
        let mut answer = String::new();
        io::stdin()
            .read_line(&mut answer)
            .context("the answer could not be read")?;
        if answer.trim() != "yes" {
            bail!("nothing was changed");
        }
    }
    let kept = Secrets::renew(secret, &store, Timestamp::now())?;
    if let Some(kept) = kept {
        say(format_args!(
            "the key that was there is kept as {}",
            kept.display()
        ));
    }
    say(format_args!(
        "{} has a new key: keep a copy of it in another place than the backups",
        path.display()
    ));
    Ok(())
}
