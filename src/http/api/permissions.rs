//! Permissions of calls: the role of a signed-in account, or the scope of an API key.

use std::marker::PhantomData;
use std::net::IpAddr;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use tokio::time::timeout;

use super::session::{Extraction, bearer, find, require_code};
use crate::accounts::{Accounts, FactorError, KEY_START};
use crate::domain::{ApiKey, Role, Scope, Session};
use crate::http::describe::{Access, Call, Described};
use crate::http::error::ApiError;
use crate::http::extract::before_body;
use crate::http::serving::connections::progress::ConnectionProgress;
use crate::http::serving::queue::Party;
use crate::http::state::AppState;

/// Account or key that makes a request.
pub(crate) struct Actor {
    id: String,
    /// Id of the key, if it is one.
    key: Option<String>,
    name: String,
    is_admin: bool,
    /// True for a session that may do what needs a fresh code of the second factor.
    is_confirmed: bool,
}

impl Actor {
    fn of_session(session: &Session) -> Self {
        Self {
            id: session.user.id.clone(),
            key: None,
            name: session.user.username.clone(),
            is_admin: session.user.role == Role::Admin,
            is_confirmed: Accounts::require_confirmed(session).is_ok(),
        }
    }

    fn of_key(key: &ApiKey) -> Self {
        Self {
            id: key.owner.id.clone(),
            key: Some(key.id.clone()),
            name: format!("key: {}", key.name),
            is_admin: false,
            is_confirmed: false,
        }
    }

    /// Account id, for the log and for repeated requests; of a key, its owner's.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Name for the activity log.
    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }

    /// Party in the queues of work.
    fn party(&self) -> Party {
        Party::member(&self.id, self.key.as_ref().unwrap_or(&self.id))
    }
}

/// Permission that a call needs.
pub(crate) trait Permission {
    /// Scope that a key must have; `None` if no key is enough.
    const SCOPE: Option<Scope>;
    /// True if an account must be an administrator's; otherwise an editor's is enough.
    const ADMIN: bool = false;
}

/// Reads products in every state.
pub(crate) struct ReadProducts;
/// Adds, changes and deletes products.
pub(crate) struct WriteProducts;
/// Imports files.
pub(crate) struct ImportProducts;
/// Reads reports.
pub(crate) struct ReadReports;
/// Works in the office, which no key does.
pub(crate) struct UseOffice;

impl Permission for ReadProducts {
    const SCOPE: Option<Scope> = Some(Scope::ProductsRead);
}

impl Permission for WriteProducts {
    const SCOPE: Option<Scope> = Some(Scope::ProductsWrite);
}

impl Permission for ImportProducts {
    const SCOPE: Option<Scope> = Some(Scope::Import);
}

impl Permission for ReadReports {
    const SCOPE: Option<Scope> = Some(Scope::ReportsRead);
}

impl Permission for UseOffice {
    const SCOPE: Option<Scope> = None;
}

/// A client with a permission; all others get 401 or 403.
pub(crate) struct May<P>(Actor, PhantomData<P>);

impl<P> May<P> {
    pub(crate) fn id(&self) -> &str {
        self.0.id()
    }

    pub(crate) fn name(&self) -> String {
        self.0.name()
    }

    pub(crate) fn party(&self) -> Party {
        self.0.party()
    }

    /// True for the account of an administrator.
    pub(crate) fn is_admin(&self) -> bool {
        self.0.is_admin
    }

    /// True for a session that may do what needs a fresh code of the second factor.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.0.is_confirmed
    }
}

/// Time between two checks of a permission while work takes long.
const STILL_ALLOWED: Duration = Duration::from_secs(1);

impl<P: Permission + 'static> May<P> {
    /// Waits for work that takes long, and abandons it when the client closes the connection or the
    /// session, the role or the key ends.
    ///
    /// # Errors
    ///
    /// The error of `work`, or the reason of the refusal; [`ApiError::Busy`] for a closed connection.
    pub(crate) async fn while_allowed<T>(
        request: &HttpRequest,
        work: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        let mut work = pin!(work);
        loop {
            if let Ok(done) = timeout(STILL_ALLOWED, &mut work).await {
                return done;
            }
            let progress = request.conn_data::<Rc<ConnectionProgress>>();
            if progress.is_some_and(|progress| progress.has_closed()) {
                return Err(ApiError::Busy);
            }
            match Self::extract(request).await {
                // These checks count as requests of the key.
                Ok(_) | Err(ApiError::TooMany(_) | ApiError::Busy) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl<P: Permission> Described for May<P> {
    fn describe(call: &mut Call) {
        call.access = match P::ADMIN {
            true => Access::Admin,
            false => Access::Staff(P::SCOPE),
        };
    }
}

impl<P: Permission + 'static> FromRequest for May<P> {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let checked = request.clone();
        Box::pin(before_body(request, async move {
            let request = checked;
            let actor = match key_of(&request).await? {
                Some(key) => {
                    require_scope(&key, P::SCOPE)?;
                    Actor::of_key(&key)
                }
                None => {
                    let session = find(&request).await?;
                    require_role(&session, P::ADMIN)?;
                    require_factor(&request, &session)?;
                    require_code(&request, &session)?;
                    Actor::of_session(&session)
                }
            };
            Ok(Self(actor, PhantomData))
        }))
    }
}

/// Finds the API key of a request, within the key's limit of requests.
async fn key_of(request: &HttpRequest) -> Result<Option<ApiKey>, ApiError> {
    let address = request.uri().path_and_query();
    if address.is_some_and(|address| address.as_str().contains(KEY_START)) {
        return Err(ApiError::Malformed(
            "This address contains an API key, which proxies and histories keep. Revoke that key, and \
             send the new one in the header Authorization: Bearer."
                .to_owned(),
        ));
    }
    let secret = bearer(request).filter(|token| token.starts_with(KEY_START));
    let state = request.app_data::<web::Data<AppState>>();
    let (Some(secret), Some(state)) = (secret, state) else {
        return Ok(None);
    };
    let key = state
        .accounts_work(move |accounts| accounts.key_of_secret(&secret))
        .await?;
    state.rate_limits().key(&key.id)?;
    Ok(Some(key))
}

fn require_scope(key: &ApiKey, needed: Option<Scope>) -> Result<(), ApiError> {
    match needed {
        Some(scope) if key.scopes.contains(&scope) => Ok(()),
        Some(scope) => {
            tracing::warn!(key = key.id, "refused: a key without the scope");
            Err(ApiError::Forbidden(match scope {
                Scope::ProductsRead => "This API key lacks the scope products:read.",
                Scope::ProductsWrite => "This API key lacks the scope products:write.",
                Scope::Import => "This API key lacks the scope import.",
                Scope::ReportsRead => "This API key lacks the scope reports:read.",
            }))
        }
        None => Err(ApiError::Forbidden(
            "No API key may do this. Sign in to the office.",
        )),
    }
}

fn require_role(session: &Session, admin: bool) -> Result<(), ApiError> {
    let role = session.user.role;
    if role == Role::Admin || (!admin && role.is_staff()) {
        return Ok(());
    }
    tracing::warn!(user = session.user.id, "refused: the role is not enough");
    Err(ApiError::Forbidden(if admin {
        ADMINS_ONLY
    } else {
        "Only an administrator or an editor may do this."
    }))
}

const ADMINS_ONLY: &str = "Only an administrator may do this.";

/// The signed-in administrator, by an account only; all others get 401 or 403.
pub(crate) struct Admin(Session);

impl Admin {
    /// Account id, for the log.
    pub(crate) fn id(&self) -> &str {
        &self.0.user.id
    }

    /// Account name, for the activity log.
    pub(crate) fn name(&self) -> String {
        self.0.user.username.clone()
    }

    pub(crate) fn email(&self) -> String {
        self.0.user.email.as_str().to_owned()
    }

    /// The session and its account.
    pub(crate) fn session(&self) -> &Session {
        &self.0
    }

    /// Refuses a session without a code of the last ten minutes, of an account with a second factor.
    pub(crate) fn require_confirmed(&self) -> Result<(), ApiError> {
        Ok(Accounts::require_confirmed(&self.0)?)
    }
}

impl Described for Admin {
    fn describe(call: &mut Call) {
        call.access = Access::Admin;
    }
}

impl FromRequest for Admin {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let checked = request.clone();
        Box::pin(before_body(request, async move {
            let request = checked;
            if let Some(key) = key_of(&request).await? {
                require_scope(&key, None)?;
            }
            let session = find(&request).await?;
            require_role(&session, true)?;
            require_factor(&request, &session)?;
            require_code(&request, &session)?;
            Ok(Self(session))
        }))
    }
}

/// True if the shop requires a second factor of this account.
pub(super) fn requires_factor(state: &AppState, session: &Session) -> bool {
    state.options().require_totp && session.user.role == Role::Admin
}

/// Refuses an account that lacks a required second factor.
fn require_factor(request: &HttpRequest, session: &Session) -> Result<(), ApiError> {
    let state = request.app_data::<web::Data<AppState>>();
    let is_required = state.is_some_and(|state| requires_factor(state, session));
    if is_required && !session.user.has_factor {
        return Err(ApiError::Factor(FactorError::Missing));
    }
    Ok(())
}

/// True for the sessions of administrators and editors.
pub(crate) async fn is_staff(request: &HttpRequest) -> bool {
    let session = find(request).await;
    session.is_ok_and(|session| session.user.role.is_staff())
}

/// Returns true for the shop's own people, whose clicks and views are not counted: by network, by
/// the device's cookie, or by the session, which is last because it needs the database.
pub(crate) async fn is_own(state: &AppState, request: &HttpRequest, address: IpAddr) -> bool {
    let mut networks = state.options().own_networks.iter();
    if networks.any(|net| net.contains(&address)) || state.options().cookies.is_own(request) {
        return true;
    }
    is_staff(request).await
}

/// True for a client that may see products in every state.
pub(crate) async fn may_preview(request: &HttpRequest) -> bool {
    May::<ReadProducts>::extract(request).await.is_ok()
}
