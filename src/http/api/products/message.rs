//! Texts of deals for messengers.

use std::fmt::Write as _;

use actix_web::{Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::{IntoParams, ToSchema};

use crate::domain::{Product, State, rupees, short_rupees, time_in_india};
use crate::http::api::permissions::{May, ReadProducts};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::state::AppState;
use crate::storefront::{absolute, details_path};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/message", get_message)
            .summary("Writes a message about up to 20 deals, to be sent by a messenger.")
            .answers::<DealMessage>("The text")
            .or_missing(),
    ]
}

/// Maximum number of deals in a message.
const MOST: usize = 20;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MessageQuery {
    /// The products' `_id`s, separated by commas
    #[param(value_type = Option<String>)]
    #[serde(default)]
    ids: String,
    /// `whatsapp` for its markup, else plain text
    #[param(value_type = Option<String>)]
    #[serde(default, rename = "for")]
    messenger: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DealMessage {
    text: String,
    /// Titles of the products that visitors can't buy now, which are not in the text
    left_out: Vec<String>,
}

pub(crate) async fn get_message(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
    query: web::Query<MessageQuery>,
) -> Result<impl Responder, ApiError> {
    let MessageQuery { ids, messenger } = query.into_inner();
    let markup = Markup::of(&messenger)?;
    let ids: Vec<String> = ids.split(',').map(|id| id.trim().to_owned()).collect();
    if ids.len() > MOST {
        return Err(ApiError::invalid(
            "ids",
            format!(
                "A message has at most {MOST} deals, and these are {}.",
                ids.len()
            ),
        ));
    }
    let mut products: Vec<Product> = state
        .query(move |store| ids.iter().map(|id| store.find_product(id)).collect())
        .await?;
    state.storefront().await?.apply_rules(&mut products);
    let (live, others): (Vec<_>, Vec<_>) = products
        .into_iter()
        .partition(|product| product.state == State::Live);
    let texts = live.iter().map(|product| {
        let page = absolute(state.public_url(), &details_path(&product.id));
        markup.deal(product, page, Timestamp::now())
    });
    Ok(web::Json(DealMessage {
        text: texts.collect::<Vec<_>>().join("\n\n"),
        left_out: others.into_iter().map(|it| it.details.title).collect(),
    }))
}

/// Markup of a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Markup {
    None,
    WhatsApp,
}

impl Markup {
    fn of(messenger: &str) -> Result<Self, ApiError> {
        match messenger {
            "" | "plain" => Ok(Self::None),
            "whatsapp" => Ok(Self::WhatsApp),
            other => Err(ApiError::invalid(
                "for",
                format!("“{other}” is unknown: use whatsapp or plain."),
            )),
        }
    }

    /// Writes a deal as its seller's rules let it be shown, with the link to its page.
    fn deal(self, product: &Product, mut page: Url, now: Timestamp) -> String {
        let details = &product.details;
        let shown = product.shown.as_deref();
        let mut lines = vec![self.bold(&details.title)];
        if product.offers_price() {
            lines.push(self.price(product));
            lines.extend(shown.and_then(|shown| shown.effective.clone()));
            let verdict = product.verdict.as_ref();
            let cheaper = verdict.filter(|verdict| verdict.kind.is_cheaper());
            lines.extend(cheaper.map(|verdict| verdict.sentence.clone()));
        }
        let open = details.offers.iter().filter(|offer| offer.is_open(now));
        let codes = open.filter(|offer| !offer.code.is_empty());
        lines.extend(codes.map(|offer| format!("Code: {}", self.code(&offer.code))));
        lines.extend(shown.and_then(|shown| shown.ends.clone()));
        if self == Self::WhatsApp {
            page.query_pairs_mut().append_pair("utm_source", "whatsapp");
        }
        lines.push(format!("{}: {page}", self.plain(&details.source)));
        lines.join("\n")
    }

    /// Writes the price, like `₹2,574.00 ~₹4,000.00~ (−36%)`.
    fn price(self, product: &Product) -> String {
        let details = &product.details;
        let mut words = rupees(details.final_price);
        if details.final_price < details.price {
            let list = short_rupees(details.price);
            let percent = details.discount.whole_percent();
            // Writing to a String can't fail.
            let _ = match self {
                Self::WhatsApp => write!(words, " ~{list}~ (−{percent}%)"),
                Self::None => write!(words, " instead of {list} (−{percent}%)"),
            };
        }
        if let Some(time) = product.price_as_of() {
            let _ = write!(words, ", as of {}", time_in_india(time));
        }
        words
    }

    fn bold(self, text: &str) -> String {
        match self {
            Self::WhatsApp => format!("*{}*", self.plain(text)),
            Self::None => text.to_owned(),
        }
    }

    fn code(self, code: &str) -> String {
        match self {
            Self::WhatsApp => format!("`{code}`"),
            Self::None => code.to_owned(),
        }
    }

    /// Returns a text without characters that would be read as markup: WhatsApp has no escape for them.
    fn plain(self, text: &str) -> String {
        match self {
            Self::WhatsApp => text.replace(['*', '~', '`'], "").replace('_', " "),
            Self::None => text.to_owned(),
        }
    }
}
