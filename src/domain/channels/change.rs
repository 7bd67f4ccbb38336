//! Rules for channels that administrators add and change.

use serde::Deserialize;
use url::Url;
use utoipa::ToSchema;

use super::{ChannelKind, ChannelRule, PostChannel, Template};
use crate::domain::{FieldError, in_line, is_invisible, without_reordering};

/// A channel to add, or the values of one to change; others stay.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[schema(as = SaveChannelRequest)]
#[serde(default, rename_all = "camelCase")]
pub struct ChannelRequest {
    /// Kind, of a channel to add
    #[schema(value_type = Option<ChannelKind>)]
    pub kind: Option<String>,
    /// Not that of another channel
    #[schema(min_length = 1, max_length = 60)]
    pub name: Option<String>,
    /// Telegram: the chat, like @deals or -1001234567890. Webhook: an https address
    #[schema(max_length = 2_000)]
    pub chat: Option<String>,
    /// Telegram: the token of the bot. Discord: the address of the webhook. Left out, it stays
    #[schema(max_length = 2_000)]
    pub token: Option<String>,
    /// Lines with placeholders like {title}; empty for the usual template
    #[schema(max_length = 2_000)]
    pub template: Option<String>,
    /// Replaces the former rule; missing fields have their defaults
    pub rule: Option<ChannelRule>,
    /// Whether posts are sent
    pub on: Option<bool>,
}

/// Validated values of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "as in PostChannel")]
pub struct ChannelChoice {
    pub kind: ChannelKind,
    pub name: String,
    pub chat: String,
    pub template: String,
    pub rule: ChannelRule,
    pub is_on: bool,
    /// New token or address, if one was sent.
    pub token: Option<String>,
}

const LONGEST_NAME: usize = 60;
const LONGEST_TOKEN: usize = 2_000;

impl ChannelRequest {
    /// Validates a channel to add, or the changes of `current`. `may_send` is true for an address that takes
    /// messages; `check_query` returns the error in the query of a rule.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid value.
    pub fn read(
        self,
        current: Option<&PostChannel>,
        may_send: impl Fn(&Url) -> bool,
        check_query: impl Fn(&str) -> Result<(), String>,
    ) -> Result<ChannelChoice, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut refuse = |field: &str, message: String| {
            errors.push(FieldError::new(field, message));
        };
        let sent = self.kind.as_deref().and_then(ChannelKind::parse);
        let kind = current.map(|it| it.kind).or(sent);
        let Some(kind) = kind.filter(|kind| self.kind.is_none() || sent == Some(*kind)) else {
            let kinds = ChannelKind::ALL.map(ChannelKind::as_str).join(", ");
            let message = match current {
                Some(_) => "The kind of a channel stays: add another channel.".to_owned(),
                None => format!("kind must be one of {kinds}."),
            };
            refuse("kind", message);
            return Err(errors);
        };
        let known = |sent: Option<String>, of: fn(&PostChannel) -> &String| {
            sent.unwrap_or_else(|| current.map(of).cloned().unwrap_or_default())
        };
        let name = in_line(&known(self.name, |it| &it.name)).trim().to_owned();
        if !(1..=LONGEST_NAME).contains(&name.chars().count()) {
            refuse("name", "name must have 1 to 60 characters.".to_owned());
        }
        let is_address = &|text: &str| {
            let url = Url::parse(text).ok();
            text.len() <= LONGEST_TOKEN && url.is_some_and(|url| may_send(&url))
        };
        let mut chat = known(self.chat, |it| &it.chat).trim().to_owned();
        if kind == ChannelKind::Telegram {
            chat = chat_of(&chat).unwrap_or(chat);
        }
        if let Some(message) = chat_problem(kind, &chat, is_address) {
            refuse("chat", message);
        }
        let token = self.token.map(|token| match kind {
            ChannelKind::Telegram => bare_token(&token),
            _ => token.trim().to_owned(),
        });
        let has_token = current.is_some_and(|it| it.secret_set_at.is_some());
        if let Some(message) = token_problem(kind, token.as_deref(), has_token, is_address) {
            refuse("token", message);
        }
        let template = without_reordering(&known(self.template, |it| &it.template));
        if let Err(message) = Template::parse(&template) {
            refuse("template", message);
        }
        let rule = self.rule.or_else(|| current.map(|it| it.rule.clone()));
        let mut rule = rule.unwrap_or_default();
        let query = rule.query.trim().trim_start_matches(['/', '?']);
        rule.query = query.to_owned();
        if let Some(message) = problem(&rule, check_query) {
            refuse("rule", message);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(ChannelChoice {
            kind,
            name,
            chat,
            template: template.trim_end().to_owned(),
            rule,
            is_on: self.on.unwrap_or(current.is_none_or(|it| it.is_on)),
            token,
        })
    }
}

/// Returns the error in the place of a channel.
fn chat_problem(
    kind: ChannelKind,
    chat: &str,
    is_address: impl Fn(&str) -> bool,
) -> Option<String> {
    match kind {
        ChannelKind::Telegram if is_chat(chat) => None,
        ChannelKind::Telegram if chat.contains("/+") || chat.contains("/joinchat/") => Some(
            "An invitation does not say which chat it is. Copy the link of a message in the chat \
             (t.me/c/…), and enter that."
                .to_owned(),
        ),
        ChannelKind::Telegram => Some(
            "Enter the chat as @name, its number like -1001234567890, or the link of one of its messages."
                .to_owned(),
        ),
        ChannelKind::Webhook if !is_address(chat) => Some(
            "Enter an https address without a name or password, like https://example.com/hook."
                .to_owned(),
        ),
        ChannelKind::Discord | ChannelKind::Nowhere if !chat.is_empty() => {
            Some(format!("A {} channel has no chat.", kind.as_str()))
        }
        _ => None,
    }
}

/// Returns the error in a token; without one, the stored token stays.
fn token_problem(
    kind: ChannelKind,
    token: Option<&str>,
    has_token: bool,
    is_address: impl Fn(&str) -> bool,
) -> Option<String> {
    match (kind, token) {
        (_, None) if has_token => None,
        (ChannelKind::Telegram, token) if !token.is_some_and(is_bot_token) => {
            Some("Enter the bot's token as @BotFather shows it, like 123456:ABC….".to_owned())
        }
        (ChannelKind::Discord, token) if !token.is_some_and(is_address) => {
            Some("Enter the webhook's address as Discord shows it, with https.".to_owned())
        }
        (ChannelKind::Webhook | ChannelKind::Nowhere, Some(_)) => {
            Some(format!("A {} channel takes no token.", kind.as_str()))
        }
        _ => None,
    }
}

/// Returns the name or number of the chat that a link of Telegram leads to.
fn chat_of(text: &str) -> Option<String> {
    let url = Url::parse(text).or_else(|_| Url::parse(&format!("https://{text}")));
    let url = url.ok()?;
    if !matches!(url.host_str(), Some("t.me" | "telegram.me" | "www.t.me")) {
        return None;
    }
    let mut parts = url.path_segments()?;
    match (parts.next()?, parts.next()) {
        ("c", Some(number)) => Some(format!("-100{number}")),
        ("s", Some(name)) => Some(format!("@{name}")),
        (name, _) => Some(format!("@{name}")).filter(|name| is_chat(name) && name != "@joinchat"),
    }
}

/// Returns a token without blanks, line breaks and the `bot` of addresses, which are often copied with it.
fn bare_token(text: &str) -> String {
    let is_blank = |c: &char| c.is_whitespace() || is_invisible(*c);
    let token: String = text.chars().filter(|c| !is_blank(c)).collect();
    token.strip_prefix("bot").unwrap_or(&token).to_owned()
}

/// True for a public name of a chat, or the number of one.
fn is_chat(text: &str) -> bool {
    let is_name = |name: &str| {
        let mut bytes = name.bytes();
        (1..=64).contains(&name.len()) && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    text.strip_prefix('@').is_some_and(is_name)
        || !text.starts_with('+') && text.parse::<i64>().is_ok()
}

/// True for a token of digits, a colon and letters, which is safe in an address.
fn is_bot_token(text: &str) -> bool {
    let is_secret = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    };
    text.len() <= LONGEST_TOKEN
        && text.split_once(':').is_some_and(|(bot, secret)| {
            bot.parse::<u64>().is_ok() && !secret.is_empty() && is_secret(secret)
        })
}

/// Returns the error in a rule.
fn problem(rule: &ChannelRule, check_query: impl Fn(&str) -> Result<(), String>) -> Option<String> {
    let is_hour = |hour: Option<u32>| hour.is_none_or(|hour| hour < 24);
    if !(1..=60).contains(&rule.per_hour) {
        return Some("perHour must be a whole number from 1 to 60.".to_owned());
    }
    if !(1..=90).contains(&rule.again_after_days) {
        return Some("againAfterDays must be a whole number from 1 to 90.".to_owned());
    }
    if !is_hour(rule.quiet_from) || !is_hour(rule.quiet_to) {
        return Some("quietFrom and quietTo must be hours from 0 to 23, or null.".to_owned());
    }
    if rule.quiet_from.is_some() != rule.quiet_to.is_some()
        || rule.quiet_from.is_some() && rule.quiet_from == rule.quiet_to
    {
        return Some(
            "Give two different hours for quietFrom and quietTo, or null for both.".to_owned(),
        );
    }
    if rule.query.chars().count() > 1_000 {
        return Some("The query of a rule has at most 1,000 characters.".to_owned());
    }
    check_query(&rule.query).err()
}
