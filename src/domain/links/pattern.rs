//! Patterns of a product's id in the address of its page.

use std::str::FromStr;

use serde::Deserialize;
use url::Url;

/// Maximum length of an id in bytes.
const LONGEST: usize = 100;
const ID: &str = "{id}";

/// Place of the product's id: `?pid={id}`, or segments of the path like `/p/{id}`, `/p-{id}` or
/// `/p/*/{id}`, where `*` is any segment.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum Pattern {
    Parameter(String),
    Path(Vec<Segment>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Segment {
    Any,
    Text(String),
    /// The id, after this text and before that.
    Id(String, String),
}

/// An id and the path up to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FoundId<'a> {
    pub(super) id: String,
    pub(super) path: &'a str,
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "Write where the product's id is, with {id} for it: /p/{id} in the path, or ?pid={id}."
                .to_owned()
        };
        if text.matches(ID).count() != 1 || text.contains(char::is_whitespace) {
            return Err(wrong());
        }
        if let Some(parameter) = text.strip_prefix('?') {
            let name = parameter.strip_suffix("={id}").unwrap_or_default();
            return if is_parameter(name) {
                Ok(Self::Parameter(name.to_owned()))
            } else {
                Err(wrong())
            };
        }
        let path = text.strip_prefix('/').ok_or_else(wrong)?;
        if path.contains(['?', '#']) {
            return Err(wrong());
        }
        let segments = path.split('/').map(|segment| {
            if segment == "*" {
                Segment::Any
            } else if let Some((before, after)) = segment.split_once(ID) {
                Segment::Id(before.to_owned(), after.to_owned())
            } else {
                Segment::Text(segment.to_owned())
            }
        });
        let segments: Vec<Segment> = segments.collect();
        if segments.contains(&Segment::Text(String::new())) {
            return Err(wrong());
        }
        Ok(Self::Path(segments))
    }
}

impl Pattern {
    /// True if every page with a path would have an id.
    pub(super) fn is_too_wide(&self) -> bool {
        let names_something = |segment: &Segment| match segment {
            Segment::Any => false,
            Segment::Text(_) => true,
            Segment::Id(before, after) => !before.is_empty() || !after.is_empty(),
        };
        match self {
            Self::Parameter(_) => false,
            Self::Path(segments) => !segments.iter().any(names_something),
        }
    }

    /// Returns the query parameter that is the id, if it is one.
    pub(super) fn parameter(&self) -> Option<&str> {
        match self {
            Self::Parameter(name) => Some(name),
            Self::Path(_) => None,
        }
    }

    /// Finds an id for which `is_id` is true.
    pub(super) fn find<'a>(
        &self,
        url: &'a Url,
        is_id: &dyn Fn(&str) -> bool,
    ) -> Option<FoundId<'a>> {
        let is_id = |id: &str| (1..=LONGEST).contains(&id.len()) && is_id(id);
        match self {
            Self::Parameter(name) => {
                let mut pairs = url.query_pairs();
                let (_, id) = pairs.find(|(key, _)| key == name)?;
                is_id(&id).then(|| FoundId {
                    id: id.into_owned(),
                    path: url.path(),
                })
            }
            Self::Path(pattern) => {
                let path = url.path();
                let segments: Vec<&str> = path.split('/').collect();
                segments
                    .windows(pattern.len())
                    .enumerate()
                    .find_map(|(first, window)| {
                        let id = matched(pattern, window).filter(|id| is_id(id))?;
                        let through = segments.get(..first + id_position(pattern) + 1)?;
                        let length =
                            through.iter().map(|it| it.len()).sum::<usize>() + through.len() - 1;
                        Some(FoundId {
                            id: id.to_owned(),
                            path: path.get(..length)?,
                        })
                    })
            }
        }
    }
}

fn id_position(pattern: &[Segment]) -> usize {
    let is_id = |segment: &Segment| matches!(segment, Segment::Id(..));
    pattern.iter().position(is_id).unwrap_or_default()
}

/// Returns the id if the segments match.
fn matched<'a>(pattern: &[Segment], segments: &[&'a str]) -> Option<&'a str> {
    let mut id = None;
    for (wanted, &segment) in pattern.iter().zip(segments) {
        match wanted {
            Segment::Any if !segment.is_empty() => {}
            Segment::Text(text) if text.eq_ignore_ascii_case(segment) => {}
            Segment::Id(before, after) => {
                id = Some(segment.strip_prefix(&**before)?.strip_suffix(&**after)?);
            }
            Segment::Any | Segment::Text(_) => return None,
        }
    }
    id
}

/// True for the name of a query parameter that needs no escapes.
pub(super) fn is_parameter(name: &str) -> bool {
    (1..=40).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(pattern: &str, url: &str) -> Option<(String, String)> {
        let pattern: Pattern = pattern.parse().unwrap();
        let url = Url::parse(url).unwrap();
        let found = pattern.find(&url, &|id| id.bytes().all(|b| b.is_ascii_alphanumeric()));
        found.map(|found| (found.id, found.path.to_owned()))
    }

    #[test]
    fn an_id_is_found_in_a_parameter_or_between_segments() {
        let found = |id: &str, path: &str| Some((id.to_owned(), path.to_owned()));
        let url = "https://shop.example/a/title/p/x1/reviews?pid=Y2&q";
        assert_eq!(id("/p/{id}", url), found("x1", "/a/title/p/x1"));
        assert_eq!(id("?pid={id}", url), found("Y2", "/a/title/p/x1/reviews"));
        assert_eq!(id("/*/p/{id}", url), found("x1", "/a/title/p/x1"));
        assert_eq!(id("/p/{id}/reviews", url), found("x1", "/a/title/p/x1"));
        assert_eq!(id("/{id}/reviews", url), found("x1", "/a/title/p/x1"));
        let url = "https://shop.example/title-p-77.html";
        assert_eq!(
            id("/title-p-{id}.html", url),
            found("77", "/title-p-77.html")
        );
        for (pattern, url) in [
            ("/p/{id}", "https://shop.example/p/"),
            ("/p/{id}", "https://shop.example/p/a-b"),
            ("/p/{id}", "https://shop.example/"),
            ("?pid={id}", "https://shop.example/p?x=pid"),
            ("/*/{id}", "https://shop.example//x"),
        ] {
            assert_eq!(id(pattern, url), None, "{pattern} {url}");
        }
    }

    #[test]
    fn an_invalid_link_pattern_says_how_to_write_it() {
        for wrong in [
            "",
            "p",
            "/p/",
            "/p/{id}/{id}",
            "?{id}",
            "?a b={id}",
            "p/{id}",
            "/p/{id}?x",
            "//{id}",
            "?={id}",
        ] {
            let said = wrong.parse::<Pattern>().unwrap_err();
            assert!(said.contains("/p/{id}"), "{wrong}: {said}");
        }
        let wide = |text: &str| text.parse::<Pattern>().unwrap().is_too_wide();
        assert!(wide("/{id}") && wide("/*/{id}"));
        assert!(!wide("/p-{id}") && !wide("/p/{id}") && !wide("?pid={id}"));
    }
}
