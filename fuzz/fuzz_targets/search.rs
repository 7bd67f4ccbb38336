//! Any text as a search: every sort finds as many products as it counts.
#![no_main]

use std::sync::LazyLock;

use deals::catalog::demo;
use deals::domain::{ListQuery, Order, SortBy};
use deals::store::{Import, Store};
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;

static SHOP: LazyLock<(Store, tempfile::TempDir)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deals.sqlite");
    let store = Store::open(&path).unwrap();
    let import = Import::begin(&path).unwrap();
    demo::fill(&store, import, true, Timestamp::UNIX_EPOCH).unwrap();
    (store, folder)
});

fuzz_target!(|search: String| {
    let mut query = ListQuery {
        limit: 100,
        ..ListQuery::default()
    };
    query.filters.search = Some(search);
    let mut totals = Vec::new();
    for sort_by in [SortBy::CreatedAt, SortBy::Price, SortBy::Relevance] {
        query.sort_by = sort_by;
        query.order = Order::Desc;
        let found = SHOP.0.list_products(&query).unwrap();
        assert_eq!(found.page.items.len() as i64, found.page.total);
        totals.push(found.page.total);
    }
    assert!(totals.iter().all(|total| *total == totals[0]));
});
