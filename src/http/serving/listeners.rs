//! What listens beside the shop: the way from plain http to https, and the metrics.

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

/// What a listener is for.
#[derive(Clone)]
pub(crate) enum Aside {
    /// Leads pages to this address.
    Redirect(Url),
    /// Reports on a shop and its connections.
    Metrics(AppState, Arc<Connections>),
}

/// The whole of a server that does only this. Both are one type, which is compiled once.
pub(crate) fn aside(
    role: Aside,
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
        .app_data(web::Data::new(role))
        .default_service(web::to(answer))
}

async fn answer(request: HttpRequest, role: web::Data<Aside>) -> Result<HttpResponse, ApiError> {
    match &**role {
        Aside::Redirect(target) => redirect(&request, target),
        Aside::Metrics(state, connections) if request.path() == "/metrics" => {
            report(state, connections).await
        }
        Aside::Metrics(..) => Err(ApiError::NotFound("There is nothing at this address.")),
    }
}

/// The API does not answer over plain http where the site speaks TLS, so that no password or
/// token is sent in the open a second time unnoticed (ASVS 4.1.2).
fn redirect(request: &HttpRequest, target: &Url) -> Result<HttpResponse, ApiError> {
    let is_page = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_api = ["/product/", "/user/", "/report/", "/settings"]
        .iter()
        .any(|scope| request.path().starts_with(scope));
    if !is_page || is_api {
        return Err(ApiError::Forbidden("This shop speaks https only."));
    }
    let mut url = target.clone();
    url.set_path(request.path());
    url.set_query(request.uri().query());
    Ok(HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, url.as_str()))
        .finish())
}
