//! Writing the list's answer.
//!
//! Most of what the server does for a page that is asked for once would be writing ten
//! products as JSON. So this writes [`ListResponse`](super::responses::ListResponse) without the
//! values in between, and looks at eight bytes of a text at a time. A test holds the two to
//! the same bytes.

use serde::Serialize;

use super::responses::ListMetaBody;
use crate::domain::{ListQuery, Listing, Rfc3339};
use crate::store::ProductRow;

/// Room for a product before it is written: about what one takes.
const USUAL_BYTES: usize = 1_280;

/// The products of a list, written while they are read.
pub(crate) struct ListWriter(Vec<u8>);

impl ListWriter {
    pub(crate) fn new(query: &ListQuery) -> Self {
        let products = usize::try_from(query.limit).unwrap_or_default();
        let mut json = Vec::with_capacity((products + 1) * USUAL_BYTES);
        json.extend_from_slice(b"{\"data\":[");
        Self(json)
    }

    /// Adds the next product.
    ///
    /// # Errors
    ///
    /// [`serde_json::Error`] when a number can't be written.
    pub(crate) fn add(&mut self, row: &ProductRow<'_>) -> serde_json::Result<()> {
        let json = &mut self.0;
        if json.last() == Some(&b'}') {
            json.push(b',');
        }
        text(json, "{\"_id\":", row.id);
        text(json, ",\"title\":", row.title);
        text(json, ",\"description\":", row.description);
        value(json, ",\"price\":", &row.price)?;
        value(json, ",\"discount\":", &row.discount)?;
        value(json, ",\"finalPrice\":", &row.final_price)?;
        text(json, ",\"category\":", row.category.as_str());
        text(json, ",\"source\":", row.source);
        text(json, ",\"affiliateLink\":", row.affiliate_link);
        plain(json, ",\"images\":", row.images.get());
        value(json, ",\"clicks\":", &row.clicks)?;
        let average = &row.average_rating;
        value(json, ",\"ratings\":{\"averageRating\":", average)?;
        value(json, ",\"totalRatings\":", &row.total_ratings)?;
        value(json, "},\"createdAt\":", &Rfc3339(row.created_at))?;
        value(json, ",\"updatedAt\":", &Rfc3339(row.updated_at))?;
        json.push(b'}');
        Ok(())
    }

    /// The whole answer, once every product was added.
    ///
    /// # Errors
    ///
    /// [`serde_json::Error`] when a number can't be written.
    pub(crate) fn finish<T>(
        mut self,
        query: &ListQuery,
        listing: &Listing<T>,
    ) -> serde_json::Result<Vec<u8>> {
        value(
            &mut self.0,
            "],\"meta\":",
            &ListMetaBody::new(query, listing),
        )?;
        self.0.push(b'}');
        Ok(self.0)
    }
}

fn plain(json: &mut Vec<u8>, before: &str, written: &str) {
    json.extend_from_slice(before.as_bytes());
    json.extend_from_slice(written.as_bytes());
}

fn value(json: &mut Vec<u8>, before: &str, value: &impl Serialize) -> serde_json::Result<()> {
    json.extend_from_slice(before.as_bytes());
    serde_json::to_writer(json, value)
}

/// Writes a string (RFC 8259, section 7).
fn text(json: &mut Vec<u8>, before: &str, text: &str) {
    plain(json, before, "\"");
    let mut rest = text.as_bytes();
    while let Some((clean, escaped, after)) = split_at_escape(rest) {
        json.extend_from_slice(clean);
        escape(json, escaped);
        rest = after;
    }
    json.extend_from_slice(rest);
    json.push(b'"');
}

fn escape(json: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            json.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
            return;
        }
    };
    json.extend_from_slice(&[b'\\', short]);
}

/// What comes before the first byte that must not stand in a JSON string, that byte, and
/// what comes behind it.
fn split_at_escape(bytes: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let (words, rest) = bytes.as_chunks::<8>();
    // The last word is filled up with what need not be escaped.
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut words = words.iter().chain([&last]).enumerate();
    let at = words.find_map(|(word, bytes)| {
        let found = escapes_in(u64::from_le_bytes(*bytes));
        (found != 0).then(|| word * 8 + found.trailing_zeros() as usize / 8)
    })?;
    let (before, from) = bytes.split_at(at);
    let (escaped, after) = from.split_first()?;
    Some((before, *escaped, after))
}

/// Zero when none of the eight bytes must be escaped; otherwise the lowest bit that is set
/// belongs to the first one that must. Bits above that one may be set for nothing: taking
/// away borrows from the bytes that follow.
fn escapes_in(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & HIGHEST
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::domain::{Category, Discount, NewProduct, Page, Paise, Product};
    use crate::http::api::responses::ListResponse;

    fn product(text: &str, hundredths: i64) -> Product {
        let price = Paise::new(hundredths).unwrap();
        let discount = Discount::new(hundredths % 10_000).unwrap();
        Product {
            id: format!("id {text}"),
            details: NewProduct {
                title: format!("title {text}"),
                description: format!("description {text}"),
                price,
                discount,
                category: Category::Home,
                source: format!("source {text}"),
                affiliate_link: format!("link {text}"),
                images: vec![format!("first {text}"), format!("second {text}")],
                average_rating: [0.0, 5.0, 4.35, 0.1][text.len() % 4],
                total_ratings: 1_234_567,
            },
            final_price: price.after(discount),
            clicks: hundredths,
            created_at: Timestamp::from_millisecond(1_700_000_000_001).unwrap(),
            updated_at: Timestamp::from_millisecond(1_800_000_000_020).unwrap(),
        }
    }

    #[test]
    fn a_list_is_written_as_its_shape_says() {
        let items = vec![
            product("", 0),
            product("whole", 500),
            product("\"quoted\" \\ with\r\n\tevery \u{1} thing", 123_456),
            product("ünïcode 😀 </script>", 99_999_999_999),
        ];
        for (items, matches, suggestion) in [
            (Vec::new(), Vec::new(), Some("did \"you\" mean".to_owned())),
            (items, vec!["cable".to_owned(), "é".to_owned()], None),
        ] {
            let query = ListQuery::default();
            let listing = Listing {
                page: Page { items, total: 31 },
                matches,
                suggestion,
            };
            let mut writer = ListWriter::new(&query);
            for product in &listing.page.items {
                let details = &product.details;
                let images = serde_json::value::to_raw_value(&details.images).unwrap();
                let row = ProductRow {
                    id: &product.id,
                    title: &details.title,
                    description: &details.description,
                    price: details.price,
                    discount: details.discount,
                    final_price: product.final_price,
                    category: details.category,
                    source: &details.source,
                    affiliate_link: &details.affiliate_link,
                    images: &images,
                    clicks: product.clicks,
                    average_rating: details.average_rating,
                    total_ratings: details.total_ratings,
                    created_at: product.created_at,
                    updated_at: product.updated_at,
                };
                writer.add(&row).unwrap();
            }
            let written = writer.finish(&query, &listing).unwrap();
            let expected = serde_json::to_string(&ListResponse::new(&query, &listing)).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), expected);
        }
    }

    fn written(example: &str) -> String {
        let mut json = Vec::new();
        text(&mut json, "", example);
        String::from_utf8(json).unwrap()
    }

    #[test]
    fn every_text_is_written_as_by_serde_json() {
        let all: String = (0..0x300).filter_map(char::from_u32).collect();
        for length in [all.len(), 0, 1, 7, 8, 9, 16] {
            let example: String = all.chars().take(length).collect();
            assert_eq!(written(&example), serde_json::to_string(&example).unwrap());
        }
    }

    #[test]
    fn a_byte_is_escaped_wherever_it_stands_and_whatever_stands_around_it() {
        let neighbours = [
            "a", " ", "!", "#", "[", "]", "\u{7f}", "é", "\0", "\"", "\\",
        ];
        for byte in 0..0x80_u8 {
            for neighbour in neighbours {
                for before in 0..17 {
                    let example = format!(
                        "{}{}{}",
                        neighbour.repeat(before),
                        char::from(byte),
                        neighbour.repeat(9)
                    );
                    assert_eq!(written(&example), serde_json::to_string(&example).unwrap());
                }
            }
        }
    }
}
