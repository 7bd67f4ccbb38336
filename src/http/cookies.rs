//! Cookies: sessions, known browsers and the owner's devices.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};

use crate::accounts::BrowserCookie;
use crate::domain::{Role, lifetime};

/// Lifetime of the cookies of known browsers and of the owner's devices.
const REMEMBERED: Duration = Duration::days(365);

/// How cookies are set (decisions, section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CookieMode {
    /// `__Host-`: https only, bound to this host. Otherwise for http on this machine or where the
    /// owner allows it.
    pub secure: bool,
    /// Tag in the name of the session cookie: shops on other ports of one host share all cookies.
    pub shop: Option<u32>,
}

impl CookieMode {
    pub(crate) fn name(self) -> String {
        match self.shop {
            Some(tag) => self.prefixed(&format!("session-{tag:08x}")),
            None => self.prefixed("session"),
        }
    }

    /// Returns the session's secret, also of a cookie without the shop's tag, as it was named
    /// before.
    pub(crate) fn session(self, request: &HttpRequest) -> Option<String> {
        let cookie = request.cookie(&self.name());
        let cookie = cookie.or_else(|| request.cookie(&self.prefixed("session")));
        cookie.map(|cookie| cookie.value().to_owned())
    }

    fn prefixed(self, name: &str) -> String {
        if self.secure {
            format!("__Host-{name}")
        } else {
            name.to_owned()
        }
    }

    /// Sets the session cookie.
    pub(crate) fn begin(self, secret: String, role: Role) -> Cookie<'static> {
        let (absolute, _) = lifetime(role);
        self.cookie(secret, Duration::seconds(absolute.as_secs()))
    }

    /// Deletes the session cookie.
    pub(crate) fn end(self) -> Cookie<'static> {
        self.cookie(String::new(), Duration::ZERO)
    }

    /// Cookie that identifies a browser after a sign-in.
    pub(crate) fn remember(self, browser: BrowserCookie) -> Cookie<'static> {
        let name = self.prefixed(&format!("browser-{}", browser.tag));
        self.build(name, browser.value, REMEMBERED)
    }

    /// Returns the values of all known-browser cookies in the request.
    pub(crate) fn browsers(self, request: &HttpRequest) -> Vec<String> {
        self.values(request, "browser-")
    }

    /// Returns the values of the cookies whose names begin so.
    fn values(self, request: &HttpRequest, start: &str) -> Vec<String> {
        let Ok(cookies) = request.cookies() else {
            return Vec::new();
        };
        let prefix = self.prefixed(start);
        let known = cookies
            .iter()
            .filter(|cookie| cookie.name().starts_with(&prefix));
        known.map(|cookie| cookie.value().to_owned()).collect()
    }

    /// Cookie of a device that is not asked for a code.
    pub(crate) fn remember_device(self, device: BrowserCookie) -> Cookie<'static> {
        let name = self.prefixed(&format!("device-{}", device.tag));
        self.build(name, device.value, Duration::days(30))
    }

    /// Returns the values of all cookies of remembered devices in the request.
    pub(crate) fn devices(self, request: &HttpRequest) -> Vec<String> {
        self.values(request, "device-")
    }

    /// Returns true if an administrator marked this device as the owner's.
    pub(crate) fn is_own(self, request: &HttpRequest) -> bool {
        request.cookie(&self.prefixed("own")).is_some()
    }

    /// Marks the device as the owner's, or removes the mark.
    pub(crate) fn make_own(self, own: bool) -> Cookie<'static> {
        let (value, lasts) = if own {
            ("1", REMEMBERED)
        } else {
            ("", Duration::ZERO)
        };
        let mut cookie = self.build(self.prefixed("own"), value.to_owned(), lasts);
        // It grants nothing, and must be sent when a link in a messenger is followed.
        cookie.set_same_site(SameSite::Lax);
        cookie
    }

    fn cookie(self, value: String, max_age: Duration) -> Cookie<'static> {
        self.build(self.name(), value, max_age)
    }

    fn build(self, name: String, value: String, max_age: Duration) -> Cookie<'static> {
        Cookie::build(name, value)
            .path("/")
            .http_only(true)
            .same_site(SameSite::Strict)
            .secure(self.secure)
            .max_age(max_age)
            .finish()
    }
}
