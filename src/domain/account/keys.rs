//! API keys of programs.

use jiff::Timestamp;

use super::User;
use crate::domain::named;

named! {
    /// Permission of an API key.
    Scope {
        /// Reads products in every state, and exports them.
        ProductsRead = "products:read";
        /// Adds, changes and deletes products.
        ProductsWrite = "products:write";
        /// Imports files.
        Import = "import";
        /// Reads reports.
        ReportsRead = "reports:read";
    }
}

/// An API key, without its secret.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiKey {
    /// Public identifier.
    pub id: String,
    /// First four characters of the random part, to recognize a key by.
    pub prefix: String,
    /// Name in the activity log, unique among the shop's keys.
    pub name: String,
    /// Permissions, at least one.
    pub scopes: Vec<Scope>,
    /// Account to which it belongs.
    pub owner: User,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time from which it is refused.
    pub expires_at: Timestamp,
    /// Time of last use, accurate to an hour.
    pub last_used_at: Option<Timestamp>,
}
