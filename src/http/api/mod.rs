//! The API, one file per subject.

pub(super) mod admin;
pub(super) mod clicks;
pub(super) mod factor;
pub(super) mod files;
pub(super) mod keys;
pub(super) mod links;
pub(super) mod list_query;
pub(super) mod openapi;
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
pub(super) mod webhooks;
