//! Connections that write: products whose words changed are gathered until the commit, and
//! then written to the full-text index together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

use super::batch::Change;
use super::terms::Texts;
use super::{rebuild, writer};
use crate::store::db::error::StoreError;
use crate::store::db::open;
use crate::store::db::preflight::OpenError;
use crate::store::db::writer::BeforeCommit;

/// A connection that writes, and what it has to add to the full-text index before it
/// commits.
pub(crate) struct Writing {
    pub(crate) connection: Connection,
    pub(crate) changes: Changes,
}

impl Writing {
    /// Opens the database at `path` for writing, after every check and migration.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let connection = open::for_writing(path)?;
        rebuild::if_outdated(&connection, Some(path))
            .map_err(|error| OpenError::other(path, &error))?;
        Self::on(connection).map_err(|error| OpenError::from_sqlite(path, &error))
    }

    /// A database that lives and ends with its connection.
    pub(crate) fn in_memory() -> Result<Self, OpenError> {
        let path = Path::new(":memory:");
        let connection = open::in_memory()?;
        rebuild::if_outdated(&connection, None).map_err(|error| OpenError::other(path, &error))?;
        Self::on(connection).map_err(|error| OpenError::from_sqlite(path, &error))
    }

    /// Gathers what changes on this connection from now on.
    pub(crate) fn on(connection: Connection) -> rusqlite::Result<Self> {
        let changes = Changes::of(&connection)?;
        Ok(Self {
            connection,
            changes,
        })
    }
}

/// Products whose words changed on one connection since its last commit.
#[derive(Clone, Default)]
pub(crate) struct Changes(Arc<Mutex<Vec<Change>>>);

impl Changes {
    /// Defines the function that the triggers of the products call.
    fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let changes = Self::default();
        let reported = changes.clone();
        connection.create_scalar_function(
            c"index_words",
            9,
            FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS,
            move |context| {
                let change = (context.get(0)?, texts(context, 1)?, texts(context, 5)?);
                reported.gathered().push(change);
                Ok(None::<i64>)
            },
        )?;
        Ok(changes)
    }

    fn gathered(&self) -> MutexGuard<'_, Vec<Change>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what changed, for who writes it together with more.
    pub(crate) fn take(&self) -> Vec<Change> {
        std::mem::take(&mut *self.gathered())
    }
}

impl BeforeCommit for Changes {
    fn mark(&self) -> usize {
        self.gathered().len()
    }

    fn forget_after(&self, mark: usize) {
        self.gathered().truncate(mark);
    }

    fn write(&self, connection: &Connection) -> Result<(), StoreError> {
        let products = self.take();
        if products.is_empty() {
            return Ok(());
        }
        // Nothing outside sees the batch, so a panic leaves only the transaction to undo.
        let written = catch_unwind(AssertUnwindSafe(|| {
            writer::write_changes(connection, products)
        }));
        written.unwrap_or_else(|_| Err(StoreError::Other("indexing failed".to_owned())))
    }
}

fn texts(context: &Context<'_>, from: usize) -> rusqlite::Result<Option<Texts>> {
    if context.get_raw(from) == ValueRef::Null {
        return Ok(None);
    }
    Ok(Some(Texts {
        title: context.get(from)?,
        description: context.get(from + 1)?,
        source: context.get(from + 2)?,
        category: context.get(from + 3)?,
    }))
}
