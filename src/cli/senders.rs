//! The senders of a server, and the storefront that they share with its pages.

use std::sync::Arc;

use url::Url;

use super::options::ServeConfig;
use crate::accounts::{MailSender, MailServer, Secrets, WebhookSender};
use crate::catalog::copying::PictureCopier;
use crate::channels::{Channels, TelegramServer};
use crate::http::Options;
use crate::jobs::Senders;
use crate::store::Store;
use crate::storefront::{StorefrontDefaults, Storefronts};
use crate::subscribers::Subscribers;

/// Makes the storefront of these options.
pub(super) fn storefronts(options: &Options, mail: &MailServer) -> Arc<Storefronts> {
    Arc::new(Storefronts::new(StorefrontDefaults {
        public_url: options.public_url.clone(),
        disclosure: options.disclosure.clone(),
        http_sign_in: options.allow_http_sign_in,
        mail: mail.clone(),
    }))
}

/// Makes the senders of outgoing messages.
pub(super) fn senders(
    config: &ServeConfig,
    store: &Store,
    keys: &Secrets,
    mail: &MailServer,
    storefronts: &Arc<Storefronts>,
    public_url: &Url,
) -> Senders {
    let networks = &config.fetching.fetch_network;
    let shop = origin(public_url).to_owned();
    Senders {
        mail: MailSender::new(store.clone(), keys.clone(), mail.clone(), shop),
        webhooks: WebhookSender::new(
            store.clone(),
            keys.clone(),
            networks.clone(),
            public_url.clone(),
        ),
        channels: Arc::new(Channels::new(
            store.clone(),
            keys.clone(),
            Arc::clone(storefronts),
            public_url.clone(),
            networks.clone(),
            TelegramServer::new(config.telegram_api.clone()),
        )),
        subscribers: Subscribers::new(
            store.clone(),
            keys.clone(),
            mail.clone(),
            Arc::clone(storefronts),
            public_url.clone(),
            config.fetching.push_network.clone(),
        ),
        pictures: PictureCopier::new(store.clone(), networks.clone()),
    }
}

/// Returns a URL without the slash of an empty path.
pub(super) fn origin(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}
