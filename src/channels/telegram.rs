//! Messages to a chat of Telegram by the Bot API.

use serde_json::{Value, json};
use url::Url;

use super::{Channels, Delivery, TelegramServer, Written};
use crate::fetch::Method;
use crate::store::channels::StoredChannel;

/// Words of answers that say that the bot can send nothing to the chat.
const CHAT_IS_CLOSED: [&str; 12] = [
    "chat not found",
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "chat_write_forbidden",
    "upgraded to a supergroup",
    "group chat was deactivated",
    "user is deactivated",
    "chat_restricted",
    "chat_admin_required",
    "channel_private",
    "peer_id_invalid",
];
/// Words of answers about a message that is not there any more.
const MESSAGE_IS_GONE: [&str; 2] = ["message to edit not found", "message_id_invalid"];

/// A bot and its chat.
pub(super) struct Telegram<'a> {
    server: &'a TelegramServer,
    token: String,
    chat: &'a str,
}

impl Channels {
    pub(super) fn telegram<'a>(
        &'a self,
        channel: &'a StoredChannel,
    ) -> Result<Telegram<'a>, String> {
        Ok(Telegram {
            server: &self.telegram,
            token: self.token_of(channel)?,
            chat: &channel.channel.chat,
        })
    }
}

impl Telegram<'_> {
    /// Sends a text without markup.
    pub(super) fn send_text(&self, text: &str) -> Delivery {
        let body = json!({ "chat_id": self.chat, "text": text });
        self.call("sendMessage", &body, false)
    }

    /// Sends a post: its picture with the text as caption, or the text with a preview of the page if there is
    /// no picture that Telegram takes.
    pub(super) fn send(&self, written: &Written) -> Delivery {
        if let Some(picture) = &written.picture {
            let mut body = self.body("caption", written);
            body["photo"] = picture.as_str().into();
            let sent = self.call("sendPhoto", &body, true);
            if !matches!(sent, Delivery::Refused { .. }) {
                return sent;
            }
        }
        self.call("sendMessage", &self.body("text", written), false)
    }

    /// Brings a message up to date.
    pub(super) fn edit(&self, message: &str, is_photo: bool, written: &Written) -> Delivery {
        let (method, field) = match is_photo {
            true => ("editMessageCaption", "caption"),
            false => ("editMessageText", "text"),
        };
        let mut body = self.body(field, written);
        body["message_id"] = message.parse::<i64>().unwrap_or_default().into();
        let note = match self.call(method, &body, is_photo) {
            Delivery::Refused { error } if has_any(&error, &["message is not modified"]) => {
                String::new()
            }
            Delivery::Refused { error } if has_any(&error, &MESSAGE_IS_GONE) => {
                "The message can't be changed any more: somebody deleted it, perhaps.".to_owned()
            }
            Delivery::Refused { error } if has_any(&error, &["message can't be edited"]) => {
                "Telegram lets nobody change this message any more: delete it there, if need be."
                    .to_owned()
            }
            Delivery::Sent { .. } => String::new(),
            other => return other,
        };
        Delivery::Sent {
            message: message.to_owned(),
            is_photo,
            note,
        }
    }

    fn body(&self, field: &str, written: &Written) -> Value {
        let link = &written.words.link;
        let mut body = json!({
            "chat_id": self.chat,
            "parse_mode": "HTML",
            "reply_markup": { "inline_keyboard": [[{ "text": "See the deal", "url": link }]] },
        });
        body[field] = written.post.text.as_str().into();
        if field == "text" {
            body["link_preview_options"] = json!({ "url": link, "prefer_large_media": true });
        }
        body
    }

    fn call(&self, method: &str, body: &Value, is_photo: bool) -> Delivery {
        let Some(url) = self.address(method) else {
            let reason = "The address of the Bot API can't be used.".to_owned();
            return Delivery::Refused { error: reason };
        };
        let body = body.to_string();
        let answer = self
            .server
            .fetcher
            .exchange(&Method::POST, &url, &[], &body);
        let (answer, text) = match answer {
            Ok(answer) => answer,
            Err(error) => return Delivery::unanswered(&error),
        };
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let message = &value["result"]["message_id"];
        match answer.status {
            200..300 if message.is_i64() => Delivery::sent(message.to_string(), is_photo),
            200..300 => Delivery::Failed {
                error: "Telegram's answer could not be read.".to_owned(),
                has_answer: true,
                may_have_arrived: true,
            },
            status => {
                let header = answer.retry_after.and_then(|it| it.trim().parse().ok());
                let wait = value["parameters"]["retry_after"].as_i64().or(header);
                let said = value["description"].as_str().unwrap_or_default();
                if let Some(chat) = value["parameters"]["migrate_to_chat_id"].as_i64() {
                    return Delivery::Moved { chat };
                }
                // A server that repeats the address must not bring the token into the database.
                refused(status, &said.replace(&self.token, "…"), wait)
            }
        }
    }

    /// Returns the address of a method.
    fn address(&self, method: &str) -> Option<Url> {
        let mut url = self.server.api.clone()?;
        let mut segments = url.path_segments_mut().ok()?;
        let bot = format!("bot{}", self.token);
        segments.pop_if_empty().push(&bot).push(method);
        drop(segments);
        Some(url)
    }
}

fn has_any(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| text.contains(word))
}

/// Describes a refusal of Telegram.
fn refused(status: u16, said: &str, wait: Option<i64>) -> Delivery {
    let said = said.trim_end_matches('.');
    match status {
        429 => Delivery::Wait {
            seconds: wait.unwrap_or(30),
            error: "Telegram asks to send more slowly (429).".to_owned(),
        },
        401 | 404 => Delivery::Off {
            reason: "Telegram does not know the bot's token: enter the one that @BotFather shows."
                .to_owned(),
        },
        403 => Delivery::Off {
            reason: format!(
                "Telegram refuses the bot: {said}. Add it to the chat as an administrator."
            ),
        },
        // Where it may send no photos, a text may arrive.
        400..500 if has_any(said, &CHAT_IS_CLOSED) && !has_any(said, &["photo"]) => Delivery::Off {
            reason: format!(
                "Telegram refuses the chat: {said}. Check the chat, and that the bot may post there."
            ),
        },
        400..500 => Delivery::Refused {
            error: format!("Telegram refused it ({status}): {said}."),
        },
        _ => Delivery::Failed {
            error: format!("Telegram answered with status {status}."),
            has_answer: true,
            may_have_arrived: false,
        },
    }
}
