//! Classifies clicks: person, bot or own (decisions, section 7). The first matching rule gives the
//! classification.

mod agents;
mod channels;
mod codes;
mod over;
mod page_views;
mod pictures;
mod visitors;
mod windows;

use std::sync::Arc;

use jiff::Timestamp;
use serde::Deserialize;

pub use self::agents::is_browser;
pub use self::over::OverReports;
pub use self::page_views::PageViewCounter;
pub use self::pictures::{PictureReports, Report};

use self::agents::AgentKind;
use self::codes::{Codes, Visitor, number_of};
use self::visitors::{Pace, Visitors};
use crate::domain::{Classification, Click, Place};

/// Details of a click that the page reports.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ClickNote {
    /// Random number of the page load, in hex.
    pub visit: Option<String>,
    /// Name of a [`Place`].
    pub place: Option<String>,
    /// `utm_source`, or the address of the referrer.
    pub from: Option<String>,
    /// Whether a program controls the browser (W3C WebDriver).
    pub webdriver: bool,
}

impl ClickNote {
    /// Maximum size of a note in bytes.
    pub const MAX_BYTES: usize = 512;

    /// Parses a note. An invalid one is empty; the click still counts.
    pub fn read(body: &[u8]) -> Self {
        if body.len() > Self::MAX_BYTES {
            return Self::default();
        }
        serde_json::from_slice(body).unwrap_or_default()
    }

    fn visit(&self) -> Option<u64> {
        u64::from_str_radix(self.visit.as_deref()?, 16).ok()
    }
}

/// A click as seen in its request.
pub struct Request<'a> {
    /// Returns a header by its lower-case name, if it is valid text.
    pub header: &'a dyn Fn(&str) -> Option<&'a str>,
    /// Client address; of IPv6, the first 64 bits.
    pub address: &'a [u8],
    /// Whether the owner or an administrator clicked.
    pub is_own: bool,
    /// Whether the public address is https.
    pub is_https: bool,
    /// Host name of the shop.
    pub host: &'a str,
    /// `_id` of the product.
    pub product: &'a str,
    /// Details from the page.
    pub note: ClickNote,
    /// Time of the click.
    pub now: Timestamp,
}

/// Classifies clicks. Remembers visitors in memory, for an hour.
#[derive(Default)]
pub struct Classifier {
    codes: Codes,
    visitors: Arc<Visitors>,
}

impl Classifier {
    /// Returns a function that classifies a click and remembers its visitor. It is called
    /// once the product was found: clicks on nothing would push other visitors out of memory.
    pub fn classify(&self, request: &Request<'_>) -> impl FnOnce() -> Click + Send + use<> {
        let agent = request.agent();
        let by_request = classify_by_request(request, agent);
        let from = request.note.from.as_deref().unwrap_or_default();
        let kind = (
            channels::channel_of(from, agent, request.host),
            place_of(request),
        );
        let agent: String = agent.chars().take(Click::AGENT).collect();
        let (visit, deal) = (
            request.note.visit(),
            number_of(&[request.product.as_bytes()]),
        );
        let (visitor, at) = (request.visitor(&self.codes), request.now);
        let visitors = Arc::clone(&self.visitors);
        move || {
            let pace = || visitor.map(|visitor| visitors.pace_of(visitor, visit, deal, at));
            let (classification, why) = by_request.unwrap_or_else(|| {
                let classification = match pace() {
                    // Without a random source visitors cannot be distinguished, so nobody is suspected.
                    Some(Pace::Human) | None => Classification::Counted,
                    Some(Pace::Again) => Classification::Repeat,
                    Some(Pace::TooFast) => Classification::Burst,
                };
                (classification, String::new())
            });
            let (channel, place) = visitor.map_or(kind, |visitor| {
                visitors.channel_and_place(visitor, kind, at)
            });
            Click {
                classification,
                why,
                agent,
                channel,
                place,
                at,
            }
        }
    }
}

impl Request<'_> {
    /// Returns true if a visitor may have sent it, judging by the request alone.
    pub fn is_of_a_visitor(&self) -> bool {
        classify_by_request(self, self.agent()).is_none()
    }

    fn agent(&self) -> &str {
        (self.header)("user-agent").unwrap_or_default().trim()
    }

    fn visitor(&self, codes: &Codes) -> Option<Visitor> {
        let language = (self.header)("accept-language").unwrap_or_default();
        codes.visitor(self.address, self.agent(), language, self.now)
    }
}

/// Headers of prefetches (Fetch, `Sec-Purpose`).
const PURPOSES: [&str; 4] = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
const PREFETCHES: [&str; 4] = ["prefetch", "prerender", "preview", "instant"];

/// Classification by the request alone.
fn classify_by_request(request: &Request<'_>, agent: &str) -> Option<(Classification, String)> {
    let purposes = PURPOSES.iter().filter_map(|name| (request.header)(name));
    for purpose in purposes {
        let purpose = purpose.to_ascii_lowercase();
        if PREFETCHES.iter().any(|word| purpose.contains(word)) {
            return Some((Classification::Prefetch, String::new()));
        }
    }
    let known = agents::program_of(agent);
    match known {
        Some((AgentKind::Preview, name)) => return Some((Classification::Preview, name)),
        Some((AgentKind::Bot, name)) => return Some((Classification::Bot, name)),
        Some((AgentKind::Program, name)) => return Some((Classification::Program, name)),
        Some((AgentKind::Automated, _)) | None => {}
    }
    if !agents::begins_like_a_browser(agent) {
        let name = agent.split(['/', ' ']).next().unwrap_or_default();
        return Some((Classification::Program, name.to_owned()));
    }
    let is_without_fetch_metadata =
        request.is_https && (request.header)("sec-fetch-site").is_none();
    if is_without_fetch_metadata && agents::sends_fetch_metadata(agent) {
        return Some((
            Classification::Program,
            "it only says that it is a browser".to_owned(),
        ));
    }
    if let Some((_, name)) = known {
        return Some((Classification::Automated, name));
    }
    if request.note.webdriver {
        return Some((Classification::Automated, String::new()));
    }
    request
        .is_own
        .then(|| (Classification::Yours, String::new()))
}

/// Place of the click, from the page's report or else from its address.
fn place_of(request: &Request<'_>) -> Place {
    let named = request.note.place.as_deref().and_then(Place::parse);
    named.unwrap_or_else(|| {
        let referrer = (request.header)("referer").unwrap_or_default();
        let after_host = referrer.splitn(4, '/').nth(3).unwrap_or_default();
        let (path, query) = after_host.split_once('?').unwrap_or((after_host, ""));
        if path.starts_with("details/") {
            Place::Details
        } else if path.starts_with("saved") {
            Place::Saved
        } else if query.split('&').any(|pair| pair.starts_with("search=")) {
            Place::Search
        } else {
            Place::List
        }
    })
}
