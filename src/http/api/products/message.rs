//! Texts of deals for messengers.

use actix_web::{Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::domain::{DealWords, Markup, Product, State};
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
    let markup = markup_of(&messenger)?;
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
        let mut page = absolute(state.public_url(), &details_path(&product.id));
        if markup == Markup::WhatsApp {
            page.query_pairs_mut().append_pair("utm_source", "whatsapp");
        }
        DealWords::of(product, &page, Timestamp::now()).message(markup)
    });
    Ok(web::Json(DealMessage {
        text: texts.collect::<Vec<_>>().join("\n\n"),
        left_out: others.into_iter().map(|it| it.details.title).collect(),
    }))
}

/// Returns the markup by its name in the query.
fn markup_of(messenger: &str) -> Result<Markup, ApiError> {
    match messenger {
        "" | "plain" => Ok(Markup::None),
        "whatsapp" => Ok(Markup::WhatsApp),
        other => Err(ApiError::invalid(
            "for",
            format!("“{other}” is unknown: use whatsapp or plain."),
        )),
    }
}
