//! Shops and affiliate networks whose links are known: a table of the program, and the owner's own.

use std::sync::OnceLock;

use regex::Regex;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::{Host, Url};
use utoipa::ToSchema;

use super::pattern::{Pattern, is_parameter};

static TABLE: OnceLock<ShopTable> = OnceLock::new();

/// Returns the program's table, after the rules that were added.
pub(super) fn table() -> &'static ShopTable {
    TABLE.get_or_init(|| ShopTable::with(ShopTable::default()))
}

/// Adds shops and networks, written as in `assets/link-rules.json`, before the program's. Has an effect
/// only before the first link is read.
///
/// # Errors
///
/// A sentence about the first mistake.
pub fn add_link_rules(json: &str) -> Result<(), String> {
    let added: ShopTable = serde_json::from_str(json).map_err(|error| error.to_string())?;
    if let Some(shop) = added.shops.iter().find(|shop| shop.hosts.is_empty()) {
        return Err(format!("the shop {:?} has no hosts", shop.name));
    }
    TABLE.get_or_init(|| ShopTable::with(added));
    Ok(())
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ShopTable {
    pub(super) shops: Vec<SellerLinks>,
    pub(super) networks: Vec<Network>,
    /// Read by the form of a deal alone: hosts that name no seller, and sellers without rules.
    #[serde(rename = "silent")]
    _silent: IgnoredAny,
    #[serde(rename = "channels")]
    _channels: IgnoredAny,
    #[serde(rename = "sellers")]
    _sellers: IgnoredAny,
}

impl ShopTable {
    /// Returns the program's table after `added`.
    fn with(mut added: Self) -> Self {
        let own = include_str!("../../../assets/link-rules.json");
        // A test below parses it.
        let own: Self = serde_json::from_str(own).unwrap_or_default();
        added.shops.extend(own.shops);
        added.networks.extend(own.networks);
        added
    }
}

/// How the links of a shop are read and made.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SellerLinks {
    pub(super) name: String,
    /// Without `www.` and `m.`, which count as the same host; the first is the canonical one.
    hosts: Vec<String>,
    /// Hosts, or hosts and the start of a path, whose links only redirect to the shop.
    #[serde(default)]
    shorteners: Vec<String>,
    /// Where the product's id is; the first that matches counts.
    pub(super) ids: Vec<Pattern>,
    /// Regular expression of a whole id.
    #[serde(default)]
    form: Option<LinkPattern>,
    /// Whether ids are written in capitals.
    #[serde(default)]
    pub(super) upper: bool,
    /// Canonical link, with `{id}`, `{host}` and `{path}`, the path up to the id.
    pub(super) link: String,
    /// Start of the path that is left out of `{path}`.
    #[serde(default)]
    strip: String,
    /// Parameters that a canonical link keeps.
    #[serde(default)]
    pub(super) keep: Vec<String>,
    /// Parameters that pages without a product lose; `utm_*` for all that start with `utm_`.
    #[serde(default)]
    pub(super) drop: Vec<String>,
    /// Parameter of the affiliate's tag.
    #[serde(default)]
    pub(super) tag: Option<String>,
    /// Shop whose tag the links carry if there is none for this one.
    #[serde(default, rename = "tagOf")]
    pub(super) tag_of: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
struct LinkPattern(Regex);

impl TryFrom<String> for LinkPattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&format!("^(?:{text})$")).map(Self)
    }
}

/// Affiliate network whose links carry the shop's address.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Network {
    pub(super) name: String,
    /// `*.host` for any host below it.
    hosts: Vec<String>,
    /// Parameters that may hold the shop's address.
    pub(super) target: Vec<String>,
}

/// A shop that the owner added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[derive(ToSchema)]
#[schema(as = OwnShop)]
pub struct CustomSeller {
    /// Name of the seller, 1 to 100 characters.
    pub name: String,
    /// Hosts of its pages, like shop.example.
    pub hosts: Vec<String>,
    /// Place of a product's id in an address: /p/{id} or ?pid={id}.
    pub product_id: String,
    /// Query parameter that carries the affiliate's tag.
    pub tag_parameter: String,
}

impl CustomSeller {
    /// Maximum number of hosts.
    pub const MAX_HOSTS: usize = 10;

    /// Validates a shop as sent, with the validated name of its seller.
    ///
    /// # Errors
    ///
    /// Returns a sentence that says what to write.
    pub fn parse(name: String, value: &Value) -> Result<Self, String> {
        let text = |name: &str| value[name].as_str().unwrap_or_default().trim().to_owned();
        let listed = match &value["hosts"] {
            Value::Array(hosts) => hosts.iter().filter_map(Value::as_str).collect(),
            Value::String(hosts) => hosts.split([',', ' ']).collect(),
            _ => Vec::new(),
        };
        let mut hosts = Vec::new();
        for host in listed
            .into_iter()
            .map(str::trim)
            .filter(|it| !it.is_empty())
        {
            hosts.push(host_name(host).ok_or_else(|| {
                format!("{host:?} is not a host of a shop. Write one like shop.example.")
            })?);
        }
        hosts.dedup();
        if !(1..=Self::MAX_HOSTS).contains(&hosts.len()) {
            let most = Self::MAX_HOSTS;
            return Err(format!(
                "{name} needs 1 to {most} hosts, like shop.example."
            ));
        }
        let product_id = text("productId");
        let pattern: Pattern = product_id.parse()?;
        if pattern.is_too_wide() {
            return Err(format!(
                "With {product_id} each page of {name} would be a product. Add what stands beside \
                 the id, like /p/{{id}}."
            ));
        }
        let tag_parameter = text("tagParameter");
        if !is_parameter(&tag_parameter) {
            return Err(format!(
                "The parameter of {name} must be a name like tag or affid, in letters and digits."
            ));
        }
        Ok(Self {
            name,
            hosts,
            product_id,
            tag_parameter,
        })
    }
}

impl From<&CustomSeller> for SellerLinks {
    fn from(own: &CustomSeller) -> Self {
        let ids: Vec<Pattern> = own.product_id.parse().into_iter().collect();
        let parameter = ids.iter().find_map(|id| id.parameter());
        Self {
            name: own.name.clone(),
            hosts: own.hosts.clone(),
            shorteners: Vec::new(),
            keep: parameter.map(str::to_owned).into_iter().collect(),
            ids,
            form: None,
            upper: false,
            link: "https://{host}{path}".to_owned(),
            strip: String::new(),
            drop: vec!["utm_*".to_owned()],
            tag: Some(own.tag_parameter.clone()),
            tag_of: None,
        }
    }
}

impl SellerLinks {
    /// True for an address of the shop's pages.
    pub(super) fn has(&self, url: &Url) -> bool {
        let host = bare(url.host_str().unwrap_or_default());
        url.port().is_none() && self.hosts.iter().any(|listed| bare(listed) == host)
    }

    /// True for an address that only redirects to the shop.
    pub(super) fn shortens(&self, url: &Url) -> bool {
        let host = bare(url.host_str().unwrap_or_default());
        url.port().is_none()
            && self
                .shorteners
                .iter()
                .any(|listed| match listed.split_once('/') {
                    Some((listed, path)) => {
                        let rest = url.path().strip_prefix('/');
                        listed == host
                            && rest
                                .and_then(|rest| rest.strip_prefix(path))
                                .is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'))
                    }
                    None => listed == host && url.path().len() > 1,
                })
    }

    /// True if a seller of this name is the shop: `Amazon`, `amazon.in`, `AMAZON India`.
    pub(super) fn is_seller(&self, source: &str) -> bool {
        let words = |text: &str| -> Vec<String> {
            let lower = text.to_lowercase();
            let words = lower.split(|c: char| !c.is_alphanumeric());
            words
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let (source, name) = (words(source), words(&self.name));
        if name.is_empty() {
            return false;
        }
        source.starts_with(&name) || source.first().is_some_and(|first| *first == name.concat())
    }

    pub(super) fn is_id(&self, id: &str) -> bool {
        match &self.form {
            Some(LinkPattern(form)) => form.is_match(id),
            None => {
                !id.is_empty()
                    && id
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
            }
        }
    }

    /// Makes the canonical link of a product, without parameters; on the first host for a short one.
    pub(super) fn canonical(&self, url: &Url, id: &str, path: &str) -> String {
        let host = bare(url.host_str().unwrap_or_default());
        let listed = self.hosts.iter().find(|listed| bare(listed) == host);
        let canonical = listed.or(self.hosts.first());
        let path = path.strip_prefix(&*self.strip).unwrap_or(path);
        self.link
            .replace("{host}", canonical.map_or(host, String::as_str))
            .replace("{path}", path)
            .replace("{id}", id)
    }
}

impl Network {
    pub(super) fn has(&self, url: &Url) -> bool {
        let host = bare(url.host_str().unwrap_or_default());
        self.hosts
            .iter()
            .any(|listed| match listed.strip_prefix('*') {
                Some(end) => host.ends_with(end),
                None => listed == host,
            })
    }
}

/// Removes `www.` and `m.` from a host.
fn bare(host: &str) -> &str {
    let host = host.strip_prefix("www.").unwrap_or(host);
    host.strip_prefix("m.").unwrap_or(host)
}

/// Returns the host that an owner wrote, also as an address.
fn host_name(text: &str) -> Option<String> {
    let text = text.split_once("://").map_or(text, |(_, rest)| rest);
    let text = text.trim_end_matches('/');
    let Ok(Host::Domain(name)) = Host::parse(text) else {
        return None;
    };
    let is_name = name.contains('.') && !name.starts_with('.') && !name.ends_with('.');
    (is_name && name.len() <= 253).then_some(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_link_rules_name_each_shop_and_network_once() {
        let table: ShopTable =
            serde_json::from_str(include_str!("../../../assets/link-rules.json")).unwrap();
        for name in [
            "Amazon",
            "Flipkart",
            "Myntra",
            "Ajio",
            "Meesho",
            "Nykaa",
            "Croma",
            "Tata Cliq",
            "JioMart",
            "Reliance Digital",
        ] {
            let named = table.shops.iter().filter(|shop| shop.is_seller(name));
            assert_eq!(named.count(), 1, "{name}");
        }
        for name in [
            "Cuelinks",
            "EarnKaro",
            "INRDeals",
            "Admitad",
            "Awin",
            "Impact",
            "vCommission",
        ] {
            assert!(table.networks.iter().any(|it| it.name == name), "{name}");
        }
    }

    #[test]
    fn shops_are_recognized_by_seller_names() {
        let shop = |name: &str| table().shops.iter().find(|shop| shop.is_seller(name));
        let name = |seller: &str| shop(seller).map(|shop| shop.name.as_str());
        for (seller, known) in [
            ("Amazon", Some("Amazon")),
            ("amazon.in", Some("Amazon")),
            ("AMAZON India", Some("Amazon")),
            ("TataCliq", Some("Tata Cliq")),
            ("Tata CLiQ Luxury", Some("Tata Cliq")),
            ("Reliance Digital", Some("Reliance Digital")),
            ("Amazonia", None),
            ("Reliance", None),
            ("", None),
        ] {
            assert_eq!(name(seller), known, "{seller}");
        }
    }

    #[test]
    fn invalid_link_rules_of_an_own_shop_are_explained() {
        let right = json!({"hosts": "https://www.corner.example/, corner.test",
            "productId": "/p/{id}", "tagParameter": "ref"});
        let parse = |value: &Value| CustomSeller::parse("Corner".to_owned(), value);
        let shop = parse(&right).unwrap();
        assert_eq!(shop.hosts, ["www.corner.example", "corner.test"]);
        for (field, value, words) in [
            ("hosts", json!(""), "1 to 10 hosts"),
            ("hosts", json!("127.0.0.1"), "is not a host"),
            ("hosts", json!("shop"), "is not a host"),
            ("productId", json!("/p/"), "{id}"),
            ("productId", json!("/{id}"), "each page"),
            ("tagParameter", json!("a b"), "a name like tag"),
            ("tagParameter", json!(null), "a name like tag"),
        ] {
            let mut wrong = right.clone();
            wrong[field] = value;
            let said = parse(&wrong).unwrap_err();
            assert!(said.contains(words), "{said}");
        }
    }
}
