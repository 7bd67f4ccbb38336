//! Webhooks by Standard Webhooks: their rules and secrets; `delivery` sends the events.

pub(super) mod delivery;
pub(super) mod signature;

use std::collections::HashSet;

use ipnet::IpNet;
use url::Url;

use super::{AccountError, Accounts, monotonic_clock};
use crate::domain::{FieldError, Webhook, WebhookEvent, WebhookRequest};
use crate::fetch::takes_messages;
use crate::store::{MAX_WEBHOOKS, Store, StoreError, WebhookChoice, new_id};
use signature::{new_secret, secret_text};

/// Purpose for which secrets are sealed.
const PURPOSE: &str = "webhook";
const MAX_URL: usize = 2_000;

/// Validates a request; `allowed` are the networks that may be reached by http.
fn check(request: &WebhookRequest, allowed: &[IpNet]) -> Result<WebhookChoice, AccountError> {
    let url = Url::parse(request.url.as_str().unwrap_or_default().trim()).ok();
    let url = url.filter(|url| url.as_str().len() <= MAX_URL && takes_messages(url, allowed));
    let events = request.events.iter().map(|name| WebhookEvent::parse(name));
    let events = events.map(|event| event.filter(|event| *event != WebhookEvent::Test));
    let events = events.collect::<Option<Vec<_>>>();
    let events = events.filter(|events| !events.is_empty());
    let mut errors = Vec::new();
    if url.is_none() {
        let message =
            "Enter an https address without a name or password, like https://example.com/hook.";
        errors.push(FieldError::new("url", message));
    }
    if events.is_none() {
        let message =
            "Choose events of product.added, product.changed, product.ended, backup.failed.";
        errors.push(FieldError::new("events", message));
    }
    let (Some(mut url), Some(mut events)) = (url, events) else {
        return Err(AccountError::Invalid(errors));
    };
    url.set_fragment(None);
    let mut named = HashSet::new();
    events.retain(|event| named.insert(event.as_str()));
    Ok(WebhookChoice {
        url: url.into(),
        events,
        is_on: request.on.unwrap_or(true),
    })
}

impl Accounts {
    /// Makes a webhook; returns it with its secret, which is shown only now.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] for an address that may not be requested or that another webhook has, for
    /// unknown events, or too many webhooks.
    pub fn add_webhook(
        &self,
        request: &WebhookRequest,
        allowed: &[IpNet],
        actor: String,
    ) -> Result<(Webhook, String), AccountError> {
        let choice = check(request, allowed)?;
        let (id, secret) = (new_id(), new_secret()?);
        let sealed = self.0.secrets.seal(PURPOSE, &id, &secret)?;
        let (store, now) = (&self.0.store, monotonic_clock::now());
        let added = store.save_webhook(id, choice, Some(sealed), actor, now);
        Ok((added.map_err(explained)?, secret_text(&secret)))
    }
}

/// Changes a webhook, or switches it on or off.
///
/// # Errors
///
/// As [`Accounts::add_webhook`]; [`AccountError::Unknown`] if there is none.
pub fn change_webhook(
    store: &Store,
    id: String,
    request: &WebhookRequest,
    allowed: &[IpNet],
    actor: String,
) -> Result<Webhook, AccountError> {
    let choice = check(request, allowed)?;
    let changed = store.save_webhook(id, choice, None, actor, monotonic_clock::now());
    changed.map_err(explained)
}

/// Removes a webhook with everything that waits for it.
///
/// # Errors
///
/// [`AccountError::Unknown`] if there is none.
pub fn remove_webhook(store: &Store, id: String, actor: String) -> Result<(), AccountError> {
    let removed = store.delete_webhook(id, actor, monotonic_clock::now());
    removed.map_err(explained)
}

/// Queues a test for a webhook.
///
/// # Errors
///
/// [`AccountError::Unknown`] if there is none.
pub fn test_webhook(store: &Store, id: String) -> Result<(), AccountError> {
    let message = format!("msg_{}", new_id());
    let queued = store.queue_webhook_test(id, message, monotonic_clock::now());
    queued.map_err(explained)
}

fn explained(error: StoreError) -> AccountError {
    let message = match &error {
        StoreError::NotFound => return AccountError::Unknown,
        StoreError::Conflict(what) if what == "url" => {
            "Another webhook has this address. Change that one, or choose another address."
                .to_owned()
        }
        StoreError::Conflict(_) => {
            format!("A shop has at most {MAX_WEBHOOKS} webhooks. Remove one first.")
        }
        _ => return error.into(),
    };
    AccountError::Invalid(vec![FieldError::new("url", message)])
}
