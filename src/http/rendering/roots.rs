//! Rendered roots, kept by what they show.

use std::collections::HashMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};

/// Maximum size of all kept roots in bytes; a page of the list has about 25,000.
const MAX_BYTES: usize = 3 * 1_024 * 1_024;
/// Approximate overhead of a root in bytes.
const OVERHEAD: usize = 128;

/// Hash of the address and the data of a page.
pub(super) type Key = [u8; 32];

/// Content of a page's root element; `None` if the page failed to render.
pub(super) type Root = Option<Arc<str>>;

/// Roots by address and data, of which they are a function: none is ever out of date. The least
/// recently used ones are dropped first.
#[derive(Default)]
pub(super) struct Roots {
    kept: HashMap<Key, (Root, u64)>,
    bytes: usize,
    /// Number of uses.
    clock: u64,
}

/// Returns the key of a page. A cryptographic hash, because visitors choose addresses and sellers
/// choose texts: a page must not be shown in place of another.
pub(super) fn key(address: &str, data: &str) -> Key {
    let mut hash = Sha256::new();
    hash.update(address);
    hash.update([0]);
    hash.update(data);
    hash.finalize().into()
}

impl Roots {
    pub(super) fn find(&mut self, key: &Key) -> Option<Root> {
        self.clock += 1;
        let (root, used) = self.kept.get_mut(key)?;
        *used = self.clock;
        Some(root.clone())
    }

    pub(super) fn insert(&mut self, key: Key, root: Root) {
        self.clock += 1;
        self.bytes += size(&root);
        if let Some((former, _)) = self.kept.insert(key, (root, self.clock)) {
            self.bytes -= size(&former);
        }
        while self.bytes > MAX_BYTES {
            let oldest = self.kept.iter().min_by_key(|(_, (_, used))| *used);
            let Some(oldest) = oldest.map(|(key, _)| *key) else {
                return;
            };
            if let Some((root, _)) = self.kept.remove(&oldest) {
                self.bytes -= size(&root);
            }
        }
    }
}

fn size(root: &Root) -> usize {
    root.as_ref().map_or(0, |root| root.len()) + OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(bytes: usize) -> Root {
        Some("x".repeat(bytes).into())
    }

    #[test]
    fn the_least_recently_used_root_is_dropped_first() {
        let mut roots = Roots::default();
        let [first, second, third] = ["/", "/?page=2", "/?page=3"].map(|path| key(path, "{}"));
        roots.insert(first, root(MAX_BYTES / 2));
        roots.insert(second, root(MAX_BYTES / 3));
        assert!(roots.find(&first).is_some());
        roots.insert(third, root(MAX_BYTES / 3));
        assert!(roots.find(&second).is_none());
        assert!(roots.find(&first).is_some() && roots.find(&third).is_some());
    }

    #[test]
    fn a_root_larger_than_all_is_not_kept() {
        let mut roots = Roots::default();
        roots.insert(key("/", ""), root(MAX_BYTES + 1));
        assert!(roots.find(&key("/", "")).is_none());
        assert_eq!((roots.bytes, roots.kept.len()), (0, 0));
    }

    #[test]
    fn address_and_data_are_both_in_the_key() {
        assert_ne!(key("/a", "b"), key("/ab", ""));
        assert_ne!(key("/a", "b"), key("/a", "c"));
    }

    #[test]
    fn a_failed_page_is_remembered() {
        let mut roots = Roots::default();
        roots.insert(key("/", "{}"), None);
        assert!(matches!(roots.find(&key("/", "{}")), Some(None)));
    }
}
