//! Routes: each is declared once, beside its handler. The router, the `Allow` of a 405, the API's
//! description and the table in `docs/api.md` are made of them.

use actix_web::guard::{Any, Get, Head};
use actix_web::http::Method;
use actix_web::middleware::Compress;
use actix_web::{FromRequest, Handler, HttpResponse, Resource, Responder, Scope, web};
use utoipa::{IntoParams, ToSchema};

use super::describe::{Access, Call, Described, JSON};
use super::error::ApiError;
use super::extract::BodyLimit;
use crate::domain;

/// Methods of a path that take no fresh code of the second factor.
pub(crate) struct WithoutCode(Vec<&'static str>);

impl WithoutCode {
    pub(crate) fn includes(&self, method: &Method) -> bool {
        self.0.contains(&method.as_str())
    }
}

/// A path, a method and their handler.
pub(crate) struct Route {
    path: &'static str,
    /// Methods, as `Allow` names them.
    methods: &'static str,
    handler: actix_web::Route,
    limit: Option<BodyLimit>,
    is_compressed: bool,
    takes_code: bool,
    #[cfg(test)]
    call: Call,
}

/// Routes GET and HEAD (RFC 9110, section 9.1).
pub(crate) fn get<F, Args>(path: &'static str, handler: F) -> Route
where
    F: Handler<Args, Output: Responder>,
    Args: FromRequest + Described + 'static,
{
    let methods = web::route().guard(Any(Get()).or(Head()));
    Route::new(path, "GET, HEAD", methods.to(handler)).described_by::<F, Args>()
}

/// Routes POST.
pub(crate) fn post<F, Args>(path: &'static str, handler: F) -> Route
where
    F: Handler<Args, Output: Responder>,
    Args: FromRequest + Described + 'static,
{
    Route::new(path, "POST", web::post().to(handler)).described_by::<F, Args>()
}

/// Routes PUT.
pub(crate) fn put<F, Args>(path: &'static str, handler: F) -> Route
where
    F: Handler<Args, Output: Responder>,
    Args: FromRequest + Described + 'static,
{
    Route::new(path, "PUT", web::put().to(handler)).described_by::<F, Args>()
}

/// Routes DELETE.
pub(crate) fn delete<F, Args>(path: &'static str, handler: F) -> Route
where
    F: Handler<Args, Output: Responder>,
    Args: FromRequest + Described + 'static,
{
    Route::new(path, "DELETE", web::delete().to(handler)).described_by::<F, Args>()
}

impl Route {
    fn new(path: &'static str, methods: &'static str, handler: actix_web::Route) -> Self {
        Self {
            path,
            methods,
            handler,
            limit: None,
            is_compressed: false,
            takes_code: true,
            #[cfg(test)]
            call: Call::default(),
        }
    }

    /// Sets the maximum size of the body in bytes, in place of the scope's.
    pub(crate) fn limit(mut self, bytes: usize) -> Self {
        self.limit = Some(BodyLimit(bytes));
        self
    }

    /// Compresses the answers. Embedded files are compressed at build time, with their own ETags.
    pub(crate) fn compressed(mut self) -> Self {
        self.is_compressed = true;
        self
    }

    /// Asks accounts with a second factor for no fresh code. Calls that move money or access need one;
    /// the work with deals does not, nor what only ends access or makes the code known.
    pub(crate) fn without_code(mut self) -> Self {
        self.takes_code = false;
        self
    }

    /// Sets the first paragraph of the description, a sentence. Every call of the API has one, and no page.
    pub(crate) fn summary(self, text: &'static str) -> Self {
        self.describe(|call| call.operation.summary = Some(text.to_owned()))
    }

    /// Sets the second paragraph of the description.
    pub(crate) fn details(self, text: &'static str) -> Self {
        self.describe(|call| call.operation.description = Some(text.to_owned()))
    }

    /// Describes a part of the path, if it is not the id of a product.
    pub(crate) fn part(self, name: &'static str, description: &'static str) -> Self {
        self.describe(|call| call.part(name, description))
    }

    /// Describes a query that the handler does not take as `web::Query`.
    pub(crate) fn query<T: IntoParams>(self) -> Self {
        self.describe(Call::parameters::<T>)
    }

    /// Describes a body that the handler does not take as `Json`.
    pub(crate) fn body<T: ToSchema>(self) -> Self {
        self.body_as::<T>(JSON)
    }

    /// Describes a body of another media type.
    pub(crate) fn body_as<T: ToSchema>(self, kind: &'static str) -> Self {
        self.describe(|call| call.body::<T>(kind))
    }

    /// Describes the body in words.
    pub(crate) fn body_text(self, text: &'static str) -> Self {
        self.describe(|call| call.request_body().description = Some(text.to_owned()))
    }

    /// Describes the answer with status 200.
    pub(crate) fn answers<T: ToSchema>(self, description: &'static str) -> Self {
        self.answers_as::<T>(JSON, description)
    }

    /// Describes the answer with status 200 of another media type.
    pub(crate) fn answers_as<T: ToSchema>(
        self,
        kind: &'static str,
        description: &'static str,
    ) -> Self {
        self.describe(|call| call.content::<T>(200, description, kind))
    }

    /// Describes the answer with status 201.
    pub(crate) fn creates<T: ToSchema>(self, description: &'static str) -> Self {
        self.describe(|call| call.content::<T>(201, description, JSON))
    }

    /// Describes a refusal besides those that follow from what the handler takes.
    pub(crate) fn refuses(self, status: u16, description: &'static str) -> Self {
        self.describe(|call| call.refusal(status, description))
    }

    /// Adds the answer 404 to the description.
    pub(crate) fn or_missing(self) -> Self {
        self.refuses(404, "Not found.")
    }

    /// Adds the answer 304 to a conditional request to the description.
    pub(crate) fn or_unchanged(self) -> Self {
        self.describe(|call| {
            call.answer(
                304,
                "Nothing has changed since the answer with the ETag that was sent as If-None-Match.",
            );
        })
    }

    /// Says that staff, and keys with this scope, see more than everybody.
    pub(crate) fn more_with(self, scope: domain::Scope) -> Self {
        self.describe(|call| call.access = Access::EverybodyAnd(scope))
    }

    fn described_by<F, Args: Described>(self) -> Self {
        self.describe(|call| {
            let handler = std::any::type_name::<F>().rsplit("::").next();
            call.operation.operation_id = handler.map(str::to_owned);
            Args::describe(call);
        })
    }

    #[cfg(test)]
    pub(crate) fn describe(mut self, change: impl FnOnce(&mut Call)) -> Self {
        change(&mut self.call);
        self
    }

    /// Does nothing in the program, which embeds the description.
    #[cfg(not(test))]
    pub(crate) fn describe(self, _: impl FnOnce(&mut Call)) -> Self {
        self
    }

    /// Path, method and description of a call.
    #[cfg(test)]
    pub(crate) fn into_call(self) -> (&'static str, &'static str, Call) {
        let method = self.methods.split(',').next().unwrap_or_default();
        (self.path, method, self.call)
    }

    fn is_below(&self, prefix: &str) -> bool {
        let rest = self.path.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Takes the routes below a prefix, with the maximum size of a body in bytes; all other paths there
/// are unknown.
pub(crate) fn scope(prefix: &'static str, limit: usize, routes: &mut Vec<Route>) -> Scope {
    let own = routes.extract_if(.., |route| route.is_below(prefix));
    let paths = by_path(own.collect()).into_iter();
    paths
        .map(|(path, routes)| resource(&path[prefix.len()..], routes))
        .fold(web::scope(prefix), Scope::service)
        .app_data(BodyLimit(limit))
        .default_service(web::to(unknown_path))
}

/// Mounts routes outside of every scope.
pub(crate) fn mount(config: &mut web::ServiceConfig, routes: Vec<Route>) {
    for (path, routes) in by_path(routes) {
        let is_compressed = routes.iter().any(|route| route.is_compressed);
        let resource = resource(path, routes);
        if is_compressed {
            config.service(resource.wrap(Compress::default()));
        } else {
            config.service(resource);
        }
    }
}

async fn unknown_path() -> Result<HttpResponse, ApiError> {
    Err(ApiError::UnknownPath)
}

fn by_path(routes: Vec<Route>) -> Vec<(&'static str, Vec<Route>)> {
    let mut paths: Vec<(&str, Vec<Route>)> = Vec::new();
    for route in routes {
        match paths.iter_mut().find(|(path, _)| *path == route.path) {
            Some((_, routes)) => routes.push(route),
            None => paths.push((route.path, vec![route])),
        }
    }
    paths
}

/// Makes the resource of a path; methods without a route get 405 with `Allow`.
fn resource(path: &str, routes: Vec<Route>) -> Resource {
    let methods: Vec<&str> = routes.iter().map(|route| route.methods).collect();
    let allowed = methods.join(", ");
    let mut resource = web::resource(path).default_service(web::to(move || {
        let refusal = ApiError::MethodNotAllowed(allowed.clone().into());
        async { Err::<HttpResponse, _>(refusal) }
    }));
    let without_code = routes.iter().filter(|route| !route.takes_code);
    resource = resource.app_data(WithoutCode(without_code.map(|it| it.methods).collect()));
    for route in routes {
        if let Some(limit) = route.limit {
            resource = resource.app_data(limit);
        }
        resource = resource.route(route.handler);
    }
    resource
}
