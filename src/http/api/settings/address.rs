//! The call that says where the shop's domain leads.

use std::net::IpAddr;

use actix_web::http::header::HOST;
use actix_web::{HttpRequest, Responder, web};
use serde::{Deserialize, Serialize};
use url::Host;
use utoipa::ToSchema;

use super::server::no_store;
use crate::fetch::{addresses_of, is_own, may_dial};
use crate::http::api::permissions::Admin;
use crate::http::api::requests::Text;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, post};
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/settings/address/test", check_address)
            .without_code()
            .summary("Looks up where a domain leads, without connecting to it.")
            .answers::<AddressResponse>("Where it leads"),
    ]
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct AddressRequest {
    /// Like `deals.example.com`
    domain: Text,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddressResponse {
    /// Whether it leads to an address of this machine, or to that of the request
    leads_here: bool,
    /// The addresses that were found
    #[schema(value_type = Vec<String>)]
    addresses: Vec<IpAddr>,
    /// Result, a sentence
    message: String,
}

pub(crate) async fn check_address(
    state: web::Data<AppState>,
    client: Client,
    admin: Admin,
    request: HttpRequest,
    Json(body): Json<AddressRequest>,
) -> Result<impl Responder, ApiError> {
    let domain = domain_of(body.domain.as_str().trim())
        .ok_or_else(|| ApiError::invalid("domain", "Enter a domain, like deals.example.com."))?;
    state.rate_limits().resolve(client)?;
    let asked = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    let asked = asked.map(|host| format!("http://{host}"));
    let asked = asked.and_then(|address| url::Url::parse(&address).ok());
    let asked: Option<IpAddr> = asked.and_then(|url| match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    });
    let party = Party::account(admin.id());
    let found = move |_: &_, _: &_| {
        let addresses = addresses_of(&domain).unwrap_or_default();
        let (leads_here, message) = verdict(&domain, &addresses, |address| {
            Some(address) == asked || is_own(address)
        });
        Ok(AddressResponse {
            leads_here,
            addresses,
            message,
        })
    };
    Ok(no_store().json(state.file_work(party, found).await?))
}

/// Returns the domain without upper-case letters, if it is one that visitors could use.
fn domain_of(typed: &str) -> Option<String> {
    match Host::parse(typed).ok()? {
        Host::Domain(name) if name.trim_end_matches('.').contains('.') => Some(name),
        _ => None,
    }
}

/// Returns whether a domain with these addresses leads here, and a sentence about it.
fn verdict(domain: &str, addresses: &[IpAddr], is_here: impl Fn(IpAddr) -> bool) -> (bool, String) {
    let shown: Vec<String> = addresses.iter().map(IpAddr::to_string).collect();
    let shown = shown.join(", ");
    if addresses.is_empty() {
        let message = format!(
            "{domain} leads nowhere yet. Where you bought it, add an A record with the address of this machine. \
             It can take an hour until everybody sees it."
        );
        (false, message)
    } else if addresses.iter().any(|address| !may_dial(*address, &[])) {
        (
            false,
            format!("{domain} leads to {shown}, which visitors can't reach."),
        )
    } else if addresses.iter().any(|address| is_here(*address)) {
        (true, format!("{domain} leads to this machine ({shown})."))
    } else {
        let message = format!(
            "{domain} leads to {shown}, which is not an address of this machine. Behind a provider's network the machine \
             does not know its public address: compare it with the one that the provider shows."
        );
        (false, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_leads_here_by_a_public_address_of_this_machine_only() {
        let of = |addresses: &[&str]| {
            let addresses: Vec<IpAddr> = addresses.iter().map(|it| it.parse().unwrap()).collect();
            let here: IpAddr = "1.2.3.4".parse().unwrap();
            verdict("a.example", &addresses, |address| {
                address == here || address.is_loopback()
            })
        };
        assert!(of(&["1.2.3.4"]).0);
        assert!(of(&["2606:4700::1", "1.2.3.4"]).0);
        assert!(!of(&["1.2.3.5"]).0);
        assert!(!of(&["127.0.0.1"]).0);
        assert!(!of(&["1.2.3.4", "192.168.0.2"]).0);
        let (leads_here, message) = verdict("a.example", &[], |_| true);
        assert!(!leads_here && message.starts_with("a.example leads nowhere yet."));
    }

    #[test]
    fn only_names_with_a_dot_are_domains() {
        assert_eq!(
            domain_of("Deals.Example.com").as_deref(),
            Some("deals.example.com")
        );
        for typed in [
            "",
            "localhost",
            "127.0.0.1",
            "[::1]",
            "a b.example",
            "http://a.example",
        ] {
            assert_eq!(domain_of(typed), None, "{typed}");
        }
    }
}
