//! The API, one file per subject.

pub(super) mod admin;
pub(super) mod clicks;
pub(super) mod factor;
pub(super) mod files;
pub(super) mod keys;
pub(super) mod links;
pub(super) mod list_query;
pub(super) mod openapi;
pub(super) mod outgoing;
pub(super) mod people;
pub(super) mod permissions;
pub(super) mod products;
pub(super) mod reports;
pub(super) mod requests;
pub(super) mod responses;
pub(super) mod session;
pub(super) mod settings;
pub(super) mod setup;
pub(super) mod users;

use super::routes::Route;

/// Every call of the API, the most frequent first: paths are tried in turn.
pub(super) fn routes() -> Vec<Route> {
    [
        clicks::routes(),
        products::routes(),
        products::changes::routes(),
        products::prices::routes(),
        products::pictures::routes(),
        products::message::routes(),
        products::over::routes(),
        products::removed::routes(),
        admin::routes(),
        products::by_link::routes(),
        products::suggestions::routes(),
        products::categories::routes(),
        products::shelves::routes(),
        products::collections::routes(),
        links::routes(),
        products::bulk::routes(),
        files::routes(),
        files::preview::routes(),
        files::mappings::routes(),
        files::pictures::routes(),
        users::routes(),
        people::own::routes(),
        factor::routes(),
        setup::routes(),
        people::invitations::routes(),
        settings::routes(),
        settings::offers::routes(),
        settings::sellers::routes().into(),
        settings::server::routes(),
        settings::backups::routes(),
        settings::copy::routes(),
        settings::address::routes(),
        reports::routes(),
        reports::overview::routes(),
        reports::tasks::routes(),
        reports::duplicates::routes(),
        keys::routes(),
        outgoing::webhooks::routes(),
        outgoing::subscribers::routes(),
        outgoing::channels::routes(),
        outgoing::queue::routes(),
        outgoing::list::routes(),
        outgoing::alerts::routes(),
        people::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
