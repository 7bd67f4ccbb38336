//! Sends posts and brings them up to date. A job is about one post: it does what is to be done now, however often
//! it runs.

use jiff::{SignedDuration, Timestamp};

use super::{Channels, Delivery, Written};
use crate::domain::{ChannelKind, PostState, Product, State, Template, shown_facts};
use crate::store::StoreError;
use crate::store::channels::posts::{
    PostSent, StoredPost, keep_turn, queue, record_failure, record_sent,
};
use crate::store::channels::{StoredChannel, move_chat, note_error, switch_off};
use crate::store::outgoing::{Job, Outcome, Sent};
use crate::storefront::Storefront;

/// Seconds until a message that failed is tried again, by its failures: 8 attempts in about four hours.
const BACK_OFF: [i64; 7] = [5, 30, 120, 600, 1_800, 3_600, 7_200];
/// Longest wait that the other side may ask for, in seconds.
const LONGEST_WAIT: i64 = 6 * 3_600;
/// How long a post by a rule is worth sending.
const FRESH: SignedDuration = SignedDuration::from_hours(24);

impl Channels {
    /// Does a job about a post.
    ///
    /// # Errors
    ///
    /// Fails when the database refuses; failures of the service are in the result.
    pub(crate) fn send(&self, job: &Job, now: Timestamp) -> Result<Sent, StoreError> {
        let key: i64 = job.subject.parse().unwrap_or_default();
        let Some((post, channel)) = self.store.find_post(key)? else {
            return Ok(Outcome::Done.into());
        };
        let product = self.shown_product(&post.post.id)?;
        let facts = shown_facts(product.as_ref());
        let is_new = post.message.is_empty();
        if !channel.channel.is_on || !is_new && post.shown == facts {
            return Ok(Outcome::Done.into());
        }
        if is_new {
            if let Some(sent) = self.not_now(&post, &channel, &facts, now)? {
                return Ok(sent);
            }
            self.store.begin_post(key)?;
        }
        let front = self.storefronts.current(&self.store)?;
        let delivery = self.deliver(&front, job, &post, &channel, product.as_ref());
        let (text, delivery) = match delivery {
            Ok((written, delivery)) => (written.post.text, delivery),
            Err(reason) => (String::new(), Delivery::Off { reason }),
        };
        // An attempt before this one was cut off by a crash, or had no answer.
        let is_doubtful = is_new
            && (post.post.state == PostState::Sending || post.may_be_there)
            // A program knows a message by its id.
            && channel.channel.kind != ChannelKind::Webhook;
        Ok(settled(
            job,
            &channel,
            key,
            (facts, text, is_doubtful),
            delivery,
            now,
        ))
    }

    /// Returns a product as visitors see it, if there is one.
    pub(super) fn shown_product(&self, id: &str) -> Result<Option<Product>, StoreError> {
        let mut product = match self.store.find_product(id) {
            Err(StoreError::NotFound) => return Ok(None),
            found => found?,
        };
        let front = self.storefronts.current(&self.store)?;
        front.apply_rules([&mut product]);
        Ok(Some(product))
    }

    /// Returns the result for a post that is not sent now, or not at all.
    fn not_now(
        &self,
        post: &StoredPost,
        channel: &StoredChannel,
        facts: &str,
        now: Timestamp,
    ) -> Result<Option<Sent>, StoreError> {
        let key = post.key;
        let given_up = |reason: &'static str| {
            let sent = Outcome::Done.and(move |connection| {
                record_failure(connection, key, PostState::Failed, false, reason)
            });
            Ok(Some(sent))
        };
        if facts == "over" {
            return given_up("The deal was over before its turn came.");
        }
        if !post.post.by_rule {
            return Ok(None);
        }
        if now.duration_since(post.post.queued_at.0) > FRESH {
            return given_up("It waited for a day.");
        }
        if facts == "live" {
            return given_up("The seller's rules hide its price now.");
        }
        let sent = self.store.rule_posts(channel)?;
        let next_at = channel.channel.rule.next_moment(&sent, now);
        if next_at <= now {
            return Ok(None);
        }
        let id = channel.channel.id.clone();
        let postponed =
            Outcome::Done.and(move |connection| queue(connection, &id, key, next_at, now));
        Ok(Some(postponed))
    }

    /// Writes a post and sends it, or edits it; the error is the reason why the channel can't be used.
    fn deliver(
        &self,
        front: &Storefront,
        job: &Job,
        post: &StoredPost,
        stored: &StoredChannel,
        product: Option<&Product>,
    ) -> Result<(Written, Delivery), String> {
        let channel = &stored.channel;
        let template = Template::parse(&channel.template)?;
        let about = (post.post.id.as_str(), post.post.title.as_str());
        let is_over = product.is_none_or(|product| product.state != State::Live);
        let named = (channel.kind, channel.name.as_str());
        let written = self.write(front, named, &template, product, about, is_over);
        let message = Some(post.message.as_str()).filter(|message| !message.is_empty());
        let delivery = match (channel.kind, message) {
            (ChannelKind::Telegram, None) => self.telegram(stored)?.send(&written),
            (ChannelKind::Telegram, Some(message)) => {
                self.telegram(stored)?
                    .edit(message, post.is_photo, &written)
            }
            (ChannelKind::Discord, None) => self.discord(stored)?.send(&written),
            (ChannelKind::Discord, Some(message)) => self.discord(stored)?.edit(message, &written),
            (ChannelKind::Webhook, _) => {
                let id = format!("{}-{}", post.key, job.created_at.as_millisecond());
                let hook = self.hook(stored)?;
                hook.send(&id, &post.post.id, message.is_none(), &written)
            }
            (ChannelKind::Nowhere, _) => Delivery::sent("nowhere", false),
        };
        Ok((written, delivery))
    }
}

/// Returns the result of an attempt, with what is written about it: what the post shows, its text, and whether it
/// may be in the channel twice.
fn settled(
    job: &Job,
    channel: &StoredChannel,
    key: i64,
    (shown, text, is_doubtful): (String, String, bool),
    delivery: Delivery,
    now: Timestamp,
) -> Sent {
    let (channel, id) = (channel.clone(), channel.channel.id.clone());
    // A refusal says nothing about an earlier attempt.
    let unsent = match is_doubtful {
        true => PostState::Sending,
        false => PostState::Waiting,
    };
    let again = |seconds, error: &String, lane_waits| Outcome::Again {
        next_at: now + SignedDuration::from_secs(seconds),
        error: error.clone(),
        lane_waits,
    };
    let retry = |error: String, has_answer: bool, state| match BACK_OFF.get(job.attempts as usize) {
        Some(delay) => (Some(again(*delay, &error, !has_answer)), state, error),
        None => (None, PostState::Failed, error),
    };
    let keeps_turn = matches!(delivery, Delivery::Wait { .. });
    let mut moved = None;
    let mut may_be_there = is_doubtful;
    let (outcome, state, error) = match delivery {
        Delivery::Sent {
            message,
            is_photo,
            note,
        } => {
            let twice = "It may be there twice: the first attempt had no answer.";
            let sent = PostSent {
                message,
                is_photo,
                shown,
                text,
                note: if is_doubtful { twice.to_owned() } else { note },
            };
            return Outcome::Done
                .and(move |connection| record_sent(connection, &channel, key, &sent, now));
        }
        Delivery::Off { reason } => {
            tracing::error!(channel = id, reason, "a channel was switched off");
            return Outcome::Done.and(move |connection| switch_off(connection, &id, &reason, now));
        }
        Delivery::Wait { seconds, error } => {
            let outcome = again(seconds.clamp(1, LONGEST_WAIT), &error, true);
            (Some(outcome), unsent, error)
        }
        Delivery::Moved { chat } => {
            moved = Some(chat);
            retry(Delivery::moved(chat), true, unsent)
        }
        // Two may be there by now: whether to send a third is for a person to say.
        Delivery::Failed {
            error,
            may_have_arrived: true,
            ..
        } if is_doubtful => {
            let error = format!("{error} It may be there: look before you try again.");
            (None, PostState::Failed, error)
        }
        Delivery::Failed {
            error,
            has_answer,
            may_have_arrived,
        } => {
            may_be_there |= may_have_arrived;
            let state = match may_have_arrived {
                true => PostState::Sending,
                false => unsent,
            };
            retry(error, has_answer, state)
        }
        Delivery::Refused { error } => (None, PostState::Failed, error),
    };
    tracing::warn!(channel = id, error, "a post could not be sent");
    let given_up = Outcome::GivenUp {
        error: error.clone(),
    };
    outcome.unwrap_or(given_up).and(move |connection| {
        record_failure(connection, key, state, may_be_there, &error)?;
        if keeps_turn {
            keep_turn(connection, &id, key)?;
        }
        if let Some(chat) = moved {
            move_chat(connection, &id, chat)?;
        }
        note_error(connection, &id, &error, now)
    })
}
