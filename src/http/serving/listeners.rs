//! Additional listeners: redirect to https, and metrics.

use std::sync::{Arc, LazyLock};

use actix_web::body::MessageBody;
use actix_web::dev::{ResourceDef, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::LOCATION;
use actix_web::middleware::from_fn;
use actix_web::{App, Error, HttpRequest, HttpResponse, web};
use url::Url;

use super::connections::body_timeout;
use super::connections::limits::Connections;
use super::metrics_report::report;
use crate::http::error::ApiError;
use crate::http::pages::SCREENS;
use crate::http::state::AppState;

/// Paths besides the screens that people and crawlers ask for by their address.
const PAGES: [&str; 13] = [
    "/",
    "/details/{id}",
    "/pages/{slug}",
    "/docs",
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap-{number}.xml",
    "/feed.xml",
    "/feed.json",
    "/follow",
    "/subscriptions/{token}",
    "/share.png",
    "/share/{id}.png",
];

static REDIRECTED: LazyLock<ResourceDef> =
    LazyLock::new(|| ResourceDef::new([&SCREENS[..], &PAGES].concat()));

/// Purpose of an additional listener.
#[derive(Clone)]
pub(crate) enum SideListener {
    /// Redirects pages to this address.
    Redirect(Url),
    /// Reports the metrics of the shop and its connections.
    Metrics(AppState, Arc<Connections>),
}

/// Builds the app of an additional listener, of one type so that it is compiled once.
pub(crate) fn side_app(
    listener: SideListener,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    App::new()
        .app_data(web::Data::new(listener))
        .default_service(web::to(answer))
        .wrap(from_fn(body_timeout::body))
}

async fn answer(
    request: HttpRequest,
    listener: web::Data<SideListener>,
) -> Result<HttpResponse, ApiError> {
    match &**listener {
        SideListener::Redirect(target) => redirect(&request, target),
        SideListener::Metrics(state, connections) if request.path() == "/metrics" => {
            report(state, connections).await
        }
        SideListener::Metrics(..) => Err(ApiError::UnknownPath),
    }
}

/// Redirects pages to https. Everything else is refused, so that no password or token is sent in the
/// open twice unnoticed (ASVS 4.1.2).
fn redirect(request: &HttpRequest, target: &Url) -> Result<HttpResponse, ApiError> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || !REDIRECTED.is_match(request.path()) {
        return Err(ApiError::PlainHttp("This shop speaks https only."));
    }
    let mut url = target.clone();
    url.set_path(request.path());
    url.set_query(request.uri().query());
    Ok(HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, url.as_str()))
        .finish())
}
