//! A server of a copy that follows another shop answers what visitors read, and nothing else.

use actix_web::guard::{GuardContext, fn_guard};
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, COOKIE};
use actix_web::{HttpResponse, web};
use url::Url;

use crate::http::error::ApiError;

/// Routes what only the leader may answer to a refusal, before all other routes.
pub(in crate::http) fn mount(config: &mut web::ServiceConfig, leader: Option<&Url>) {
    let Some(leader) = leader else { return };
    let sentence = format!("This copy answers visitors only. Send this request to {leader}");
    let refuse = web::to(move || {
        let refusal = ApiError::Follows(sentence.clone());
        async { Err::<HttpResponse, _>(refusal) }
    });
    let refused = web::scope("").guard(fn_guard(is_for_leader));
    config.service(refused.default_service(refuse));
}

fn is_for_leader(request: &GuardContext<'_>) -> bool {
    let head = request.head();
    let is_read = matches!(head.method, Method::GET | Method::HEAD);
    !is_read || head.headers.contains_key(COOKIE) || head.headers.contains_key(AUTHORIZATION)
}
