//! Copies of the pictures of new deals, for sellers whose rules ask for them.

use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
use url::Url;

use super::picture::{MAX_PICTURE_BYTES, read_picture};
use crate::domain::{PictureName, Settings, SourceRules};
use crate::fetch::{FetchError, Fetcher, gives_pictures};
use crate::store::outgoing::{Job, Outcome, Sent};
use crate::store::{Store, StoreError};

/// Time until the next attempt, by their number; then the deal keeps its addresses.
const AGAIN: [SignedDuration; 4] = [
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(15),
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(12),
];

/// Copies pictures, one at a time.
pub struct PictureCopier {
    store: Store,
    networks: Vec<IpNet>,
}

impl PictureCopier {
    /// Makes it; `networks` may be dialled although they are not public.
    pub fn new(store: Store, networks: Vec<IpNet>) -> Self {
        Self { store, networks }
    }

    /// Queues the new deals whose pictures are to be copied.
    pub fn queue(&self, now: Timestamp) -> Result<(), StoreError> {
        let sellers = sellers(&self.store.settings()?);
        if sellers.is_empty() {
            return Ok(());
        }
        self.store.queue_copies(&sellers, now)
    }

    /// Copies the pictures of one deal. Blocks.
    pub fn send(&self, job: &Job) -> Result<Sent, StoreError> {
        let product = match self.store.find_product(&job.subject) {
            Ok(product) => product,
            Err(StoreError::NotFound) => return Ok(Outcome::Done.into()),
            Err(error) => return Err(error),
        };
        if !sellers(&self.store.settings()?).contains(&product.details.source) {
            return Ok(Outcome::Done.into());
        }
        let fetcher = Fetcher::allowing(self.networks.clone());
        let mut copies: Vec<(String, String)> = Vec::new();
        let mut failure = None;
        for image in product.details.images {
            if PictureName::in_address(&image).is_some() {
                continue;
            }
            match self.copy(&fetcher, &image) {
                Ok(own) => copies.push((image, own)),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        let attempts = usize::try_from(job.attempts).unwrap_or(usize::MAX);
        let outcome = match (failure, AGAIN.get(attempts)) {
            (None, _) => Outcome::Done,
            (Some((error, true)), Some(wait)) => Outcome::Again {
                next_at: Timestamp::now() + *wait,
                error,
                lane_waits: true,
            },
            (Some((error, _)), _) => Outcome::GivenUp { error },
        };
        let id = job.subject.clone();
        Ok(outcome.and(move |connection| Store::use_copies(connection, &id, &copies)))
    }

    /// Copies a picture and returns its path, or why not, and whether it may be tried again.
    fn copy(&self, fetcher: &Fetcher, image: &str) -> Result<String, (String, bool)> {
        let address = Url::parse(image).ok();
        let address = address.filter(|address| gives_pictures(address, &self.networks));
        let address = address.ok_or_else(|| (FetchError::Address.to_string(), false))?;
        let bytes = fetcher.picture(&address, MAX_PICTURE_BYTES);
        let bytes = bytes.map_err(|error| {
            let is_for_now = match &error {
                FetchError::Status(_, status) => *status == 429 || *status >= 500,
                FetchError::Slow(_) | FetchError::Unreachable(..) => true,
                _ => false,
            };
            (error.to_string(), is_for_now)
        })?;
        let picture = read_picture(&bytes).map_err(|error| (error.to_string(), false))?;
        let added = self.store.add_picture(picture, Timestamp::now()).wait();
        let name = added.map_err(|error| (error.to_string(), true))?;
        Ok(name.path())
    }
}

/// Returns the sellers of whose new deals pictures are kept.
fn sellers(settings: &Settings) -> Vec<String> {
    let rules = settings.shop.sources.iter();
    let kept = rules
        .filter(|(source, rules)| rules.keep_images && SourceRules::may_copy(Some(rules), source));
    kept.map(|(source, _)| source.clone()).collect()
}
