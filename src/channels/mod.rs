//! Channels to which deals are posted: what an administrator sets, how posts are written and sent.

mod discord;
mod hook;
mod rules;
mod sending;
mod telegram;

use std::sync::{Arc, Mutex};

use ipnet::IpNet;
use jiff::Timestamp;
use url::Url;

use crate::accounts::{AccountError, Secrets, new_secret, secret_text};
use crate::domain::{
    ChannelKind, ChannelRequest, DealWords, FieldError, ListNames, ListQuery, PostChannel,
    PostText, Product, State, Template, page_for,
};
use crate::fetch::{FetchError, Fetcher, takes_messages};
use crate::store::channels::{MAX_CHANNELS, StoredChannel};
use crate::store::{Store, StoreError, Version, new_id};
use crate::storefront::{Storefront, Storefronts, absolute, details_path, list_query};

/// Purpose for which tokens and secrets are sealed.
const PURPOSE: &str = "channel";

/// The channels of a shop.
pub(crate) struct Channels {
    store: Store,
    secrets: Secrets,
    storefronts: Arc<Storefronts>,
    /// The shop's address, for links.
    shop: Url,
    fetcher: Fetcher,
    /// Networks that may be reached by http.
    allowed: Vec<IpNet>,
    telegram: TelegramServer,
    seen: Mutex<Seen>,
}

/// Server of the Bot API.
pub(crate) struct TelegramServer {
    api: Option<Url>,
    fetcher: Fetcher,
}

impl TelegramServer {
    /// Uses Telegram's own server, or the one that the operator chose, which may be in a private network.
    pub(crate) fn new(chosen: Option<Url>) -> Self {
        let everywhere = ["0.0.0.0/0", "::/0"].into_iter();
        let everywhere = everywhere.filter(|_| chosen.is_some());
        Self {
            fetcher: Fetcher::allowing(everywhere.filter_map(|it| it.parse().ok()).collect()),
            api: chosen.or_else(|| Url::parse("https://api.telegram.org").ok()),
        }
    }
}

/// State that was looked at last.
#[derive(Default)]
struct Seen {
    /// Version of the database.
    version: Option<Version>,
    /// When every post was compared with its deal.
    compared_at: Option<Timestamp>,
}

/// A deal as a channel's post says it.
struct Written {
    post: PostText,
    words: DealWords,
    /// Address of the first picture, if the seller's rules allow copies.
    picture: Option<String>,
    is_over: bool,
}

/// Result of sending a message.
enum Delivery {
    /// It is in the channel.
    Sent {
        message: String,
        is_photo: bool,
        /// Problem, a sentence; or empty.
        note: String,
    },
    /// The other side asks to wait so many seconds.
    Wait { seconds: i64, error: String },
    /// It failed and may succeed later.
    Failed {
        error: String,
        has_answer: bool,
        may_have_arrived: bool,
    },
    /// This message is refused for good.
    Refused { error: String },
    /// Nothing can be sent to this channel any more.
    Off { reason: String },
    /// The chat has another number now.
    Moved { chat: i64 },
}

impl Delivery {
    fn sent(message: impl Into<String>, is_photo: bool) -> Self {
        Self::Sent {
            message: message.into(),
            is_photo,
            note: String::new(),
        }
    }

    /// Describes a chat that has another number now.
    fn moved(chat: i64) -> String {
        format!("The group has become a supergroup: its number {chat} is used from now on.")
    }

    /// Describes a request without an answer.
    fn unanswered(error: &FetchError) -> Self {
        Self::Failed {
            error: format!("{error}."),
            has_answer: false,
            may_have_arrived: error.may_have_arrived(),
        }
    }
}

impl Channels {
    /// Combines what channels work with; `allowed` are the networks that may be reached by http.
    pub(crate) fn new(
        store: Store,
        secrets: Secrets,
        storefronts: Arc<Storefronts>,
        shop: Url,
        allowed: Vec<IpNet>,
        telegram: TelegramServer,
    ) -> Self {
        Self {
            store,
            secrets,
            storefronts,
            shop,
            fetcher: Fetcher::allowing(allowed.clone()),
            allowed,
            telegram,
            seen: Mutex::default(),
        }
    }

    /// Adds a channel, or changes the one of this id. Returns it with the secret of a new webhook, which is
    /// shown only now.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] for values that can't be used, [`AccountError::Unknown`] if there is none.
    pub(crate) fn save(
        &self,
        id: Option<String>,
        request: ChannelRequest,
        actor: String,
    ) -> Result<(PostChannel, Option<String>), AccountError> {
        let current = id.as_ref().map(|id| self.store.find_channel(id));
        let current = current.transpose().map_err(explained)?;
        let current = current.map(|found| found.channel);
        let front = self.storefronts.current(&self.store)?;
        let choice = request
            .read(
                current.as_ref(),
                |url| takes_messages(url, &self.allowed),
                |query| check_query(query, front.names()),
            )
            .map_err(AccountError::Invalid)?;
        let id = id.unwrap_or_else(new_id);
        let (sealed, shown) = match (choice.kind, &choice.token) {
            (ChannelKind::Webhook, _) if current.is_none() => {
                let secret = new_secret()?;
                let sealed = self.secrets.seal(PURPOSE, &id, &secret)?;
                (Some(sealed), Some(secret_text(&secret)))
            }
            (_, Some(token)) => {
                let sealed = self.secrets.seal(PURPOSE, &id, token.as_bytes())?;
                (Some(sealed), None)
            }
            (_, None) => (None, None),
        };
        let now = Timestamp::now();
        let saved = self.store.save_channel(id, choice, sealed, actor, now);
        Ok((saved.map_err(explained)?, shown))
    }

    /// Sends a test to a channel, also to one that is off, and says what happened; the inner error is a sentence.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is no such channel.
    pub(crate) fn test(&self, id: &str) -> Result<Result<String, String>, AccountError> {
        let channel = self.store.find_channel(id).map_err(explained)?;
        let front = self.storefronts.current(&self.store)?;
        let text = format!("This is a test of {}.", front.name());
        let (delivery, done) = match channel.channel.kind {
            ChannelKind::Telegram => (
                self.telegram(&channel).map(|it| it.send_text(&text)),
                "The test is in the chat.",
            ),
            ChannelKind::Discord => (
                self.discord(&channel).map(|it| it.send_text(&text)),
                "The test is in the channel.",
            ),
            ChannelKind::Webhook => (
                self.hook(&channel).map(|it| it.send_test(&text)),
                "The address took the test.",
            ),
            ChannelKind::Nowhere => {
                let (post, _) =
                    self.preview(ChannelKind::Nowhere, &channel.channel.template, None)?;
                let words =
                    "A test channel sends nothing. It would post your newest deal like this:";
                return Ok(Ok(format!("{words}\n\n{}", post.text)));
            }
        };
        let error = match delivery {
            Ok(Delivery::Sent { .. }) => return Ok(Ok(done.to_owned())),
            Ok(Delivery::Moved { chat }) => {
                self.store.move_channel(id.to_owned(), chat)?;
                Delivery::moved(chat)
            }
            Ok(
                Delivery::Wait { error, .. }
                | Delivery::Failed { error, .. }
                | Delivery::Refused { error }
                | Delivery::Off { reason: error },
            )
            | Err(error) => error,
        };
        let noted = error.clone();
        self.store
            .note_channel_error(id.to_owned(), noted, Timestamp::now())?;
        Ok(Err(error))
    }

    /// Writes the post of a product, or of the newest deal without one, as a template would have it.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] for a template that can't be used, [`AccountError::Unknown`] if there is no
    /// such product.
    pub(crate) fn preview(
        &self,
        kind: ChannelKind,
        template: &str,
        product: Option<&str>,
    ) -> Result<(PostText, Template), AccountError> {
        let parsed = Template::parse(template)
            .map_err(|message| AccountError::Invalid(vec![FieldError::new("template", message)]))?;
        let mut product = match product {
            Some(id) => Some(self.store.find_product(id).map_err(explained)?),
            None => {
                let newest = ListQuery {
                    limit: 1,
                    ..ListQuery::default()
                };
                self.store.list_products(&newest)?.page.items.pop()
            }
        };
        let front = self.storefronts.current(&self.store)?;
        front.apply_rules(&mut product);
        let id = product
            .as_ref()
            .map_or("a-deal", |product| product.id.as_str());
        // A draft is shown as it will be posted.
        let is_over = |product: &Product| product.state == State::Ended;
        let is_over = product.as_ref().is_some_and(is_over);
        let about = (id, "A deal");
        let channel = (kind, "preview");
        let written = self.write(&front, channel, &parsed, product.as_ref(), about, is_over);
        Ok((written.post, parsed))
    }

    /// Writes the post of a product, or of one that is gone, by its id and title.
    fn write(
        &self,
        front: &Storefront,
        (kind, name): (ChannelKind, &str),
        template: &Template,
        product: Option<&Product>,
        (id, title): (&str, &str),
        is_over: bool,
    ) -> Written {
        let page = absolute(&self.shop, &details_path(id));
        let page = page_for(&page, kind, name);
        let words = match product {
            Some(product) => DealWords::of(product, &page, Timestamp::now()),
            None => DealWords {
                title: title.to_owned(),
                link: page.into(),
                ..DealWords::default()
            },
        };
        let post = template.write(&words, kind.markup(), kind.longest_post(), is_over);
        // Services store the pictures that they show.
        let rules = |source| front.settings.shop.sources.get(source);
        let may_copy = |source| rules(source).is_none_or(|rules| rules.copy_images);
        let shown = product.filter(|product| may_copy(&product.details.source));
        let mut pictures = shown.into_iter().flat_map(|it| &it.details.images);
        Written {
            post,
            words,
            picture: pictures.find(|it| it.starts_with("http")).cloned(),
            is_over,
        }
    }

    /// Returns the token, address or secret of a channel; the error is a sentence.
    fn secret_of(&self, channel: &StoredChannel) -> Result<Vec<u8>, String> {
        let id = &channel.channel.id;
        let sealed = channel.sealed.as_deref();
        let opened = sealed.and_then(|sealed| self.secrets.open(PURPOSE, id, sealed));
        opened
            .ok_or_else(|| "The token can't be read with the shop's key: enter it anew.".to_owned())
    }

    /// Like [`Channels::secret_of`], as text.
    fn token_of(&self, channel: &StoredChannel) -> Result<String, String> {
        let token = String::from_utf8(self.secret_of(channel)?);
        token.map_err(|_| "The token is not a text: enter it again.".to_owned())
    }
}

/// Returns the error in the query of a rule.
fn check_query(query: &str, names: ListNames<'_>) -> Result<(), String> {
    let parsed = list_query::parse(query, names).map_err(|errors| {
        let mut errors = errors.into_iter();
        errors.next().map(|error| error.message).unwrap_or_default()
    })?;
    if parsed.filters.is_for_office() {
        return Err("A rule has only filters that visitors have.".to_owned());
    }
    Ok(())
}

fn explained(error: StoreError) -> AccountError {
    let (field, message) = match &error {
        StoreError::NotFound => return AccountError::Unknown,
        StoreError::Conflict(what) if what == "name" => (
            "name",
            "Another channel has this name. Choose another one.".to_owned(),
        ),
        StoreError::Conflict(what) if what == "channels" => (
            "name",
            format!("A shop has at most {MAX_CHANNELS} channels. Remove one first."),
        ),
        _ => return error.into(),
    };
    AccountError::Invalid(vec![FieldError::new(field, message)])
}
