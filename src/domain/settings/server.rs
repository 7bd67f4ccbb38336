//! Mail and backups of the server, as an administrator chooses them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Encryption of the connections to a mail server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    /// TLS from the start.
    #[default]
    Tls,
    /// TLS after the command STARTTLS.
    StartTls,
    /// TLS only if a server on this machine offers it.
    None,
}

impl MailSecurity {
    /// Parses the name in a request.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "tls" => Some(Self::Tls),
            "starttls" => Some(Self::StartTls),
            "none" => Some(Self::None),
            _ => None,
        }
    }

    /// Returns its name in sentences.
    pub fn words(self) -> &'static str {
        match self {
            Self::Tls => "TLS",
            Self::StartTls => "STARTTLS",
            Self::None => "no encryption",
        }
    }
}

/// Mail server and sender; without a host, mails are printed in the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MailChoice {
    /// Name or address of the mail server; empty without one
    pub host: String,
    /// Its port
    pub port: u16,
    /// Encryption
    pub security: MailSecurity,
    /// User name; empty without a login
    pub user: String,
    /// Sender of mails, like "Deals <deals@example.com>"
    pub sender: String,
}

/// Place of scheduled backups, and how to reach it if it is a bucket; without a place, there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupChoice {
    /// A folder, or a bucket like s3://bucket/shop; empty without backups
    pub place: String,
    /// Address of a provider other than Amazon; empty for Amazon
    pub endpoint: String,
    /// Region of the bucket
    pub region: String,
    /// Id of the access key
    pub key_id: String,
}
