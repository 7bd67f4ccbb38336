//! Parties: clients of a lane that share turns and limits.

use std::net::IpAddr;

use crate::http::serving::rate_limit::Client;

/// Client of a lane. Groups take turns, and in a group its members: the /64 networks of an IPv6 /48, or the API
/// keys of an account and its people's own work.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Party {
    pub(super) rank: Rank,
    pub(super) group: PartyKey,
    pub(super) member: PartyKey,
}

/// Order of parties that takes precedence over turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Rank {
    Known,
    Usual,
    Behind,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum PartyKey {
    Address(IpAddr),
    /// Id of an account or an API key.
    Id(String),
}

impl Party {
    /// The work of an account, by its session.
    pub(crate) fn account(id: &str) -> Self {
        Self::member(id, id)
    }

    /// The work of an account by one of its API keys.
    pub(crate) fn member(account: &str, key: &str) -> Self {
        Self {
            rank: Rank::Known,
            group: PartyKey::Id(account.to_owned()),
            member: PartyKey::Id(key.to_owned()),
        }
    }

    /// Puts it behind all others.
    pub(crate) fn behind(self) -> Self {
        Self {
            rank: Rank::Behind,
            ..self
        }
    }
}

impl From<Client> for Party {
    fn from(client: Client) -> Self {
        Self {
            rank: Rank::Usual,
            group: PartyKey::Address(client.network()),
            member: PartyKey::Address(client.address()),
        }
    }
}
