//! OpenAPI 3.1 description of the API.
//!
//! A test below writes `assets/openapi.json` from the handlers' types with utoipa, so that the
//! program does not contain half a megabyte for it. `tests/it/api/openapi.rs` compares the file
//! with a running server.

mod page;
#[cfg(test)]
pub(in crate::http) mod schemas;

use std::sync::LazyLock;

use actix_web::http::header::{CONTENT_TYPE, LINK};
use actix_web::{HttpResponse, web};
use serde_json::{Value, json};

use crate::http::state::AppState;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../assets/openapi.json")).unwrap_or_default()
});

/// Keeps the description out of search results.
const NOT_INDEXED: (&str, &str) = ("x-robots-tag", "noindex");

/// `GET /openapi.json`.
pub(in crate::http) async fn document(state: web::Data<AppState>) -> HttpResponse {
    let mut document = DOCUMENT.clone();
    let url = state.public_url().as_str().trim_end_matches('/');
    document["servers"] = json!([{ "url": url }]);
    let cookie = state.options().cookies.name();
    document["components"]["securitySchemes"]["cookie"]["name"] = json!(cookie);
    HttpResponse::Ok().insert_header(NOT_INDEXED).json(document)
}

/// `GET /docs`: the description as a page.
pub(in crate::http) async fn docs() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(NOT_INDEXED)
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((LINK, "</openapi.json>; rel=\"service-desc\""))
        .body(page::page(&DOCUMENT))
}

pub(in crate::http) async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/css; charset=utf-8"))
        .body(include_str!("../../../../assets/docs.css"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value, json};
    use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
    use utoipa::{Modify, OpenApi};

    use crate::domain::{FIELDS, Field, Kind, line_fields};
    use crate::http::api::reports::{duplicates, overview, tasks};
    use crate::http::api::responses::CardListResponse;
    use crate::http::api::{
        admin, clicks, factor, files, keys, links, people, products, reports, settings, setup,
        users, webhooks,
    };
    use crate::http::pages::assets;

    #[derive(OpenApi)]
    #[openapi(
        info(
            title = "deals",
            description = "The API of a shop of affiliate product deals. An error is one sentence with a \
                           code for programs, and a message for each invalid field. Every answer has an x-request-id, which is \
                           also in the shop's log.",
            license(name = "MIT", identifier = "MIT")
        ),
        servers((url = "/")),
        paths(
            products::get_products,
            products::changes::changes,
            products::get_product,
            products::states,
            products::prices::price_history,
            products::prices::strike_price,
            products::over::report_over,
            products::prices::confirm,
            products::pictures::failed,
            products::pictures::loads,
            products::facets,
            products::home,
            products::alike,
            products::removed::removed,
            products::suggestions::category_like,
            clicks::record_click,
            products::add_product,
            products::update_product,
            products::delete_product,
            products::bulk::bulk,
            products::bulk::preview,
            products::bulk::undo,
            files::import_products,
            files::preview::preview_import,
            files::preview::refused_rows,
            files::mappings::list_mappings,
            files::mappings::get_mapping,
            files::mappings::save_mapping,
            files::mappings::delete_mapping,
            files::add_demo,
            admin::export_products,
            admin::activity,
            reports::clicks,
            reports::left_out,
            reports::this_device,
            overview::overview,
            overview::needs,
            tasks::tasks,
            overview::trends,
            overview::needing,
            duplicates::list,
            overview::test_mail,
            products::by_link::by_link,
            products::by_link::put_by_link,
            links::read_link,
            links::resolve_link,
            links::link_duplicates,
            links::set_tag,
            keys::list,
            keys::add,
            keys::revoke,
            people::list,
            people::invite,
            people::change,
            people::remove,
            webhooks::list,
            webhooks::add,
            webhooks::change,
            webhooks::remove,
            webhooks::send_test,
            webhooks::rotate,
            webhooks::deliveries,
            webhooks::again,
            settings::get_settings,
            settings::put_settings,
            settings::get_page,
            settings::get_draft,
            settings::palette,
            settings::sources,
            users::register,
            users::verify_code,
            users::resend_code,
            users::sign_in,
            users::current_user,
            users::me,
            users::logout,
            users::logout_everywhere,
            users::forgot_password,
            users::reset_password,
            users::change_password,
            factor::sign_in_code,
            factor::get,
            factor::begin,
            factor::enable,
            factor::renew_recovery_codes,
            factor::disable,
            factor::confirm,
            setup::check_link,
            setup::set_up,
            people::invitations::check,
            people::invitations::accept,
            people::own::sessions,
            people::own::end,
            people::own::delete_account,
            assets::healthz,
            assets::readyz,
        ),
        tags(
            (name = "products", description = "For everybody"),
            (name = "administration", description = "For administrators"),
            (name = "reports", description = "Clicks, for administrators"),
            (name = "accounts", description = "Registration, sessions and passwords"),
            (name = "settings", description = "The owner's settings"),
            (name = "health", description = "For monitoring"),
        ),
        // The answer with view=card, which no call declares as its only one.
        components(schemas(CardListResponse<'_>)),
        modifiers(&Security)
    )]
    struct Document;

    /// Adds the authentication schemes.
    struct Security;

    impl Modify for Security {
        fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
            let components = document.components.get_or_insert_default();
            let mut bearer = Http::new(HttpAuthScheme::Bearer);
            bearer.bearer_format = Some("JWT".to_owned());
            bearer.description = Some("Token from sign-in, for programs".to_owned());
            components.add_security_scheme("token", SecurityScheme::Http(bearer));
            let mut key = Http::new(HttpAuthScheme::Bearer);
            key.bearer_format = Some("deals_live_ and 36 characters".to_owned());
            key.description = Some(
                "API key with the scope that a call names; made by an administrator".to_owned(),
            );
            components.add_security_scheme("key", SecurityScheme::Http(key));
            let cookie = ApiKeyValue::with_description(
                "__Host-session",
                "Session cookie of a browser; named session over http, and with a tag of the shop where its address has a port",
            );
            components
                .add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
        }
    }

    /// Adds what utoipa's attributes can't express.
    fn complete(document: &mut Value) {
        let paths = document["paths"].as_object_mut().unwrap();
        for operation in paths.values_mut().flat_map(|item| {
            let operations = item.as_object_mut().unwrap();
            operations.values_mut()
        }) {
            let summary = operation["summary"].as_str().unwrap().replace('\n', " ");
            operation["summary"] = summary.trim_end_matches('.').into();
            if operation["description"].is_null() {
                operation["description"] = summary.into();
            }
            if operation["security"].is_null() {
                operation["security"] = json!([]);
            }
            let parameters = operation
                .get_mut("parameters")
                .and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten() {
                // With `default`, utoipa makes an inline enum an object.
                match parameter["name"].as_str() {
                    Some("sortBy") => parameter["schema"]["default"] = "createdAt".into(),
                    Some("order") => parameter["schema"]["default"] = "desc".into(),
                    _ => {}
                }
            }
        }
        let schemas = &mut document["components"]["schemas"];
        for (field, line) in line_fields() {
            let text = json!({ "description": line.about, "type": "string" });
            schemas["ProductBody"]["allOf"][1]["properties"][field.name] = text.clone();
            for name in ["ProductRequest", "ProductChangeRequest"] {
                let sent = &mut schemas[name]["properties"][field.name];
                *sent = text.clone();
                (sent["type"], sent["maxLength"]) = (json!(["string", "null"]), line.most.into());
            }
        }
        // Generators ignore `if`, and make every field of an `anyOf` a type of its own.
        for name in ["ProductRequest", "ProductChangeRequest"] {
            let schema = &mut document["components"]["schemas"][name];
            schema["if"] = json!({ "required": ["price", "discount"] });
            schema["else"] = json!({
                "required": ["finalPrice"],
                "anyOf": [{ "required": ["price"] }, { "required": ["discount"] }],
            });
        }
    }

    /// Compares a generated file; `DEALS_UPDATE=1 cargo test --lib openapi` writes it.
    fn is_up_to_date(file: &str, document: &Value) {
        let made = serde_json::to_string_pretty(document).unwrap() + "\n";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        if std::env::var("DEALS_UPDATE").is_ok_and(|value| value == "1") {
            std::fs::write(&path, &made).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(
            kept == made,
            "{file} is out of date: DEALS_UPDATE=1 cargo test --lib openapi"
        );
    }

    #[test]
    fn the_description_is_made_of_the_handlers_types() {
        let mut document = serde_json::to_value(Document::openapi()).unwrap();
        complete(&mut document);
        is_up_to_date("assets/openapi.json", &document);
    }

    #[test]
    fn the_app_has_the_fields_of_the_server() {
        let named = |is_line: bool| {
            let of_kind = |field: &&Field| matches!(field.kind, Kind::Line(_)) == is_line;
            let fields = FIELDS.iter().filter(of_kind);
            let fields = fields.map(|field| (field.name.to_owned(), json!(field)));
            Value::Object(fields.collect())
        };
        let document = json!({ "fields": named(false), "lines": named(true) });
        is_up_to_date("frontend/src/shop/fields.json", &document);
    }
}
