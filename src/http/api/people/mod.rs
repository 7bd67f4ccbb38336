//! Calls about people, for administrators.

mod devices;
pub(in crate::http) mod invitations;
pub(in crate::http) mod own;

use actix_web::{HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::list_query::page_number;
use super::permissions::Admin;
use super::requests::{Text, parse_invitation};
use super::responses::{MessageResponse, MetaBody};
use crate::accounts::{AccountError, PEOPLE_PAGE};
use crate::domain::{FieldError, Rfc3339, Role};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::state::AppState;
use crate::mail::Mailer;
use crate::store::{Person, PersonChange};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/people", list_people)
            .summary("Returns open invitations and accounts, the newest first.")
            .details("A page has 50.")
            .answers::<PeopleResponse>("One page"),
        post("/people/invite", invite_person)
            .summary(
                "Invites somebody by mail, if the shop has a mail server, and by a link to copy.",
            )
            .details("The link is for three days and one use.")
            .creates::<InvitedResponse>("Invited; an earlier invitation of the address ended")
            .refuses(409, "The address has an account"),
        put("/people/{id}", change_person)
            .summary("Changes somebody's role, ends their sessions, or ends a delay of signing in.")
            .part("id", "The account's id")
            .answers::<MessageResponse>("Changed")
            .refuses(409, "It is the last administrator")
            .or_missing(),
        delete("/people/{id}", remove_person)
            .summary("Removes an account with its sessions and keys, or an open invitation.")
            .part("id", "Id of the account or invitation")
            .answers::<MessageResponse>("Removed")
            .refuses(409, "It is the last administrator")
            .or_missing(),
    ]
}

/// Maximum length of a search in characters.
const MAX_SEARCH: usize = 200;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PersonBody {
    /// Id of the account or invitation
    #[serde(rename = "_id")]
    id: String,
    /// Of an invitation, the suggested name or an empty text
    username: String,
    email: String,
    #[serde(rename = "Role")]
    #[schema(value_type = Role)]
    role: &'static str,
    created_at: Rfc3339,
    /// Last use of a session; null without one
    #[schema(required = true)]
    last_seen_at: Option<Rfc3339>,
    sessions: i64,
    /// End of an invitation that is open; null for accounts
    #[schema(required = true)]
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

#[derive(Serialize, ToSchema)]
pub(crate) struct PeopleResponse {
    data: Vec<PersonBody>,
    meta: MetaBody,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeopleQuery {
    /// Part of a name or address
    #[param(max_length = 200)]
    search: Option<String>,
    /// From 1; a page has 50 people
    #[param(value_type = Option<u32>, minimum = 1)]
    page: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct InviteRequest {
    #[schema(value_type = String, format = Email, max_length = 254)]
    email: Text,
    #[schema(value_type = Role)]
    role: Text,
    /// Suggested name, which the invited person may change
    #[schema(value_type = Option<String>, min_length = 3, max_length = 50)]
    username: Text,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct InvitedResponse {
    /// Works once within three days, and is never shown again
    link: String,
    /// Whether it is mailed as well
    mailed: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangePersonRequest {
    /// Ends the person's sessions if it is a new one
    #[schema(value_type = Option<Role>)]
    role: Option<String>,
    /// Ends every session
    #[serde(default)]
    sign_out: bool,
    /// Ends the delay after wrong passwords
    #[serde(default)]
    unlock: bool,
}

pub(crate) async fn list_people(
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

pub(crate) async fn invite_person(
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
    let mailed = matches!(*state.mailer().await?, Mailer::Smtp(_));
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

pub(crate) async fn change_person(
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
        .map_err(refusal)?;
    Ok(web::Json(MessageResponse {
        message: "The account was changed.",
    }))
}

pub(crate) async fn remove_person(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    state
        .accounts_work(move |accounts| Ok(accounts.remove_person(&id, &admin.session().user)))
        .await?
        .map_err(refusal)?;
    Ok(web::Json(MessageResponse {
        message: "The account was removed.",
    }))
}

fn refusal(error: AccountError) -> ApiError {
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
