//! Connections that write: triggers collect the words of changed products, which are written to the
//! full-text index before each commit.

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

/// A writing connection and its unwritten index changes.
pub(crate) struct WriteConnection {
    pub(crate) connection: Connection,
    pub(crate) changes: Changes,
}

impl WriteConnection {
    /// Opens the database for writing, after checks and migrations.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let connection = open::for_writing(path)?;
        rebuild::if_outdated(&connection, Some(path))
            .map_err(|error| OpenError::other(path, &error))?;
        Self::on(connection).map_err(|error| OpenError::from_sqlite(path, &error))
    }

    pub(crate) fn in_memory() -> Result<Self, OpenError> {
        let path = Path::new(":memory:");
        let connection = open::in_memory()?;
        rebuild::if_outdated(&connection, None).map_err(|error| OpenError::other(path, &error))?;
        Self::on(connection).map_err(|error| OpenError::from_sqlite(path, &error))
    }

    /// Starts collecting changes on a connection.
    pub(crate) fn on(connection: Connection) -> rusqlite::Result<Self> {
        let changes = Changes::collect_from(&connection)?;
        Ok(Self {
            connection,
            changes,
        })
    }
}

/// Changes of one connection since its last commit.
#[derive(Clone, Default)]
pub(crate) struct Changes(Arc<Mutex<Vec<Change>>>);

impl Changes {
    /// Defines the SQL function that the triggers call.
    fn collect_from(connection: &Connection) -> rusqlite::Result<Self> {
        let changes = Self::default();
        let reported = changes.clone();
        connection.create_scalar_function(
            c"index_words",
            11,
            FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS,
            move |context| {
                let change = (context.get(0)?, texts(context, 1)?, texts(context, 6)?);
                reported.lock().push(change);
                Ok(None::<i64>)
            },
        )?;
        Ok(changes)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Change>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the changes, to write them with others.
    pub(crate) fn drain(&self) -> Vec<Change> {
        std::mem::take(&mut *self.lock())
    }
}

impl BeforeCommit for Changes {
    fn mark(&self) -> usize {
        self.lock().len()
    }

    fn forget_after(&self, mark: usize) {
        self.lock().truncate(mark);
    }

    fn write(&self, connection: &Connection) -> Result<(), StoreError> {
        let products = self.drain();
        if products.is_empty() {
            return Ok(());
        }
        // The batch is local, so after a panic only the transaction has to be rolled back.
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
        tags: context.get(from + 4)?,
    }))
}
