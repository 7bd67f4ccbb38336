//! Price alerts: anybody may ask for a message when a price falls.

use actix_web::{HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::AccountError;
use crate::domain::{Discount, Email, Paise, PriceAlert, WishedPrice, date_in_india, rupees};
use crate::http::api::responses::MessageResponse;
use crate::http::api::session::MaybeUser;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, get, post};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::StoreError;
use crate::store::subscribers::alerts::{AlertsSet, MAX_ALERTS};
use crate::subscribers::BrowserRequest;

/// Maximum number of products in a request: as many as a browser keeps.
const MAX_PRODUCTS: usize = 100;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/alert", set_alerts)
            .summary(
                "Asks for a message when prices fall: by mail, after the answer to a mail that asks, or by \
                 push messages.",
            )
            .answers::<AlertsResponse>("How many alerts were set")
            .refuses(409, "No such price can be waited for, or there are too many alerts"),
        get("/alert/key", get_push_key)
            .summary("Returns the key with which browsers subscribe to push messages.")
            .answers::<PushKeyResponse>("The key")
            .or_missing(),
        post("/alert/stop", end_alerts)
            .summary("Ends all alerts of a browser.")
            .answers::<MessageResponse>("Ended"),
    ]
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct AlertsRequest {
    /// `_id` of each product, 1 to 100
    #[serde(default)]
    ids: Vec<String>,
    /// Rupees: the alert is for this price or less
    target: Option<f64>,
    /// In place of `target`: so many percent less than now
    percent: Option<f64>,
    /// Where the mails go
    email: Option<String>,
    /// In place of `email`: the browser's subscription
    push: Option<BrowserRequest>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AlertsResponse {
    message: String,
    /// Alerts that were set
    set: u32,
    /// Products without a price that can be watched: ended, or their sellers forbid it
    left_out: u32,
    /// Whether the address must first answer a mail
    asked: bool,
}

impl AlertsRequest {
    fn wish(&self) -> Result<WishedPrice, ApiError> {
        match (self.target, self.percent) {
            (Some(target), None) => {
                let target = Paise::from_rupees(target).filter(|target| target.get() >= 100);
                target.map(WishedPrice::Target).ok_or_else(|| {
                    let rule = "The price must be rupees, at least 1, with at most 2 decimals.";
                    ApiError::invalid("target", rule)
                })
            }
            (None, Some(percent)) => {
                let percent = Discount::from_percent(percent).filter(|_| percent > 0.0);
                percent.map(WishedPrice::Below).ok_or_else(|| {
                    ApiError::invalid("percent", "percent must be above 0 and below 100.")
                })
            }
            (None, None) => Err(ApiError::missing("target")),
            (Some(_), Some(_)) => Err(ApiError::invalid(
                "percent",
                "Give target or percent, not both.",
            )),
        }
    }
}

pub(crate) async fn set_alerts(
    state: web::Data<AppState>,
    client: Client,
    MaybeUser(session): MaybeUser,
    Json(body): Json<AlertsRequest>,
) -> Result<impl Responder, ApiError> {
    let wish = body.wish()?;
    let AlertsRequest {
        mut ids,
        email,
        push,
        ..
    } = body;
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() || ids.len() > MAX_PRODUCTS {
        let rule = format!("ids must be the _id of 1 to {MAX_PRODUCTS} products.");
        return Err(ApiError::invalid("ids", rule));
    }
    state.rate_limits().alert(client)?;
    let is_pushed = push.is_some();
    let subscribers = state.subscribers().clone();
    let set = match (email, push) {
        (Some(email), None) => {
            let Some(email) = Email::parse(&email) else {
                return Err(ApiError::invalid(
                    "email",
                    "Please enter a valid email address.",
                ));
            };
            if !subscribers.can_mail() {
                let message = "This shop sends no mails. Ask for push messages.";
                return Err(ApiError::Conflict(message.to_owned()));
            }
            let own = session.map(|session| session.user.email.key());
            let is_own = own.is_some_and(|own| own == email.key());
            if !is_own {
                state.rate_limits().follow(client)?;
            }
            let network = (!is_own).then(|| client.network());
            let set =
                state.work(move |_| Ok(subscribers.set_alerts_by_mail(email, network, ids, wish)));
            match set.await? {
                Err(AccountError::Store(error)) => Err(error),
                set => Ok(set?),
            }
        }
        (None, Some(push)) => {
            let set = state.work(move |_| Ok(subscribers.set_alerts_in_browser(&push, ids, wish)));
            set.await?.transpose().ok_or_else(|| {
                let rule =
                    "push must be a browser's subscription: an endpoint with https, and its keys.";
                ApiError::invalid("push", rule)
            })?
        }
        _ => {
            return Err(ApiError::invalid(
                "email",
                "Give email or push, and not both.",
            ));
        }
    };
    let set = match set {
        Err(StoreError::Conflict(reason)) if reason == "most" => {
            let message = format!("These are more than {MAX_ALERTS} alerts. End others first.");
            return Err(ApiError::Conflict(message));
        }
        Err(StoreError::Conflict(_)) => return Err(ApiError::Busy),
        set => set?,
    };
    answer(set, is_pushed)
}

/// Says how many alerts were set, or why none was.
fn answer(set: AlertsSet, is_pushed: bool) -> Result<HttpResponse, ApiError> {
    match set {
        AlertsSet { set: 0, at_most: Some(price), .. } => Err(ApiError::invalid(
            "target",
            format!("It costs {} now. Choose a lower price, of at least ₹1.", rupees(price)),
        )),
        AlertsSet { set: 0, .. } => Err(ApiError::Conflict(
            "There is no price to wait for: the deal has ended, or its seller forbids alerts.".to_owned(),
        )),
        AlertsSet { set, left_out, asked, .. } => Ok(HttpResponse::Ok().json(AlertsResponse {
            message: match (asked, is_pushed) {
                (true, _) => "Open the link in the mail that is on its way to you. Without it you get no message.".to_owned(),
                (false, false) => "You will get a message when the price is low enough.".to_owned(),
                (false, true) => format!(
                    "You will get a message here when the price is low enough, until {}. Each message adds 90 days.",
                    date_in_india(Timestamp::now() + PriceAlert::IN_BROWSER)
                ),
            },
            set,
            left_out,
            asked,
        })),
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PushKeyResponse {
    /// A point of P-256 in base64url
    key: String,
}

pub(crate) async fn get_push_key(state: web::Data<AppState>) -> Result<impl Responder, ApiError> {
    let key = state.subscribers().push_key();
    let key = key.ok_or(ApiError::NotFound("This shop sends no push messages now."))?;
    Ok(web::Json(PushKeyResponse { key }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct StopRequest {
    /// Address of the browser at its push service
    #[serde(default)]
    endpoint: String,
}

pub(crate) async fn end_alerts(
    state: web::Data<AppState>,
    client: Client,
    Json(body): Json<StopRequest>,
) -> Result<impl Responder, ApiError> {
    state.rate_limits().alert(client)?;
    let subscribers = state.subscribers().clone();
    let forgotten = state.work(move |_| Ok(subscribers.forget_browser(body.endpoint)?));
    forgotten.await?;
    Ok(web::Json(MessageResponse {
        message: "This browser gets no more alerts.",
    }))
}
