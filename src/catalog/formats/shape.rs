//! Finds the products in JSON of any shape.

use std::io::BufRead;

use serde::de::DeserializeOwned;
use serde_json::{Deserializer, Map, Value};

use super::delimited::own_message;
use super::error::ReadError;

/// Field names of the program's own format.
const OWN: [&str; 13] = [
    "_id",
    "title",
    "description",
    "price",
    "discount",
    "finalPrice",
    "category",
    "source",
    "affiliateLink",
    "images",
    "averageRating",
    "totalRatings",
    "ratings",
];
/// Names of links in other formats.
const OTHER_LINKS: [&str; 6] = [
    "link",
    "url",
    "product_url",
    "productUrl",
    "product_link",
    "href",
];
/// Number of these names without `affiliateLink` that still make it the own format.
const OWN_ENOUGH: usize = 5;

/// Place of the products in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// The program's own format; in an object's `products` if true.
    Own(bool),
    /// A list at this path.
    List(Vec<String>),
    /// One object after the other.
    Lines,
}

impl Shape {
    /// Finds the products from the beginning of a document.
    pub(super) fn detect(start: &[u8]) -> Self {
        let mut search = Search {
            input: Scanner(start),
            path: Vec::new(),
            root: Vec::new(),
            found: None,
            leads: false,
            has_address: false,
            keyed: None,
            open: Vec::new(),
        };
        let is_array = search.input.next_token().ok().flatten() == Some(b'[');
        // The beginning may end anywhere.
        let _ = search.value();
        let own = |names: &mut dyn Iterator<Item = &String>| {
            let names: Vec<&str> = names.map(String::as_str).collect();
            let has = |name: &&&str| names.contains(*name);
            let is_other = !names.contains(&"discount") || OTHER_LINKS.iter().any(|it| has(&it));
            let known = OWN.iter().filter(has).count();
            known >= OWN_ENOUGH && !is_other || names.contains(&"affiliateLink")
        };
        // Lists within a product are not the products.
        if let (Some((path, _)), Some(keyed)) = (&search.found, &search.keyed)
            && path.len() > keyed.len()
            && path.starts_with(keyed)
        {
            search.found = None;
        }
        if !is_array && own(&mut search.root.iter()) {
            return Self::Own(false);
        }
        if let (None, Some(keyed)) = (&search.found, &search.keyed) {
            return Self::List(keyed.clone());
        }
        match search.found {
            Some((path, Some(first))) if own(&mut first.keys()) => match &path[..] {
                [] => Self::Own(false),
                [name] if name == "products" => Self::Own(true),
                _ => Self::List(path),
            },
            // A product with its pictures.
            Some((_, Some(first))) if search.has_address && first.len() < 3 => Self::Lines,
            Some((path, Some(first))) if first.values().any(has_address) => Self::List(path),
            _ if is_array || search.root.is_empty() => Self::Own(false),
            _ if search.root.iter().any(|name| name == "products") => Self::Own(false),
            Some((path, _)) if !path.is_empty() && search.root.len() < 3 => Self::List(path),
            _ => Self::Own(false),
        }
    }

    /// Finds the list of a document that is certainly not in the program's own format.
    pub(super) fn foreign(start: &[u8]) -> Self {
        match Self::detect(start) {
            Self::Own(true) => Self::List(vec!["products".to_owned()]),
            Self::Own(false) => match start.trim_ascii_start().first() {
                Some(b'[') => Self::List(Vec::new()),
                _ => Self::Lines,
            },
            other => other,
        }
    }
}

fn has_address(value: &Value) -> bool {
    match value {
        Value::String(text) => text.starts_with("http"),
        Value::Array(items) => items.iter().any(has_address),
        Value::Object(fields) => fields.values().any(has_address),
        _ => false,
    }
}

/// Path to a list of objects, and the first of them.
type FoundList = (Vec<String>, Option<Map<String, Value>>);

/// Searches the list of products in the beginning of a document.
struct Search<'a> {
    input: Scanner<&'a [u8]>,
    path: Vec<String>,
    /// Names in the outermost object.
    root: Vec<String>,
    found: Option<FoundList>,
    /// True if the object that was found has an address.
    leads: bool,
    /// True if the outermost object has an address itself.
    has_address: bool,
    /// Path to an object of products by key.
    keyed: Option<Vec<String>>,
    /// Number of values of each open object, and whether one is an address.
    open: Vec<(usize, bool)>,
}

impl Search<'_> {
    fn value(&mut self) -> Result<(), ReadError> {
        const MOST_DEEP: usize = 16;
        match self.input.next_token()? {
            Some(b'{') if self.path.len() < MOST_DEEP => {
                self.input.0.consume(1);
                self.open.push((0, false));
                while let Some(name) = self.input.name()? {
                    if self.path.is_empty() {
                        self.root.push(name.clone());
                    }
                    self.path.push(name);
                    self.value()?;
                    self.path.pop();
                }
                let is_product = self
                    .open
                    .pop()
                    .is_some_and(|(count, leads)| count > 2 && leads);
                if is_product && !self.path.is_empty() && self.keyed.is_none() {
                    let parent = &self.path[..self.path.len() - 1];
                    let is_within = self.open.last().is_some_and(|(values, _)| *values > 2);
                    self.keyed = (!is_within).then(|| parent.to_vec());
                }
                Ok(())
            }
            Some(b'[') => {
                self.input.0.consume(1);
                if self.input.next_token()? == Some(b'{') {
                    let first = self.input.value::<Value>();
                    let fields = match first {
                        Ok(Value::Object(fields)) => Some(fields),
                        _ => None,
                    };
                    let leads = |fields: &Map<String, Value>| fields.values().any(has_address);
                    let leads = fields.as_ref().is_some_and(leads);
                    let is_better = match &self.found {
                        None => true,
                        Some((_, known)) => known.is_some() && leads && !self.leads,
                    };
                    if is_better {
                        self.leads = leads;
                        self.found = Some((self.path.clone(), fields));
                    }
                }
                while self.input.element()?.is_some() {}
                Ok(())
            }
            _ => {
                let value = self.input.value::<Value>()?;
                self.has_address |= self.path.len() == 1 && has_address(&value);
                if let Some((count, leads)) = self.open.last_mut() {
                    *count += 1;
                    *leads |= has_address(&value);
                }
                Ok(())
            }
        }
    }
}

/// Reads JSON value by value.
pub(super) struct Scanner<R>(pub(super) R);

impl<R: BufRead> Scanner<R> {
    /// Skips white space and returns the next byte.
    pub(super) fn next_token(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.0.fill_buf().map_err(ReadError::io)?.first() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.0.consume(1),
                other => return Ok(other.copied()),
            }
        }
    }

    /// Reads the next name of an object with its colon; none at the end of the object.
    pub(super) fn name(&mut self) -> Result<Option<String>, ReadError> {
        if self.next_token()? == Some(b',') {
            self.0.consume(1);
        }
        if self.next_token()? == Some(b'}') {
            self.0.consume(1);
            return Ok(None);
        }
        let Value::String(name) = self.value::<Value>()? else {
            return Err(ReadError::NotJson(
                "a name must be in double quotes".to_owned(),
            ));
        };
        if self.next_token()? != Some(b':') {
            return Err(ReadError::NotJson(format!(
                "a colon is missing after the name {name:?}"
            )));
        }
        self.0.consume(1);
        Ok(Some(name))
    }

    /// Reads the next element of a list; none at its end.
    pub(super) fn element(&mut self) -> Result<Option<Value>, ReadError> {
        if self.next_token()? == Some(b',') {
            self.0.consume(1);
        }
        if self.next_token()? == Some(b']') {
            self.0.consume(1);
            return Ok(None);
        }
        self.value::<Value>().map(Some)
    }

    pub(super) fn value<T: DeserializeOwned>(&mut self) -> Result<T, ReadError> {
        match self.next_token()? {
            None => Err(cut()),
            Some(b'{' | b'[' | b'"') => {
                let mut values = Deserializer::from_reader(&mut self.0).into_iter();
                values.next().ok_or_else(cut)?.map_err(json_error)
            }
            // A number ends with the byte after it, which must not be consumed.
            Some(_) => {
                let mut text = Vec::new();
                while let Some(&byte) = self.0.fill_buf().map_err(ReadError::io)?.first() {
                    if byte.is_ascii_whitespace() || b",]}:".contains(&byte) || text.len() > 400 {
                        break;
                    }
                    text.push(byte);
                    self.0.consume(1);
                }
                serde_json::from_slice(&text).map_err(json_error)
            }
        }
    }
}

fn cut() -> ReadError {
    ReadError::NotJson("the file ends in the middle, so it is cut off: fetch it again".to_owned())
}

fn json_error(error: serde_json::Error) -> ReadError {
    if error.is_eof() {
        return cut();
    }
    if error.is_io() {
        let error = std::io::Error::from(error);
        return own_message(&error).unwrap_or(ReadError::Io(error));
    }
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text);
    ReadError::NotJson(reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_products_is_found() {
        let list = |path: &str| {
            let steps = path.split('.').filter(|step| !step.is_empty());
            Shape::List(steps.map(str::to_owned).collect())
        };
        for (document, shape) in [
            (
                r#"[{"title": "x", "affiliateLink": "https://a"}]"#,
                Shape::Own(false),
            ),
            (
                r#"{"title": "x", "affiliateLink": "https://a"}"#,
                Shape::Own(false),
            ),
            (
                r#"{"products": [{"affiliateLink": "https://a"}]}"#,
                Shape::Own(true),
            ),
            (
                r#"{"total": 5, "products": [{"affiliateLink": 1}, {"#,
                Shape::Own(true),
            ),
            (r#"[{"name": "x", "url": "https://a"}]"#, list("")),
            (
                r#"{"data": {"n": 1, "items": [{"url": "https://a"}"#,
                list("data.items"),
            ),
            (
                r#"{"links": [{"rel": "next"}], "items": [{"url": "https://a"}]}"#,
                list("items"),
            ),
            (
                r#"{"url": "https://a", "images": [{"src": "https://b"}]}"#,
                Shape::Lines,
            ),
            ("[]", Shape::Own(false)),
            ("{}", Shape::Own(false)),
            ("[1, 2]", Shape::Own(false)),
            ("{tea", Shape::Own(false)),
        ] {
            assert_eq!(Shape::detect(document.as_bytes()), shape, "{document}");
        }
    }
}
