//! The server: all routes and middleware.

mod api;
mod cookies;
mod error;
mod extract;
mod factor_error;
mod idempotency;
mod log_limit;
mod markdown;
mod page_views;
mod pages;
mod policy;
mod serving;
mod state;
mod store_error;
mod storefront;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::guard::{Any, Get, Head};
use actix_web::middleware::{Compress, DefaultHeaders, from_fn};
use actix_web::{App, Error, FromRequest, Handler, HttpResponse, Resource, Responder, Route, web};
use tracing_actix_web::TracingLogger;

pub use cookies::CookieMode;
pub use serving::server::{Listening, ServeError, Server, Stopper};
pub use serving::tls::{Certificate, TlsError};
pub use state::{AppState, Options, Services};

use api::reports::{duplicates, overview, tasks};
use api::{
    admin, clicks, factor, files, keys, links, openapi, people, products, reports, settings, setup,
    users, webhooks,
};
use error::{ApiError, unknown_path};
use pages::{assets, feeds, owner, sharing};
use serving::connections::body_timeout;
use serving::middleware::{request_log, security};

/// Maximum size of a product in bytes: every text at its limit, four bytes a character, plus
/// escapes.
const PRODUCT_BODY: usize = 256 * 1_024;
/// Maximum size of an account form in bytes.
const ACCOUNT_BODY: usize = 16 * 1_024;
/// Maximum size of the settings in bytes: a base64 mark and every page at its limit.
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
    App::new()
        .app_data(web::Data::new(state))
        .app_data(extract::path_config())
        .app_data(extract::query_config())
        .configure(routes)
        .wrap(from_fn(security::short_addresses_only))
        .wrap(from_fn(security::same_site_writes_only))
        .wrap(cors)
        .wrap(headers)
        .wrap(from_fn(request_log::contain_panics))
        .wrap(from_fn(request_log::request_id))
        .wrap(from_fn(body_timeout::body))
        .wrap(TracingLogger::<request_log::RequestSpan>::new())
}

/// The paths of spec section 7, with its spelling `increament`.
fn routes(config: &mut web::ServiceConfig) {
    let product = web::scope("/product")
        .app_data(extract::BodyLimit(PRODUCT_BODY))
        // Compresses these paths only: embedded files are compressed at build time, with their own
        // ETags.
        .wrap(Compress::default())
        // The most frequent first: paths are tried in turn.
        .service(read("/get-products", products::get_products))
        .service(write("/increament-views/{id}", clicks::record_click))
        .service(read("/facets", products::facets))
        .service(read("/changes", products::changes::changes))
        .service(read("/states", products::states))
        .service(read("/price-history/{id}", products::prices::price_history))
        .service(write("/strike-price/{id}", products::prices::strike_price))
        .service(write("/confirm-price/{id}", products::prices::confirm))
        .service(
            write("/picture-failed/{id}", products::pictures::failed)
                .app_data(extract::BodyLimit(ACCOUNT_BODY)),
        )
        .service(write("/picture-loads/{id}", products::pictures::loads))
        .service(write("/report-over/{id}", products::over::report_over))
        .service(read("/home", products::home))
        .service(read("/alike/{id}", products::alike))
        .service(read("/removed/{id}", products::removed::removed))
        .service(read("/product/{id}", products::get_product))
        .service(read("/activity", admin::activity))
        .service(read("/export", admin::export_products))
        .service(
            web::resource("/by-link")
                .route(
                    web::route()
                        .guard(Any(Get()).or(Head()))
                        .to(products::by_link::by_link),
                )
                .route(web::put().to(products::by_link::put_by_link))
                .default_service(web::to(|| async {
                    Err::<HttpResponse, _>(ApiError::MethodNotAllowed("GET, HEAD, PUT"))
                })),
        )
        .service(read("/category-like", products::suggestions::category_like))
        .service(write("/link", links::read_link))
        .service(write("/resolve-link", links::resolve_link))
        .service(read("/link-duplicates", links::link_duplicates))
        .service(write("/bulk", products::bulk::bulk))
        .service(write("/bulk/preview", products::bulk::preview))
        .service(write("/undo/{id}", products::bulk::undo))
        .service(write("/import", files::import_products))
        .service(write("/import/preview", files::preview::preview_import))
        .service(write("/import/refused", files::preview::refused_rows))
        .service(read("/mappings", files::mappings::list_mappings))
        .service(
            web::resource("/mappings/{name}")
                .route(
                    web::route()
                        .guard(Any(Get()).or(Head()))
                        .to(files::mappings::get_mapping),
                )
                .route(web::put().to(files::mappings::save_mapping))
                .route(web::delete().to(files::mappings::delete_mapping))
                .default_service(web::to(|| async {
                    Err::<HttpResponse, _>(ApiError::MethodNotAllowed("GET, HEAD, PUT, DELETE"))
                })),
        )
        .service(write("/demo", files::add_demo))
        .service(write("/add-product", products::add_product))
        .service(only(
            "/update-product/{id}",
            "PUT",
            web::put().to(products::update_product),
        ))
        .service(only(
            "/delete-product/{id}",
            "DELETE",
            web::delete().to(products::delete_product),
        ))
        .default_service(web::to(unknown_path));
    let user = web::scope("/user")
        .app_data(extract::BodyLimit(ACCOUNT_BODY))
        .wrap(DefaultHeaders::new().add(("cache-control", "no-store")))
        .service(write("/register", users::register))
        .service(write("/verify-code", users::verify_code))
        .service(write("/resend-code", users::resend_code))
        .service(write("/sign-in", users::sign_in))
        .service(
            web::resource("/me")
                .route(
                    web::route()
                        .guard(Any(Get()).or(Head()))
                        .to(users::current_user),
                )
                .route(web::delete().to(people::own::delete_account))
                .default_service(web::to(|| async {
                    Err::<HttpResponse, _>(ApiError::MethodNotAllowed("GET, HEAD, DELETE"))
                })),
        )
        .service(read("/sessions", people::own::sessions))
        .service(only(
            "/sessions/{id}",
            "DELETE",
            web::delete().to(people::own::end),
        ))
        .service(read("/me/{token}", users::me))
        .service(write("/logout", users::logout))
        .service(write("/logout-everywhere", users::logout_everywhere))
        .service(write("/forgot-password", users::forgot_password))
        .service(write("/reset-password", users::reset_password))
        .service(write("/change-password", users::change_password))
        .service(write("/sign-in-code", factor::sign_in_code))
        .service(read("/totp", factor::get))
        .service(write("/totp/begin", factor::begin))
        .service(write("/totp/enable", factor::enable))
        .service(write("/totp/recovery-codes", factor::renew_recovery_codes))
        .service(write("/totp/disable", factor::disable))
        .service(write("/confirm", factor::confirm))
        .service(write("/setup-link", setup::check_link))
        .service(write("/setup", setup::set_up))
        .service(write("/invitation", people::invitations::check))
        .service(write("/accept-invitation", people::invitations::accept))
        .default_service(web::to(unknown_path));
    let owner_settings = web::scope("/settings")
        .app_data(extract::BodyLimit(SETTINGS_BODY))
        .wrap(Compress::default())
        .service(
            web::resource("")
                .route(
                    web::route()
                        .guard(Any(Get()).or(Head()))
                        .to(settings::get_settings),
                )
                .route(web::put().to(settings::put_settings))
                .default_service(web::to(|| async {
                    Err::<HttpResponse, _>(ApiError::MethodNotAllowed("GET, HEAD, PUT"))
                })),
        )
        .service(read("/pages/{slug}", settings::get_page))
        .service(read("/drafts/{slug}", settings::get_draft))
        .service(read("/palette/{colour}", settings::palette))
        .service(read("/sources", settings::sources))
        .default_service(web::to(unknown_path));
    let report = web::scope("/report")
        .app_data(extract::BodyLimit(ACCOUNT_BODY))
        .wrap(Compress::default())
        .service(read("/clicks", reports::clicks))
        .service(read("/left-out", reports::left_out))
        .service(read("/overview", overview::overview))
        .service(read("/needs", overview::needs))
        .service(read("/tasks", tasks::tasks))
        .service(read("/trends", overview::trends))
        .service(read("/products", overview::needing))
        .service(read("/duplicates", duplicates::list))
        .service(write("/test-mail", overview::test_mail))
        .service(write("/this-device", reports::this_device))
        .default_service(web::to(unknown_path));
    let source = web::scope("/source")
        .app_data(extract::BodyLimit(ACCOUNT_BODY))
        .wrap(Compress::default())
        .service(write("/{source}/tag", links::set_tag))
        .default_service(web::to(unknown_path));
    let keys = web::scope("/keys")
        .app_data(extract::BodyLimit(ACCOUNT_BODY))
        .wrap(DefaultHeaders::new().add(("cache-control", "no-store")))
        .service(
            web::resource("")
                .route(web::route().guard(Any(Get()).or(Head())).to(keys::list))
                .route(web::post().to(keys::add))
                .default_service(web::to(|| async {
                    Err::<HttpResponse, _>(ApiError::MethodNotAllowed("GET, HEAD, POST"))
                })),
        )
        .service(only("/{id}", "DELETE", web::delete().to(keys::revoke)))
        .default_service(web::to(unknown_path));
    let webhooks = web::scope("/webhooks")
        .app_data(extract::BodyLimit(ACCOUNT_BODY))
        .wrap(DefaultHeaders::new().add(("cache-control", "no-store")))
        .service(
            web::resource("")
                .route(web::route().guard(Any(Get()).or(Head())).to(webhooks::list))
                .route(web::post().to(webhooks::add))
                .default_service(web::to(|| async {
                    Err::<HttpResponse, _>(ApiError::MethodNotAllowed("GET, HEAD, POST"))
                })),
        )
        .service(
            web::resource("/{id}")
                .route(web::put().to(webhooks::change))
                .route(web::delete().to(webhooks::remove))
                .default_service(web::to(|| async {
                    Err::<HttpResponse, _>(ApiError::MethodNotAllowed("PUT, DELETE"))
                })),
        )
        .service(write("/{id}/test", webhooks::send_test))
        .service(write("/{id}/rotate", webhooks::rotate))
        .service(read("/{id}/deliveries", webhooks::deliveries))
        .service(write("/{id}/deliveries/{delivery}/again", webhooks::again))
        .default_service(web::to(unknown_path));
    let people = web::scope("/people")
        .app_data(extract::BodyLimit(ACCOUNT_BODY))
        .wrap(DefaultHeaders::new().add(("cache-control", "no-store")))
        .service(read("", people::list))
        .service(write("/invite", people::invite))
        .service(
            web::resource("/{id}")
                .route(web::put().to(people::change))
                .route(web::delete().to(people::remove))
                .default_service(web::to(|| async {
                    Err::<HttpResponse, _>(ApiError::MethodNotAllowed("PUT, DELETE"))
                })),
        )
        .default_service(web::to(unknown_path));
    config
        .service(product)
        .service(source)
        .service(keys)
        .service(people)
        .service(webhooks)
        .service(report)
        .service(user)
        .service(owner_settings)
        .service(read("/", pages::list).wrap(Compress::default()))
        .service(read("/details/{id}", pages::product).wrap(Compress::default()))
        .service(read("/pages/{slug}", owner::page).wrap(Compress::default()))
        .service(read("/mark/{file}", owner::mark))
        .service(
            write("/shared-deal", owner::shared_deal).app_data(extract::BodyLimit(ACCOUNT_BODY)),
        )
        .service(read("/share.png", sharing::shop_picture))
        .service(read("/share/{id}.png", sharing::product_picture))
        .service(read("/icon/{name}.png", sharing::icon))
        .service(read("/favicon.ico", sharing::favicon))
        .service(read("/apple-touch-icon.png", sharing::touch_icon))
        .service(read(
            "/apple-touch-icon-precomposed.png",
            sharing::touch_icon,
        ))
        .service(read("/manifest.webmanifest", owner::manifest).wrap(Compress::default()))
        .service(read("/robots.txt", feeds::robots))
        .service(read("/sitemap.xml", feeds::sitemap).wrap(Compress::default()))
        .service(read("/sitemap-{number}.xml", feeds::sitemap_part).wrap(Compress::default()))
        .service(read("/feed.xml", feeds::feed).wrap(Compress::default()))
        .service(read("/healthz", assets::healthz))
        .service(read("/readyz", assets::readyz))
        .service(read("/openapi.json", openapi::document).wrap(Compress::default()))
        .service(read("/docs", openapi::docs).wrap(Compress::default()))
        .service(read("/docs.css", openapi::style))
        .service(read("/sw.js", assets::service_worker))
        .service(read("/assets/{file:.*}", assets::asset))
        .service(read("/demo/{file}", assets::demo_picture))
        .default_service(web::to(assets::fallback));
    for screen in pages::SCREENS {
        config.service(read(screen, pages::screen).wrap(Compress::default()));
    }
}

/// Routes GET and HEAD (RFC 9110, section 9.1).
fn read<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    only(
        path,
        "GET, HEAD",
        web::route().guard(Any(Get()).or(Head())).to(handler),
    )
}

/// Routes POST.
fn write<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    only(path, "POST", web::post().to(handler))
}

/// Routes one method; all others get 405 with `Allow`.
fn only(path: &str, allowed: &'static str, route: Route) -> Resource {
    web::resource(path)
        .route(route)
        .default_service(web::to(move || async move {
            Err::<HttpResponse, _>(ApiError::MethodNotAllowed(allowed))
        }))
}
