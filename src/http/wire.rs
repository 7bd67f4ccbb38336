//! The JSON shapes of the API's answers, frozen: `_id`, `Role`, camelCase and
//! rupees are part of what clients rely on (spec section 3, decisions section 5).

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use crate::domain::{ListQuery, Page, Product, User};

/// A product as read.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProductBody {
    #[serde(rename = "_id")]
    id: String,
    title: String,
    description: String,
    price: Hundredths,
    discount: Hundredths,
    final_price: Hundredths,
    category: &'static str,
    source: String,
    affiliate_link: String,
    images: Vec<String>,
    clicks: i64,
    ratings: RatingsBody,
    created_at: String,
    updated_at: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RatingsBody {
    average_rating: f64,
    total_ratings: i64,
}

impl From<Product> for ProductBody {
    fn from(product: Product) -> Self {
        let details = product.details;
        Self {
            id: product.id,
            title: details.title,
            description: details.description,
            price: Hundredths(details.price.get()),
            discount: Hundredths(details.discount.get()),
            final_price: Hundredths(product.final_price.get()),
            category: details.category.as_str(),
            source: details.source,
            affiliate_link: details.affiliate_link,
            images: details.images,
            clicks: product.clicks,
            ratings: RatingsBody {
                average_rating: details.average_rating,
                total_ratings: details.total_ratings,
            },
            created_at: rfc3339(product.created_at),
            updated_at: rfc3339(product.updated_at),
        }
    }
}

/// The answer of `get-products`.
#[derive(Serialize)]
pub(super) struct ListResponse {
    data: Vec<ProductBody>,
    meta: MetaBody,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MetaBody {
    current_page: u32,
    total_pages: i64,
    total: i64,
    limit: u32,
}

impl ListResponse {
    pub(super) fn new(query: &ListQuery, page: Page<Product>) -> Self {
        Self {
            meta: MetaBody {
                current_page: query.page,
                total_pages: page.total_pages(query.limit),
                total: page.total,
                limit: query.limit,
            },
            data: page.items.into_iter().map(ProductBody::from).collect(),
        }
    }
}

/// The answer of `product/{id}`.
#[derive(Serialize)]
pub(super) struct ProductResponse {
    pub(super) product: ProductBody,
}

/// The answer of `increament-views/{id}`.
#[derive(Serialize)]
pub(super) struct ClicksResponse {
    pub(super) clicks: i64,
}

/// Somebody with an account, as they and nobody else may see it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserBody {
    #[serde(rename = "_id")]
    id: String,
    username: String,
    email: String,
    #[serde(rename = "Role")]
    role: &'static str,
    created_at: String,
}

impl From<&User> for UserBody {
    fn from(user: &User) -> Self {
        Self {
            id: user.id.clone(),
            username: user.username.clone(),
            email: user.email.as_str().to_owned(),
            role: user.role.as_str(),
            created_at: rfc3339(user.created_at),
        }
    }
}

/// The answer of `me`.
#[derive(Serialize)]
pub(super) struct UserResponse {
    pub(super) user: UserBody,
}

/// Paise as rupees, or hundredths of a percent as percent: a JSON number with at
/// most two decimals, and none where it is whole.
struct Hundredths(i64);

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            serializer.serialize_i64(self.0 / 100)
        } else {
            #[expect(
                clippy::cast_precision_loss,
                reason = "the largest price is far below 2^53"
            )]
            let value = self.0 as f64 / 100.0;
            serializer.serialize_f64(value)
        }
    }
}

/// RFC 3339, UTC, always with milliseconds.
fn rfc3339(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_a_number_of_rupees() {
        let json = |paise| serde_json::to_string(&Hundredths(paise)).unwrap();
        assert_eq!(json(0), "0");
        assert_eq!(json(109_900), "1099");
        assert_eq!(json(39_564), "395.64");
        assert_eq!(json(5), "0.05");
        assert_eq!(json(99_999_999_999), "999999999.99");
    }

    #[test]
    fn times_have_milliseconds() {
        let time = Timestamp::from_millisecond(1_700_000_000_000).unwrap();
        assert_eq!(rfc3339(time), "2023-11-14T22:13:20.000Z");
    }
}
