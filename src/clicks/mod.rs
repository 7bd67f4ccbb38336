//! Tells clicks that somebody meant from the others (decisions, section 7). Every click
//! gets one verdict, from the first rule that fits.

mod agents;
mod channels;
mod looks;
mod visitors;

use jiff::Timestamp;
use serde::Deserialize;

pub use self::looks::Looks;

use self::agents::Kind;
use self::visitors::{Pace, Visitors};
use crate::domain::{Click, Place, Verdict};

/// What a page says of a click, as far as it could be read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Note {
    /// A number that the page made when it was loaded, in hexadecimal digits.
    pub visit: Option<String>,
    /// The name of a [`Place`].
    pub place: Option<String>,
    /// From where the visitor came: a name that a link gave itself, or an address.
    pub from: Option<String>,
    /// Whether the browser says that a program runs it (W3C WebDriver).
    pub webdriver: bool,
}

impl Note {
    /// The largest note, in bytes.
    pub const MOST: usize = 512;

    /// Reads a note. One that is wrong says nothing, and costs no click.
    pub fn read(body: &[u8]) -> Self {
        if body.len() > Self::MOST {
            return Self::default();
        }
        serde_json::from_slice(body).unwrap_or_default()
    }

    fn visit(&self) -> Option<u64> {
        u64::from_str_radix(self.visit.as_deref()?, 16).ok()
    }
}

/// Who clicked on what, as the request says it.
pub struct Request<'a> {
    /// A header by its name in lower case; nothing where it is missing or no text.
    pub header: &'a dyn Fn(&str) -> Option<&'a str>,
    /// The address, an IPv6 one without its last half.
    pub address: &'a [u8],
    /// Whether it is one of the shop's own people.
    pub is_own: bool,
    /// Whether visitors come over https.
    pub is_https: bool,
    /// The shop's own host name, from which nobody comes.
    pub host: &'a str,
    /// The product's `_id`.
    pub product: &'a str,
    /// What the page says.
    pub note: Note,
    /// When.
    pub now: Timestamp,
}

/// Gives clicks their verdicts. What it remembers of visitors is in memory only, for an hour.
#[derive(Default)]
pub struct Judge(Visitors);

impl Judge {
    /// What a click was found to be.
    pub fn judge(&self, request: &Request<'_>) -> Click {
        let agent = (request.header)("user-agent").unwrap_or_default().trim();
        let (verdict, why) = by_itself(request, agent)
            .unwrap_or_else(|| (self.by_its_visitor(request, agent), String::new()));
        let from = request.note.from.as_deref().unwrap_or_default();
        Click {
            verdict,
            why,
            agent: agent.chars().take(Click::AGENT).collect(),
            channel: channels::of(from, agent, request.host),
            place: place(request),
            at: request.now,
        }
    }

    fn by_its_visitor(&self, request: &Request<'_>, agent: &str) -> Verdict {
        let language = (request.header)("accept-language").unwrap_or_default();
        let parts = [request.address, agent.as_bytes(), language.as_bytes()];
        let visit = request.note.visit();
        match self.0.seen(parts, visit, request.product, request.now) {
            Pace::Human => Verdict::Counted,
            Pace::Again => Verdict::Repeat,
            Pace::TooFast => Verdict::Burst,
        }
    }
}

impl Request<'_> {
    /// Whether a person may have sent it, as far as it tells by itself, and none of the shop's own.
    pub fn is_of_a_visitor(&self) -> bool {
        let agent = (self.header)("user-agent").unwrap_or_default().trim();
        by_itself(self, agent).is_none()
    }
}

/// Headers in which browsers say that nobody asked for it yet (Fetch, `Sec-Purpose`).
const PURPOSES: [&str; 4] = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
const AHEAD: [&str; 4] = ["prefetch", "prerender", "preview", "instant"];

/// What the request alone tells.
fn by_itself(request: &Request<'_>, agent: &str) -> Option<(Verdict, String)> {
    let purposes = PURPOSES.iter().filter_map(|name| (request.header)(name));
    for purpose in purposes {
        let purpose = purpose.to_ascii_lowercase();
        if AHEAD.iter().any(|word| purpose.contains(word)) {
            return Some((Verdict::Prefetch, String::new()));
        }
    }
    let known = agents::kind(agent);
    match known {
        Some((Kind::Preview, name)) => return Some((Verdict::Preview, name)),
        Some((Kind::Bot, name)) => return Some((Verdict::Bot, name)),
        Some((Kind::Program, name)) => return Some((Verdict::Program, name)),
        Some((Kind::Automated, _)) | None => {}
    }
    if !agents::begins_like_a_browser(agent) {
        let name = agent.split(['/', ' ']).next().unwrap_or_default();
        return Some((Verdict::Program, name.to_owned()));
    }
    let is_without_fetch_metadata =
        request.is_https && (request.header)("sec-fetch-site").is_none();
    if is_without_fetch_metadata && agents::sends_fetch_metadata(agent) {
        return Some((
            Verdict::Program,
            "it only says that it is a browser".to_owned(),
        ));
    }
    if let Some((_, name)) = known {
        return Some((Verdict::Automated, name));
    }
    if request.note.webdriver {
        return Some((Verdict::Automated, String::new()));
    }
    request.is_own.then(|| (Verdict::Yours, String::new()))
}

/// Where it was made: as the page says, or else as its address does.
fn place(request: &Request<'_>) -> Place {
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
