//! Calls about people, for administrators.

mod devices;
pub(in crate::http) mod invitations;
pub(in crate::http) mod own;

use actix_web::{HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};

use super::list_query::page_number;
#[cfg(test)]
use super::openapi::schemas::{AdminRefusals, BodyRefusals, Error, Missing, Refusals};
use super::permissions::Admin;
use super::requests::{Text, parse_invitation};
use super::responses::{MessageResponse, MetaBody};
use crate::accounts::{AccountError, PEOPLE_PAGE};
use crate::domain::{FieldError, Rfc3339, Role};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::state::AppState;
use crate::mail::Mailer;
use crate::store::{Person, PersonChange};

/// Maximum length of a search in characters.
const MAX_SEARCH: usize = 200;

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
struct PersonBody {
    /// Id of the account or invitation
    #[serde(rename = "_id")]
    id: String,
    /// Of an invitation, the suggested name or an empty text
    username: String,
    email: String,
    #[serde(rename = "Role")]
    #[cfg_attr(test, schema(value_type = Role))]
    role: &'static str,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    created_at: Rfc3339,
    /// Last use of a session; null without one
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, required = true))]
    last_seen_at: Option<Rfc3339>,
    sessions: i64,
    /// End of an invitation that is open; null for accounts
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, required = true))]
    invited_until: Option<Rfc3339>,
    /// Whether signing in from a new device is delayed now, after wrong passwords
    delayed: bool,
}

impl From<(Person, bool)> for PersonBody {
    fn from((person, delayed): (Person, bool)) -> Self {
        Self {
            id: person.id,
            username: person.username,
            email: person.email.as_str().to_owned(),
            role: person.role.as_str(),
            created_at: Rfc3339(person.created_at),
            last_seen_at: person.last_seen_at.map(Rfc3339),
            sessions: person.sessions,
            invited_until: person.invited_until.map(Rfc3339),
            delayed,
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct PeopleResponse {
    data: Vec<PersonBody>,
    meta: MetaBody,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct PeopleQuery {
    /// Part of a name or address
    #[cfg_attr(test, param(max_length = 200))]
    search: Option<String>,
    /// From 1; a page has 50 people
    #[cfg_attr(test, param(value_type = Option<u32>, minimum = 1))]
    page: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct InviteRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, format = Email, max_length = 254))]
    email: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Role, required = true))]
    role: Text,
    /// Suggested name, which the invited person may change
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Option<String>, required = false, min_length = 3, max_length = 50))]
    username: Text,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct InvitedResponse {
    /// Works once within three days, and is never shown again
    link: String,
    /// Whether it is mailed as well
    mailed: bool,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangePersonRequest {
    /// Ends the person's sessions if it is a new one
    #[cfg_attr(test, schema(value_type = Option<Role>))]
    role: Option<String>,
    /// Ends every session
    #[serde(default)]
    sign_out: bool,
    /// Ends the delay after wrong passwords
    #[serde(default)]
    unlock: bool,
}

/// Returns open invitations and accounts, the newest first.
#[cfg_attr(test, utoipa::path(
    operation_id = "list_people",
    get, path = "/people", tag = "administration", params(PeopleQuery),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "One page", body = PeopleResponse), AdminRefusals, Refusals),
))]
pub(crate) async fn list(
    state: web::Data<AppState>,
    _admin: Admin,
    query: web::Query<PeopleQuery>,
) -> Result<impl Responder, ApiError> {
    let PeopleQuery { search, page } = query.into_inner();
    let number = page_number(page.as_deref())?;
    let search = search.unwrap_or_default();
    if search.chars().count() > MAX_SEARCH {
        let message = format!("A search has at most {MAX_SEARCH} characters.");
        return Err(ApiError::invalid("search", message));
    }
    let people = state
        .accounts_work(move |accounts| accounts.people(&search, number))
        .await?;
    Ok(web::Json(PeopleResponse {
        meta: MetaBody::new(&people, number, PEOPLE_PAGE),
        data: people.items.into_iter().map(PersonBody::from).collect(),
    }))
}

/// Invites somebody by mail, if the shop has a mail server, and by a link to copy.
#[cfg_attr(test, utoipa::path(
    operation_id = "invite_person",
    post, path = "/people/invite", tag = "administration", request_body = InviteRequest,
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 201, description = "Invited; an earlier invitation of the address ended", body = InvitedResponse),
        (status = 409, description = "The address has an account", body = Error), AdminRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn invite(
    state: web::Data<AppState>,
    admin: Admin,
    Json(body): Json<InviteRequest>,
) -> Result<impl Responder, ApiError> {
    let mut errors = Vec::new();
    let form = parse_invitation(&body.email, &body.username, &mut errors);
    let role = parse_role(body.role.as_str(), &mut errors);
    let (Some((email, username)), Some(role)) = (form, role) else {
        return Err(ApiError::Invalid(errors));
    };
    state.rate_limits().invite(admin.id())?;
    let mailed = matches!(state.mailer(), Mailer::Smtp(_));
    let secret = state
        .accounts_work(move |accounts| {
            accounts.invite(&email, &username, role, &admin.session().user, mailed)
        })
        .await?;
    let url = state.public_url().as_str().trim_end_matches('/');
    Ok(HttpResponse::Created().json(InvitedResponse {
        link: format!("{url}/invite#{secret}"),
        mailed,
    }))
}

/// Changes somebody's role, ends their sessions, or ends a delay of signing in.
#[cfg_attr(test, utoipa::path(
    operation_id = "change_person",
    put, path = "/people/{id}", tag = "administration", request_body = ChangePersonRequest,
    params(("id" = String, Path, description = "The account's id")),
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Changed", body = MessageResponse),
        (status = 409, description = "It is the last administrator", body = Error), Missing, AdminRefusals,
        BodyRefusals,
    ),
))]
pub(crate) async fn change(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
    Json(body): Json<ChangePersonRequest>,
) -> Result<impl Responder, ApiError> {
    let mut errors = Vec::new();
    let role = body.role.map(|role| parse_role(&role, &mut errors));
    if !errors.is_empty() {
        return Err(ApiError::Invalid(errors));
    }
    let change = PersonChange {
        role: role.flatten(),
        sign_out: body.sign_out,
        unlock: body.unlock,
    };
    state
        .accounts_work(move |accounts| {
            Ok(accounts.change_person(&id, change, &admin.session().user))
        })
        .await?
        .map_err(refused)?;
    Ok(web::Json(MessageResponse {
        message: "The account was changed.",
    }))
}

/// Removes an account with its sessions and keys, or an open invitation.
#[cfg_attr(test, utoipa::path(
    operation_id = "remove_person",
    delete, path = "/people/{id}", tag = "administration",
    params(("id" = String, Path, description = "Id of the account or invitation")),
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Removed", body = MessageResponse),
        (status = 409, description = "It is the last administrator", body = Error), Missing, AdminRefusals, Refusals,
    ),
))]
pub(crate) async fn remove(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    state
        .accounts_work(move |accounts| Ok(accounts.remove_person(&id, &admin.session().user)))
        .await?
        .map_err(refused)?;
    Ok(web::Json(MessageResponse {
        message: "The account was removed.",
    }))
}

fn refused(error: AccountError) -> ApiError {
    match error {
        AccountError::Unknown => ApiError::NotFound(
            "There is no such person. Reload the list: somebody else may have removed them.",
        ),
        error => error.into(),
    }
}

fn parse_role(name: &str, errors: &mut Vec<FieldError>) -> Option<Role> {
    let role = Role::parse(name);
    if role.is_none() {
        let names = Role::ALL.map(Role::as_str).join(", ");
        errors.push(FieldError::new(
            "role",
            format!("Choose a role of {names}."),
        ));
    }
    role
}
