//! Links that lead on to another by a parameter of their own: of networks, search engines, social
//! networks and deal sites.

use percent_encoding::percent_decode_str;
use url::Url;

use super::LinkRules;
use super::address::value_of;
use super::shops::{Network, table};
use crate::domain::is_web_address;

/// Links inside each other that are unwrapped.
pub(super) const MOST_WRAPPERS: usize = 3;

impl LinkRules {
    /// Returns the address to which a link leads by a parameter of its own, or in its path. A link
    /// that is of no network must lead to a known shop.
    pub(super) fn target(
        &self,
        link: &str,
        url: &Url,
        wrapper: Option<&Network>,
    ) -> Option<String> {
        match wrapper {
            Some(wrapper) => {
                let values = wrapper.target.iter().filter_map(|it| value_of(link, it));
                let mut targets = values.filter_map(|value| web_address_in(&value));
                targets.next().or_else(|| target_in_path(link))
            }
            None => {
                let values = url.query_pairs().map(|(_, value)| value);
                let mut targets = values.filter_map(|value| web_address_in(&value));
                targets.find(|target| self.leads_to_shop(target, MOST_WRAPPERS))
            }
        }
    }

    /// True for a link of a known shop or a network, also inside so many others.
    fn leads_to_shop(&self, link: &str, wrappers: usize) -> bool {
        let Ok(url) = Url::parse(link) else {
            return false;
        };
        let is_inside = |value: &str| {
            let target = web_address_in(value);
            target.is_some_and(|target| self.leads_to_shop(&target, wrappers - 1))
        };
        table().networks.iter().any(|network| network.has(&url))
            || self.shops().any(|it| it.has(&url) || it.shortens(&url))
            || (wrappers > 0 && url.query_pairs().any(|(_, value)| is_inside(&value)))
    }
}

/// Returns the web address that a value is, however often it was encoded.
fn web_address_in(value: &str) -> Option<String> {
    let mut value = value.to_owned();
    for _ in 0..MOST_WRAPPERS {
        if is_web_address(&value) {
            return Some(value);
        }
        value = percent_decode_str(&value).decode_utf8().ok()?.into_owned();
    }
    None
}

/// Returns the address that follows the first segment of a path, as in `inrdeals.com/me/https://…`.
fn target_in_path(link: &str) -> Option<String> {
    let (_, rest) = link.split_once("://")?;
    let at = rest.find("/http")?;
    let target = rest.get(at + 1..)?;
    web_address_in(target)
}
