//! Posts to an address of a program, signed by Standard Webhooks.

use jiff::Timestamp;
use serde_json::{Value, json};
use url::Url;

use super::{Channels, Delivery, Written};
use crate::accounts::signature;
use crate::domain::rfc3339;
use crate::fetch::{Fetcher, takes_messages};
use crate::store::channels::StoredChannel;
use crate::store::new_id;

/// An address and the secret of its signatures.
pub(super) struct Hook<'a> {
    fetcher: &'a Fetcher,
    address: Url,
    secret: Vec<u8>,
}

impl Channels {
    pub(super) fn hook(&self, channel: &StoredChannel) -> Result<Hook<'_>, String> {
        let address = Url::parse(&channel.channel.chat).ok();
        let address = address.filter(|url| takes_messages(url, &self.allowed));
        Ok(Hook {
            fetcher: &self.fetcher,
            address: address
                .ok_or("The address may not be requested: change it to one with https.")?,
            secret: self.secret_of(channel)?,
        })
    }
}

impl Hook<'_> {
    /// Sends a test.
    pub(super) fn send_test(&self, text: &str) -> Delivery {
        self.send_event(&new_id(), "channel.test", &json!({ "text": text }))
    }

    /// Sends what a post says; `id` is the same for each attempt.
    pub(super) fn send(
        &self,
        id: &str,
        product: &str,
        is_new: bool,
        written: &Written,
    ) -> Delivery {
        let kind = match (is_new, written.is_over) {
            (true, _) => "deal.posted",
            (false, false) => "deal.changed",
            (false, true) => "deal.ended",
        };
        let words = &written.words;
        let data = json!({
            "id": product,
            "title": words.title,
            "text": written.post.text,
            "link": words.link,
            "picture": written.picture,
        });
        self.send_event(id, kind, &data)
    }

    fn send_event(&self, id: &str, kind: &str, data: &Value) -> Delivery {
        let now = Timestamp::now();
        let body = json!({ "type": kind, "timestamp": rfc3339(now), "data": data }).to_string();
        let (message, seconds) = (format!("msg_{id}"), now.as_second());
        let signed = signature(&self.secret, &message, seconds, &body);
        let headers = [
            ("webhook-id", message.clone()),
            ("webhook-timestamp", seconds.to_string()),
            ("webhook-signature", signed),
        ];
        let answer = match self.fetcher.post(&self.address, &headers, &body) {
            Ok(answer) => answer,
            Err(error) => return Delivery::unanswered(&error),
        };
        let wait = answer.retry_after.and_then(|it| it.trim().parse().ok());
        let error = format!("It answered with status {}.", answer.status);
        match (answer.status, wait) {
            (200..300, _) => Delivery::sent(message, false),
            (410, _) => Delivery::Off {
                reason: "It answered that it is gone (410).".to_owned(),
            },
            (429, Some(seconds)) => Delivery::Wait { seconds, error },
            _ => Delivery::Failed {
                error,
                has_answer: true,
                may_have_arrived: false,
            },
        }
    }
}
