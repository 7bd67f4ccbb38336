//! The words of products that an import adds, taken apart on a second thread while the
//! first one adds more: without it 100,000 products took a third longer.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

use crate::store::db::error::StoreError;
use crate::store::search::batch::{Batch, Change, Moves};

/// Batches of products that may wait for their words to be taken apart: their texts are in
/// memory.
const AHEAD: usize = 1;
/// Posting lists that are written in one transaction.
const LISTS: usize = 20_000;

/// Posting lists and what happens to them.
pub(crate) type Lists = Vec<(String, Moves)>;

/// What the second thread tells.
enum News {
    /// The words of products that were given together are taken apart.
    TakenApart,
    /// These can be written.
    Lists(Lists),
    Failed(StoreError),
}

/// What the first thread holds of the channels.
pub(crate) struct Indexer {
    give: Option<SyncSender<Vec<Change>>>,
    news: Receiver<News>,
    /// Batches that wait.
    waiting: usize,
}

impl Indexer {
    /// Starts the second thread, which ends when this is dropped.
    pub(crate) fn start<'scope>(scope: &'scope Scope<'scope, '_>) -> Self {
        let (give, given) = sync_channel(AHEAD);
        let (tell, news) = sync_channel(1);
        scope.spawn(move || take_apart(&given, &tell));
        Self {
            give: Some(give),
            news,
            waiting: 0,
        }
    }

    /// Gives what was added, and `write`s what is ready.
    ///
    /// # Errors
    ///
    /// Those of `write`, and [`StoreError::Other`] when the other thread failed.
    pub(crate) fn add(
        &mut self,
        changes: Vec<Change>,
        mut write: impl FnMut(Lists) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        while self.waiting >= AHEAD {
            // This thread waits for nothing but news, so the other one can always go on.
            let news = self.news.recv().map_err(|_| failed())?;
            self.hear(news, &mut write)?;
        }
        let given = self.give.as_ref().map(|give| give.send(changes));
        given.and_then(Result::ok).ok_or_else(failed)?;
        self.waiting += 1;
        while let Ok(news) = self.news.try_recv() {
            self.hear(news, &mut write)?;
        }
        Ok(())
    }

    /// `write`s the rest.
    pub(crate) fn finish(
        mut self,
        mut write: impl FnMut(Lists) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.give = None;
        while let Ok(news) = self.news.recv() {
            self.hear(news, &mut write)?;
        }
        match self.waiting {
            0 => Ok(()),
            _ => Err(failed()),
        }
    }

    fn hear(
        &mut self,
        news: News,
        write: &mut impl FnMut(Lists) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match news {
            News::TakenApart => self.waiting -= 1,
            News::Lists(lists) => write(lists)?,
            News::Failed(error) => return Err(error),
        }
        Ok(())
    }
}

fn failed() -> StoreError {
    StoreError::Other("indexing failed".to_owned())
}

/// Takes products' words apart until nobody gives any, or nobody hears of it.
fn take_apart(given: &Receiver<Vec<Change>>, tell: &SyncSender<News>) {
    let mut batch = Batch::default();
    for changes in given {
        let gathered = batch.change_all(changes, |batch| tell_lists(batch, tell));
        let news = gathered.map_or_else(News::Failed, |()| News::TakenApart);
        if tell.send(news).is_err() {
            return;
        }
    }
    if let Err(error) = tell_lists(&mut batch, tell) {
        let _ = tell.send(News::Failed(error));
    }
}

/// Tells everything that waits in the batch.
fn tell_lists(batch: &mut Batch, tell: &SyncSender<News>) -> Result<(), StoreError> {
    let mut lists = batch.take().peekable();
    while lists.peek().is_some() {
        let some = lists.by_ref().take(LISTS).collect();
        tell.send(News::Lists(some)).map_err(|_| failed())?;
    }
    Ok(())
}
