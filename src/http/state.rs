//! What every handler shares.

use std::sync::Arc;

use actix_web::web;
use url::Url;

use super::error::ApiError;
use crate::store::{Store, StoreError};

/// Built once at start; cloning is cheap.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

struct Inner {
    store: Store,
    public_url: Url,
}

impl AppState {
    /// Joins the database and the address under which visitors know the site.
    pub fn new(store: Store, public_url: Url) -> Self {
        Self(Arc::new(Inner { store, public_url }))
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The address under which visitors know the site; never taken from a request.
    pub fn public_url(&self) -> &Url {
        &self.0.public_url
    }

    /// Runs a query on a thread that may block: waiting for a connection or for
    /// the disk must not hold up the other requests of this worker.
    pub(super) async fn query<T, F>(&self, query: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    {
        let store = self.store().clone();
        let result = web::block(move || query(&store))
            .await
            .map_err(|error| ApiError::Internal(error.to_string()))?;
        Ok(result?)
    }
}
