//! Additional listeners: redirect to https, and metrics.

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::LOCATION;
use actix_web::{App, Error, HttpRequest, HttpResponse, web};
use url::Url;

use super::connections::limits::Connections;
use super::metrics_report::report;
use crate::http::error::ApiError;
use crate::http::state::AppState;

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

/// Redirects pages to https. API calls are refused, so that no password is sent in the open twice
/// unnoticed (ASVS 4.1.2).
fn redirect(request: &HttpRequest, target: &Url) -> Result<HttpResponse, ApiError> {
    let is_page = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_api = [
        "/product/",
        "/source/",
        "/user/",
        "/report/",
        "/settings",
        "/keys",
        "/webhooks",
    ]
    .iter()
    .any(|scope| request.path().starts_with(scope));
    if !is_page || is_api {
        return Err(ApiError::PlainHttp("This shop speaks https only."));
    }
    let mut url = target.clone();
    url.set_path(request.path());
    url.set_query(request.uri().query());
    Ok(HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, url.as_str()))
        .finish())
}
