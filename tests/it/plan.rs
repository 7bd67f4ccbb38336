//! Every page of the list is read from an index.

use deals::domain::{Category, Filters, ListQuery, Order, SortBy};
use deals::store::Store;

use crate::harness::{Shop, product};

#[test]
fn no_page_without_a_search_scans_the_table_or_sorts() {
    let shop = Shop::with(&[product(1), product(2)]);
    let store = Store::open(&shop.db()).unwrap();
    let categories = Category::ALL.into_iter().map(Some).chain([None]);
    for category in categories {
        for sort_by in SortBy::ALL
            .into_iter()
            .filter(|sort| *sort != SortBy::Relevance)
        {
            for order in Order::ALL {
                let query = ListQuery {
                    filters: Filters {
                        category,
                        ..Filters::default()
                    },
                    sort_by,
                    order,
                    ..ListQuery::default()
                };
                let plan = store.listing_plan(&query).unwrap();
                assert!(plan.len() >= 2, "{query:?}: {plan:?}");
                for step in &plan {
                    let by_index = step.starts_with("SEARCH")
                        || (step.starts_with("SCAN") && step.contains("USING INDEX products_by_"));
                    assert!(by_index, "{query:?}: {step}");
                }
            }
        }
    }
}
