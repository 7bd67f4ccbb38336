//! Plain HTTP, where the site speaks TLS: pages lead to it, and the API does not answer,
//! so that no password is sent in the open a second time unnoticed (ASVS 4.1.2).

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::LOCATION;
use actix_web::{App, Error, HttpRequest, HttpResponse, web};
use url::Url;

use super::error::ApiError;

/// The whole of a server that only leads to `target`.
pub(super) fn redirecting(
    target: Url,
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
        .app_data(web::Data::new(target))
        .default_service(web::to(redirect))
}

async fn redirect(request: HttpRequest, target: web::Data<Url>) -> Result<HttpResponse, ApiError> {
    let is_page = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_api = ["/product/", "/user/"]
        .iter()
        .any(|scope| request.path().starts_with(scope));
    if !is_page || is_api {
        return Err(ApiError::Forbidden("This shop speaks https only."));
    }
    let mut url = Url::clone(&target);
    url.set_path(request.path());
    url.set_query(request.uri().query());
    Ok(HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, url.as_str()))
        .finish())
}
