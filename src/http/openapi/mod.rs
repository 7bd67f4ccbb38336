//! The API described by OpenAPI 3.1, for programs and for people.
//!
//! What is sent and answered is taken from the handlers' own types; `operations.rs` says
//! which call takes and gives which. `tests/it/openapi.rs` holds both against the server.

mod operations;
mod page;

use std::sync::LazyLock;

use actix_web::http::header::{CONTENT_TYPE, LINK};
use actix_web::{HttpResponse, web};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::state::AppState;
use operations as calls;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "deals",
        description = "The API of a shop of affiliate product deals. Errors are one sentence, with a \
                       message for each field where fields are wrong. Every answer carries an \
                       x-request-id, which the shop's log has too.",
        license(name = "MIT", identifier = "MIT")
    ),
    paths(
        calls::get_products,
        calls::get_product,
        calls::facets,
        calls::record_click,
        calls::add_product,
        calls::update_product,
        calls::delete_product,
        calls::bulk,
        calls::undo,
        calls::import_products,
        calls::export_products,
        calls::activity,
        calls::by_link,
        calls::register,
        calls::verify_code,
        calls::resend_code,
        calls::sign_in,
        calls::me,
        calls::logout,
        calls::logout_everywhere,
        calls::forgot_password,
        calls::reset_password,
        calls::change_password,
        calls::healthz,
        calls::readyz,
    ),
    tags(
        (name = "products", description = "For everybody"),
        (name = "administration", description = "For administrators"),
        (name = "accounts", description = "Registering, signing in and out, passwords"),
        (name = "health", description = "For whatever watches the shop"),
    ),
    modifiers(&Security)
)]
struct Document;

/// How callers say who they are.
struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let mut bearer = Http::new(HttpAuthScheme::Bearer);
        bearer.bearer_format = Some("JWT".to_owned());
        bearer.description = Some("The token that a program got from sign-in".to_owned());
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let cookie = ApiKeyValue::with_description("session", "The cookie that a browser got");
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    }
}

static DOCUMENT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(Document::openapi);

/// `GET /openapi.json`.
pub(super) async fn document(state: web::Data<AppState>) -> HttpResponse {
    let mut document = DOCUMENT.clone();
    let url = state.public_url().as_str().trim_end_matches('/');
    document.servers = Some(vec![utoipa::openapi::Server::new(url)]);
    HttpResponse::Ok().json(document)
}

/// `GET /docs`: the same for people.
pub(super) async fn docs() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((LINK, "</openapi.json>; rel=\"service-desc\""))
        .body(page::page(&DOCUMENT))
}

/// `GET /docs.css`.
pub(super) async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/css; charset=utf-8"))
        .body(include_str!("../../../assets/docs.css"))
}
