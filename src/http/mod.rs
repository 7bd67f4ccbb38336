//! The server: all routes and middleware.

mod api;
mod cookies;
mod describe;
mod error;
mod extract;
mod factor_error;
mod idempotency;
mod log_limit;
mod page_views;
mod pages;
mod policy;
mod rendering;
mod routes;
mod serving;
mod state;
mod store_error;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::{Compress, DefaultHeaders, from_fn};
use actix_web::{App, Error, web};
use tracing_actix_web::TracingLogger;

pub use cookies::CookieMode;
pub use serving::server::{Listening, ServeError, Server, Stopper};
pub use serving::tls::{Certificate, TlsError};
pub use state::{AppState, Options, Services};

use api::openapi;
use extract::ACCOUNT_BODY;
use pages::assets;
use serving::connections::body_timeout;
use serving::middleware::{request_log, security};

/// Maximum size of a product in bytes: every text at its limit, four bytes a character, plus
/// escapes.
const PRODUCT_BODY: usize = 256 * 1_024;
/// Maximum size of the settings in bytes: a base64 logo and every page at its limit.
const SETTINGS_BODY: usize = 1_536 * 1_024;

/// Builds the site and its API, for production and tests alike.
pub fn app(
    state: AppState,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let headers = security::security_headers(&state)
        .into_iter()
        .fold(DefaultHeaders::new(), DefaultHeaders::add);
    let cors = security::cors(&state);
    let leader = state.options().leader.clone();
    App::new()
        .app_data(web::Data::new(state))
        .app_data(extract::path_config())
        .app_data(extract::query_config())
        .configure(|config| serving::following::mount(config, leader.as_ref()))
        .configure(mount)
        .wrap(from_fn(security::short_addresses_only))
        .wrap(from_fn(security::same_site_writes_only))
        .wrap(cors)
        .wrap(headers)
        .wrap(from_fn(request_log::contain_panics))
        .wrap(from_fn(request_log::request_id))
        .wrap(from_fn(body_timeout::body))
        .wrap(TracingLogger::<request_log::RequestSpan>::new())
}

/// Mounts the routes: those of the API in a scope for each first segment (spec, section 7).
fn mount(config: &mut web::ServiceConfig) {
    let mut api = api::routes();
    api.extend(pages::category_routes());
    let mut scope = |prefix, limit| routes::scope(prefix, limit, &mut api);
    let no_store = || DefaultHeaders::new().add(("cache-control", "no-store"));
    config
        .service(scope("/product", PRODUCT_BODY).wrap(Compress::default()))
        .service(scope("/picture", ACCOUNT_BODY))
        .service(
            scope("/category", ACCOUNT_BODY)
                .default_service(web::to(assets::fallback))
                .wrap(Compress::default()),
        )
        .service(
            scope("/collection", ACCOUNT_BODY)
                .default_service(web::to(assets::fallback))
                .wrap(Compress::default()),
        )
        .service(scope("/source", ACCOUNT_BODY).wrap(Compress::default()))
        .service(scope("/keys", ACCOUNT_BODY).wrap(no_store()))
        .service(scope("/people", ACCOUNT_BODY).wrap(no_store()))
        .service(scope("/webhooks", ACCOUNT_BODY).wrap(no_store()))
        .service(scope("/alert", ACCOUNT_BODY).wrap(no_store()))
        .service(scope("/subscriber", ACCOUNT_BODY).wrap(no_store()))
        .service(scope("/report", ACCOUNT_BODY).wrap(Compress::default()))
        .service(scope("/user", ACCOUNT_BODY).wrap(no_store()))
        .service(scope("/settings", SETTINGS_BODY).wrap(Compress::default()));
    routes::mount(config, pages::routes());
    routes::mount(config, openapi::routes());
    config.default_service(web::to(assets::fallback));
}
