//! Pages about mails without an account: forms that work without JavaScript. Opening a page changes nothing:
//! mail programs open links before people do.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, LOCATION, REFERRER_POLICY};
use actix_web::{HttpRequest, HttpResponse, web};
use url::form_urlencoded;

use super::address::filters_query;
use super::page::{Page, Reader, empty};
use super::served::{Answers, text};
use super::{fallback_page, head};
use crate::domain::{Email, Filters, ListQuery};
use crate::http::api::session::MaybeUser;
use crate::http::error::ApiError;
use crate::http::extract::read_to_end;
use crate::http::routes::{Route, get, post};
use crate::http::serving::cached::cached;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::heading;
use crate::storefront::list_query::parse_lenient;

/// Routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/follow", follow).compressed(),
        post("/follow", ask_for_mails),
        get("/subscriptions/{token}", subscriptions).compressed(),
        post("/subscriptions/{token}", change_subscriptions),
    ]
}

/// Maximum size of a form in bytes.
const FORM: usize = 4_096;
/// Parameters of the page after its form was sent.
const OUTCOMES: [&str; 2] = ["sent", "problem"];

/// `GET /follow`, with the filters of a list.
pub(crate) async fn follow(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let reader = Reader::new(&state, &request);
    let query_string = request.query_string().to_owned();
    let answer = cached(&state, &request, move |store| {
        let front = reader.state.storefronts().current(store)?;
        let filters = parse_lenient(&query_string, front.names()).filters;
        let given = form_urlencoded::parse(query_string.as_bytes());
        let outcome = given
            .filter(|(name, _)| OUTCOMES.contains(&&**name))
            .take(1);
        let deals = match heading(&filters) {
            all if filters == Filters::default() => all.to_lowercase(),
            deals => deals,
        };
        let title = format!("Follow {deals} · {}", front.name());
        Page {
            head: head::plain(&front, &title),
            address: follow_address(&filters, outcome.collect::<Vec<_>>().first()),
            query: &ListQuery::default(),
            facets: store.count_facets(&Filters::default())?,
            answers: Answers::new(),
        }
        .write(&reader, &front, StatusCode::OK)
    });
    let answer = answer.await;
    Ok(answer.unwrap_or_else(|error| fallback_page(&state, &request, &error)))
}

/// Returns the address of the page, and after the form was sent, with how that went.
fn follow_address(
    filters: &Filters,
    outcome: Option<&(impl AsRef<str>, impl AsRef<str>)>,
) -> String {
    let mut query = form_urlencoded::Serializer::new(filters_query(filters));
    if let Some((name, value)) = outcome {
        query.append_pair(name.as_ref(), value.as_ref());
    }
    match query.finish() {
        query if query.is_empty() => "/follow".to_owned(),
        query => format!("/follow?{query}"),
    }
}

/// `POST /follow`: has an address asked, except that of the session's account, which gets the mails at once. The
/// answer is the same for every other address.
pub(crate) async fn ask_for_mails(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    MaybeUser(session): MaybeUser,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let form = read_form(body).await?;
    let front = state.storefront().await?;
    let filters = parse_lenient(request.query_string(), front.names()).filters;
    let list = (filters_query(&filters), form.value("often") == "weekly");
    let Some(email) = Email::parse(form.value("email")) else {
        let outcome = ("problem", "address");
        return Ok(see_other(follow_address(&filters, Some(&outcome))));
    };
    let own = session.map(|session| session.user.email.key());
    let is_own = own.is_some_and(|own| own == email.key());
    let limits = state.rate_limits();
    let limit = match is_own {
        true => limits.alert(client),
        false => limits.follow(client),
    };
    let subscribers = state.subscribers().clone();
    let network = (!is_own).then(|| client.network());
    let is_set = match limit {
        Err(_) => false,
        Ok(()) => {
            let set = state.work(move |_| {
                let can_mail = subscribers.can_mail();
                Ok(can_mail && subscribers.follow(email, network, list)?)
            });
            set.await?
        }
    };
    let outcome = match (is_set, is_own) {
        (false, _) => ("problem", "many"),
        (true, false) => ("sent", "1"),
        (true, true) => ("sent", "own"),
    };
    Ok(see_other(follow_address(&filters, Some(&outcome))))
}

/// `GET /subscriptions/{token}`: what an address gets, with forms to confirm, change and end it.
pub(crate) async fn subscriptions(
    state: web::Data<AppState>,
    request: HttpRequest,
    token: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let reader = Reader::new(&state, &request);
    // In the lane whose threads have an engine.
    let content = state.lanes().pages.run(reader.party.clone(), move |_| {
        let store: &Store = reader.state.store();
        let front = reader.state.storefronts().current(store)?;
        if !is_token(&token) {
            let title = format!("Page not found · {}", front.name());
            return Ok(empty(&front, &title, "", StatusCode::NOT_FOUND));
        }
        let subscription = reader.state.subscribers().subscription(&token)?;
        let answer = (format!("/subscriber/own/{token}"), text(&subscription)?);
        Page {
            head: head::plain(&front, &format!("Your mails · {}", front.name())),
            address: format!("/subscriptions/{token}"),
            query: &ListQuery::default(),
            facets: store.count_facets(&Filters::default())?,
            answers: Answers::from([answer]),
        }
        .write(&reader, &front, StatusCode::OK)
    });
    let mut page = content.await?.private(&request);
    // The address is a secret, which links would tell.
    let policy = (REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    page.headers_mut().insert(policy.0, policy.1);
    Ok(page)
}

/// `POST /subscriptions/{token}`: a form of the page, or one click in a mail program (RFC 8058), which ends
/// every mail to the address.
pub(crate) async fn change_subscriptions(
    state: web::Data<AppState>,
    token: web::Path<String>,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let form = read_form(body).await?;
    let is_one_click = form.value("List-Unsubscribe") == "One-Click";
    let action = match is_one_click {
        true => "leave".to_owned(),
        false => form.value("do").to_owned(),
    };
    if action.is_empty() {
        let message = "Send List-Unsubscribe=One-Click, or the form of the page.";
        return Err(ApiError::invalid("do", message));
    }
    let list = form.value("list").parse().unwrap_or_default();
    let (subscribers, known) = (state.subscribers().clone(), token.clone());
    state
        .work(move |_| Ok(subscribers.change(&known, &action, list)?))
        .await?;
    if is_one_click {
        return Ok(HttpResponse::Ok()
            .content_type("text/plain; charset=utf-8")
            .body("You get no more of these mails.\n"));
    }
    Ok(see_other(match is_token(&token) {
        true => format!("/subscriptions/{token}"),
        false => "/".to_owned(),
    }))
}

/// True for what looks like the token of a link.
fn is_token(text: &str) -> bool {
    let mut bytes = text.bytes();
    text.len() == 43 && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn see_other(address: String) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((LOCATION, address))
        .finish()
}

/// Fields of a form.
struct Form(Vec<(String, String)>);

impl Form {
    fn value(&self, name: &str) -> &str {
        let mut fields = self.0.iter();
        fields
            .find(|(field, _)| field == name)
            .map_or("", |(_, value)| value.trim())
    }
}

/// Reads a form; of one in parts, as mail programs may send it (RFC 8058, section 3.1), only the one click.
async fn read_form(body: web::Payload) -> Result<Form, ApiError> {
    let bytes = read_to_end(body, FORM).await?;
    let text = String::from_utf8_lossy(&bytes);
    if text.starts_with("--") && text.contains("name=\"List-Unsubscribe\"") {
        let click = ("List-Unsubscribe".to_owned(), "One-Click".to_owned());
        let is_click = text.contains("\r\n\r\nOne-Click\r\n");
        return Ok(Form(is_click.then_some(click).into_iter().collect()));
    }
    Ok(Form(form_urlencoded::parse(&bytes).into_owned().collect()))
}
