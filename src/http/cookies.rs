//! The cookies of sessions, known browsers and the owner's devices.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};

use crate::accounts::BrowserCookie;
use crate::domain::{Role, lifetime};

/// How long a browser is known at most, and a device the shop's own; a new password ends the first.
const REMEMBERED: Duration = Duration::days(365);

/// How cookies are set (decisions, section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CookieMode {
    /// `__Host-session`, which browsers keep to https and this host.
    Secure,
    /// Plain `session`, for http on this machine or where the owner insists.
    Plain,
}

impl CookieMode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-session",
            Self::Plain => "session",
        }
    }

    /// The cookie that begins a session.
    pub(crate) fn begin(self, secret: String, role: Role) -> Cookie<'static> {
        let (absolute, _) = lifetime(role);
        self.cookie(secret, Duration::seconds(absolute.as_secs()))
    }

    /// The cookie that makes the browser forget a session.
    pub(crate) fn end(self) -> Cookie<'static> {
        self.cookie(String::new(), Duration::ZERO)
    }

    /// What the names of cookies begin with by which a browser is known again.
    fn browser(self) -> &'static str {
        match self {
            Self::Secure => "__Host-browser-",
            Self::Plain => "browser-",
        }
    }

    /// The cookie by which a browser is known that has signed in.
    pub(crate) fn remember(self, browser: BrowserCookie) -> Cookie<'static> {
        let name = format!("{}{}", self.browser(), browser.tag);
        self.build(name, browser.value, REMEMBERED)
    }

    /// What the cookies hold by which this browser may be known.
    pub(crate) fn browsers(self, request: &HttpRequest) -> Vec<String> {
        let Ok(cookies) = request.cookies() else {
            return Vec::new();
        };
        let known = cookies
            .iter()
            .filter(|cookie| cookie.name().starts_with(self.browser()));
        known.map(|cookie| cookie.value().to_owned()).collect()
    }

    /// The name of the cookie by which a device's clicks are the shop's own.
    fn own(self) -> &'static str {
        match self {
            Self::Secure => "__Host-own",
            Self::Plain => "own",
        }
    }

    /// Whether the clicks of this device are the shop's own, because an administrator said so on it.
    pub(crate) fn is_own(self, request: &HttpRequest) -> bool {
        request.cookie(self.own()).is_some()
    }

    /// The cookie that makes a device's clicks the shop's own, or visitors' again.
    pub(crate) fn make_own(self, own: bool) -> Cookie<'static> {
        let (value, lasts) = if own {
            ("1", REMEMBERED)
        } else {
            ("", Duration::ZERO)
        };
        let mut cookie = self.build(self.own().to_owned(), value.to_owned(), lasts);
        // It proves nothing, and has to come along with a link from a messenger.
        cookie.set_same_site(SameSite::Lax);
        cookie
    }

    fn cookie(self, value: String, max_age: Duration) -> Cookie<'static> {
        self.build(self.name().to_owned(), value, max_age)
    }

    fn build(self, name: String, value: String, max_age: Duration) -> Cookie<'static> {
        Cookie::build(name, value)
            .path("/")
            .http_only(true)
            .same_site(SameSite::Strict)
            .secure(self == Self::Secure)
            .max_age(max_age)
            .finish()
    }
}
