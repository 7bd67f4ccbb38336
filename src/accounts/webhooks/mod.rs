//! Webhooks by Standard Webhooks: their rules and secrets; `delivery` sends the events.

pub(super) mod delivery;
mod signature;

use ipnet::IpNet;
use url::Url;

use super::{AccountError, Accounts, monotonic_clock};
use crate::domain::{FieldError, Webhook, WebhookEvent, WebhookRequest};
use crate::fetch::takes_messages;
use crate::store::{MAX_WEBHOOKS, StoreError, WebhookChoice, new_id};
use signature::{as_text, new_secret};

/// Purpose for which secrets are sealed.
const PURPOSE: &str = "webhook";
const MAX_URL: usize = 2_000;

/// Validates a request; `allowed` are the networks that may be reached by http.
fn check(request: &WebhookRequest, allowed: &[IpNet]) -> Result<WebhookChoice, AccountError> {
    let url = Url::parse(request.url.as_str().unwrap_or_default().trim()).ok();
    let url = url.filter(|url| url.as_str().len() <= MAX_URL && takes_messages(url, allowed));
    let (mut events, mut are_known) = (Vec::new(), !request.events.is_empty());
    for name in &request.events {
        match WebhookEvent::parse(name) {
            None | Some(WebhookEvent::Test) => are_known = false,
            Some(event) if events.contains(&event) => {}
            Some(event) => events.push(event),
        }
    }
    let mut errors = Vec::new();
    if url.is_none() {
        let message =
            "Enter an https address without a name or password, like https://example.com/hook.";
        errors.push(FieldError::new("url", message));
    }
    if !are_known {
        let message =
            "Choose events of product.added, product.changed, product.ended, backup.failed.";
        errors.push(FieldError::new("events", message));
    }
    match url {
        Some(mut url) if errors.is_empty() => {
            url.set_fragment(None);
            Ok(WebhookChoice {
                url: url.into(),
                events,
                is_on: request.on.unwrap_or(true),
            })
        }
        _ => Err(AccountError::Invalid(errors)),
    }
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
        Ok((added.map_err(explained)?, as_text(&secret)))
    }

    /// Changes a webhook, or switches it on or off.
    ///
    /// # Errors
    ///
    /// As [`Accounts::add_webhook`]; [`AccountError::Unknown`] if there is none.
    pub fn change_webhook(
        &self,
        id: String,
        request: &WebhookRequest,
        allowed: &[IpNet],
        actor: String,
    ) -> Result<Webhook, AccountError> {
        let choice = check(request, allowed)?;
        let (store, now) = (&self.0.store, monotonic_clock::now());
        let changed = store.save_webhook(id, choice, None, actor, now);
        changed.map_err(explained)
    }

    /// Removes a webhook with everything that waits for it.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is none.
    pub fn remove_webhook(&self, id: String, actor: String) -> Result<(), AccountError> {
        let (store, now) = (&self.0.store, monotonic_clock::now());
        store.delete_webhook(id, actor, now).map_err(explained)
    }

    /// Queues a test for a webhook.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is none.
    pub fn test_webhook(&self, id: String) -> Result<(), AccountError> {
        let (store, now) = (&self.0.store, monotonic_clock::now());
        let message = format!("msg_{}", new_id());
        store
            .queue_webhook_test(id, message, now)
            .map_err(explained)
    }
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
