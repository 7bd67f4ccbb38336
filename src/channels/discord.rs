//! Messages to a channel of Discord by its webhook.

use serde_json::{Value, json};
use url::Url;

use super::{Channels, Delivery, Written};
use crate::fetch::{Fetcher, Method, takes_messages};
use crate::store::channels::StoredChannel;

/// Code of Discord's answer about a message that is not there.
const UNKNOWN_MESSAGE: i64 = 10_008;

/// A webhook of Discord.
pub(super) struct Discord<'a> {
    fetcher: &'a Fetcher,
    address: Url,
}

impl Channels {
    pub(super) fn discord(&self, channel: &StoredChannel) -> Result<Discord<'_>, String> {
        let address = Url::parse(&self.token_of(channel)?).ok();
        let address = address.filter(|url| takes_messages(url, &self.allowed));
        Ok(Discord {
            fetcher: &self.fetcher,
            address: address.ok_or("The webhook's address may not be requested: enter it anew.")?,
        })
    }
}

impl Discord<'_> {
    /// Sends a text.
    pub(super) fn send_text(&self, text: &str) -> Delivery {
        self.post(&json!({ "content": text, "allowed_mentions": { "parse": [] } }))
    }

    /// Sends a post as one embed.
    pub(super) fn send(&self, written: &Written) -> Delivery {
        self.post(&body(written))
    }

    fn post(&self, body: &Value) -> Delivery {
        let mut url = self.address.clone();
        // Without it there is no answer that names the message.
        url.query_pairs_mut().append_pair("wait", "true");
        self.call(&Method::POST, &url, body)
    }

    /// Brings a message up to date.
    pub(super) fn edit(&self, message: &str, written: &Written) -> Delivery {
        let mut url = self.address.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("messages").push(message);
        }
        self.call(&Method::PATCH, &url, &body(written))
    }

    fn call(&self, method: &Method, url: &Url, body: &Value) -> Delivery {
        let answer = self.fetcher.exchange(method, url, &[], &body.to_string());
        let (answer, text) = match answer {
            Ok(answer) => answer,
            Err(error) => return Delivery::unanswered(&error),
        };
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let said = value["message"].as_str().unwrap_or_default();
        match answer.status {
            200..300 => match value["id"].as_str() {
                Some(id) => Delivery::sent(id, false),
                None => Delivery::Failed {
                    error: "Discord's answer could not be read.".to_owned(),
                    has_answer: true,
                    may_have_arrived: true,
                },
            },
            404 if *method == Method::PATCH && value["code"] == UNKNOWN_MESSAGE => {
                let message = url.path_segments().and_then(|mut it| it.next_back());
                Delivery::Sent {
                    message: message.unwrap_or_default().to_owned(),
                    is_photo: false,
                    note: "The message can't be changed any more: somebody deleted it.".to_owned(),
                }
            }
            401 | 403 | 404 => Delivery::Off {
                reason: "Discord does not know this webhook: make one there anew, and enter its address."
                    .to_owned(),
            },
            429 => {
                let header = answer.retry_after.and_then(|it| it.trim().parse().ok());
                let seconds = value["retry_after"].as_f64().or(header).unwrap_or(30.0);
                Delivery::Wait {
                    #[expect(clippy::cast_possible_truncation, reason = "it is bounded")]
                    seconds: seconds.clamp(0.0, 1e6).ceil() as i64,
                    error: "Discord asks to send more slowly (429).".to_owned(),
                }
            }
            status @ 400..500 => Delivery::Refused {
                error: format!("Discord refused it ({status}): {}.", said.trim_end_matches('.')),
            },
            status => Delivery::Failed {
                error: format!("Discord answered with status {status}."),
                has_answer: true,
                may_have_arrived: false,
            },
        }
    }
}

fn body(written: &Written) -> Value {
    let mut embed = json!({ "description": written.post.text });
    if let Some(picture) = &written.picture {
        embed["image"] = json!({ "url": picture });
    }
    json!({ "embeds": [embed], "allowed_mentions": { "parse": [] } })
}
