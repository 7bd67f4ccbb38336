//! Every plan gives the same page as filtering and sorting all products, after random changes.

use deals::domain::{
    Categories, Category, Click, Discount, Filters, Lifetime, Lines, ListQuery, NewProduct, Order,
    Paise, Product, SortBy, State, folded_words,
};
use deals::store::{BulkChange, CANDIDATES, Candidate, Plan, Query, Store, score};
use jiff::{SignedDuration, Timestamp};

use crate::support::harness::{Shop, product};
use crate::support::random::Random;

/// Vocabulary of products and queries.
struct Made(Random);

impl Made {
    fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// Returns a word; higher ranks are rarer.
    fn word(&mut self) -> String {
        let bits = 1 + self.below(10);
        format!("w{}", self.below(1 << bits))
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn details(&mut self) -> NewProduct {
        let price = Paise::new(i64::try_from(self.below(40)).unwrap() * 100 + 100).unwrap();
        let discount = Discount::new(i64::try_from(self.below(6)).unwrap() * 1_000).unwrap();
        NewProduct {
            title: self.words(4),
            description: self.words(12),
            price,
            discount,
            final_price: price.after(discount),
            category: self.category(),
            source: format!("Source {}", self.below(3)),
            affiliate_link: "https://shop.example/".to_owned(),
            images: vec!["https://pictures.example/1.jpg".to_owned()],
            average_rating: self.below(11) as f64 / 2.0,
            total_ratings: i64::try_from(self.below(4)).unwrap(),
            lifetime: self.lifetime(),
            offers: Vec::new(),
            tags: Vec::new(),
            lines: Lines::default(),
        }
    }

    fn category(&mut self) -> Category {
        named(self.of(&["Electronics", "Clothing", "Books", "Home"]))
    }

    /// Mostly without an end; none starts or ends while the test runs.
    fn lifetime(&mut self) -> Lifetime {
        let at = |hours: i64| Some(Timestamp::now() + SignedDuration::from_hours(hours));
        let (starts_at, ends_at) = match self.below(12) {
            0 => (None, at(-1)),
            1 => (at(-2), at(2)),
            2 => (at(2), at(4)),
            3 => (None, at(48)),
            _ => (None, None),
        };
        Lifetime {
            is_draft: self.below(12) == 0,
            starts_at,
            ends_at,
        }
    }

    fn query(&mut self) -> ListQuery {
        let mut filters = Filters::default();
        if self.below(2) == 0 {
            let words = self.of(&[1, 1, 2, 3, 5]);
            filters.search = Some(self.words(words));
        }
        if self.below(3) == 0 {
            filters.category = Some(self.category());
        }
        if self.below(4) == 0 {
            let first = self.below(4);
            let sources = first..=first + self.below(2);
            filters.sources = sources.map(|number| format!("Source {number}")).collect();
        }
        if self.below(4) == 0 {
            filters.min_price = Paise::new(i64::try_from(self.below(4_000)).unwrap());
        }
        if self.below(4) == 0 {
            filters.max_price = Paise::new(i64::try_from(self.below(4_000)).unwrap());
        }
        if self.below(4) == 0 {
            filters.min_discount = Discount::new(i64::try_from(self.below(5_500)).unwrap());
        }
        if self.below(6) == 0 {
            filters.state = Some(self.of(&[State::Scheduled, State::Ended, State::Draft]));
        } else {
            filters.ending_soon = self.below(6) == 0;
        }
        let sorts = match filters.search {
            Some(_) => &SortBy::ALL[..],
            None => &SortBy::ALL[..9],
        };
        let limit = self.of(&[1, 7, 10, 100]);
        ListQuery {
            page: self.of(&[1, 1, 2, 3, 30, 55, 240]),
            limit,
            sort_by: self.of(sorts),
            order: self.of(&Order::ALL),
            filters,
            corrects: false,
        }
    }
}

/// True if the words contain all of the search's, the last one whole.
fn match_whole(words: &[String], search: &str) -> bool {
    folded_words(search).iter().all(|word| words.contains(word))
}

/// True if the words contain all of the search's, the last one as a prefix.
fn match_search(words: &[String], search: &str) -> bool {
    let search = folded_words(search);
    let (last, whole) = search.split_last().unwrap();
    let begins = |word: &String| word.starts_with(last.as_str());
    whole.iter().all(|word| words.contains(word)) && words.iter().any(begins)
}

/// A product with its words, split once for all queries.
fn named(category: &str) -> Category {
    Categories::default().find(category).unwrap().clone()
}

struct Worded {
    product: Product,
    title: Vec<String>,
    all: Vec<String>,
}

impl Worded {
    fn new(product: Product) -> Self {
        let details = &product.details;
        let title = folded_words(&details.title);
        let texts = [&details.description, &details.source].map(String::as_str);
        let others = texts.into_iter().chain([details.category.as_str()]);
        let all = title.iter().cloned();
        let all = all.chain(others.flat_map(folded_words)).collect();
        Self {
            product,
            title,
            all,
        }
    }
}

fn passes(worded: &Worded, filters: &Filters) -> bool {
    let Worded { product, all, .. } = worded;
    let details = &product.details;
    let search = filters.search.as_ref();
    search.is_none_or(|search| match_search(all, search))
        && filters.category.iter().all(|it| details.category == *it)
        && (filters.sources.is_empty() || filters.sources.contains(&details.source))
        && filters.min_price.is_none_or(|it| details.final_price >= it)
        && filters.max_price.is_none_or(|it| details.final_price <= it)
        && filters
            .min_discount
            .is_none_or(|discount| details.discount >= discount)
        && product.state == filters.state.unwrap_or(State::Live)
        && (!filters.ending_soon || details.lifetime.ends_soon(Timestamp::now()).is_some())
}

/// Returns the expected page (decisions, section 5).
fn expected(store: &Store, products: &[Worded], query: &ListQuery) -> (Vec<String>, i64) {
    let mut found: Vec<(usize, &Product)> = products
        .iter()
        .filter(|worded| passes(worded, &query.filters))
        .map(|worded| {
            let search = query.filters.search.as_ref();
            let in_title = |matches: fn(&[String], &str) -> bool| {
                usize::from(search.is_some_and(|search| matches(&worded.title, search)))
            };
            (
                in_title(match_search) + in_title(match_whole),
                &worded.product,
            )
        })
        .collect();
    found.sort_by(|(in_title_a, a), (in_title_b, b)| {
        let order = match query.sort_by {
            SortBy::CreatedAt => a.published_at.cmp(&b.published_at),
            SortBy::Price => a.details.price.cmp(&b.details.price),
            SortBy::AverageRating => a
                .details
                .average_rating
                .total_cmp(&b.details.average_rating),
            SortBy::Clicks => a.clicks.cmp(&b.clicks),
            SortBy::Discount => a.details.discount.cmp(&b.details.discount),
            SortBy::FinalPrice => a.details.final_price.cmp(&b.details.final_price),
            // A new shop has no proven discounts.
            SortBy::Proven | SortBy::Drop => std::cmp::Ordering::Equal,
            SortBy::EndsAt => {
                let end = |it: &Product| it.details.lifetime.ends_at.unwrap_or(Timestamp::MAX);
                end(a).cmp(&end(b))
            }
            SortBy::Relevance => {
                let key = |product: &Product| (product.clicks, product.details.total_ratings);
                (in_title_a, key(a)).cmp(&(in_title_b, key(b)))
            }
        };
        let order = order.then_with(|| a.id.cmp(&b.id));
        if query.order == Order::Desc {
            order.reverse()
        } else {
            order
        }
    });
    let total = found.len() as i64;
    if let (SortBy::Relevance, Some(search)) = (query.sort_by, &query.filters.search) {
        // The first candidates are sorted by score; ascending order is the reverse.
        let is_ascending = query.order == Order::Asc;
        if is_ascending {
            found.reverse();
        }
        let words = Query::parse(search).unwrap();
        let weights = store.search_weights(&words).unwrap();
        let best = found.len().min(CANDIDATES as usize);
        found[..best].sort_by(|(_, a), (_, b)| {
            let total = |product: &Product| {
                let candidate = Candidate {
                    title: &product.details.title,
                    category: product.details.category.as_str(),
                    clicks: product.clicks,
                    ratings: product.details.total_ratings,
                };
                score(&candidate, &words, &weights).total()
            };
            total(b).total_cmp(&total(a)).then_with(|| b.id.cmp(&a.id))
        });
        if is_ascending {
            found.reverse();
        }
    }
    let page = found
        .into_iter()
        .skip(usize::try_from(query.offset()).unwrap())
        .take(query.limit as usize)
        .map(|(_, product)| product.id.clone());
    (page.collect(), total)
}

fn all_products(store: &Store) -> Vec<Product> {
    let mut products = Vec::new();
    store
        .for_each_product::<deals::store::StoreError>(|product| {
            products.push(product.clone());
            Ok(())
        })
        .unwrap();
    products
}

/// Makes one random change; the product may be deleted already.
fn change(store: &Store, random: &mut Made, products: &[Product]) {
    let some = &products[random.below(products.len())];
    let actor = || "test".to_owned();
    let now = Timestamp::now();
    match random.below(12) {
        10 => {
            let to = random.of(&[
                BulkChange::Publish,
                BulkChange::End,
                BulkChange::SetEnd(None),
                BulkChange::SetEnd(Some(now + SignedDuration::from_hours(3))),
            ]);
            let ids = vec![some.id.clone()];
            store.bulk_change(ids, to, actor(), now, None).unwrap();
        }
        0..5 => {
            drop(store.record_click(some.id.clone(), now, a_click).wait());
        }
        5 => {
            let details = random.details();
            let pending = store.insert_product(details, actor(), now, false, None);
            pending.wait().unwrap();
        }
        6 => {
            let details = random.details();
            let seen = some.updated_at;
            let updated = store.update_product(some.id.clone(), details, actor(), seen, true, now);
            drop(updated.wait());
        }
        7 => drop(store.delete_product(some.id.clone(), actor(), now).wait()),
        8 => {
            let ids: Vec<_> = (0..5)
                .map(|_| products[random.below(products.len())].id.clone())
                .collect();
            let to = random.of(&[
                BulkChange::Delete,
                BulkChange::Category(named("Home")),
                BulkChange::Discount(Discount::new(2_500).unwrap()),
            ]);
            let outcome = store.bulk_change(ids, to, actor(), now, None).unwrap();
            if random.below(2) == 0 {
                store
                    .undo_bulk_change(outcome.undo, actor(), now, None)
                    .unwrap();
            }
        }
        _ => {}
    }
}

#[test]
fn every_query_plan_gives_the_page_of_a_full_sort() {
    let shop = Shop::new();
    let store = Store::open(&shop.db()).unwrap();
    let seed = 0x5eed;
    let mut random = Made(Random::new(seed));
    let (actor, now) = (|| "test".to_owned(), Timestamp::now());
    let inserts: Vec<_> = (0..2_500)
        .map(|_| store.insert_product(random.details(), actor(), now, false, None))
        .collect();
    for insert in inserts {
        insert.wait().unwrap();
    }
    for round in 0..40 {
        let products = all_products(&store);
        let worded: Vec<_> = products.iter().cloned().map(Worded::new).collect();
        for _ in 0..25 {
            let query = random.query();
            let (ids, total) = expected(&store, &worded, &query);
            for plan in [
                Plan::Cheapest,
                Plan::Sorts,
                Plan::Blocks,
                Plan::Index,
                Plan::Sort,
            ] {
                let listing = store.list_products_by(&query, plan).unwrap();
                let found: Vec<_> = listing
                    .page
                    .items
                    .iter()
                    .map(|item| item.id.clone())
                    .collect();
                let asked = format!("seed {seed}, round {round}, {plan:?}, {query:?}");
                assert_eq!(listing.page.total, total, "{asked}");
                assert_eq!(found, ids, "{asked}");
            }
            if query.filters.state.is_none() {
                let facets = store.count_facets(&query.filters).unwrap();
                let (listing, with_list) = store.list_with_facets(&query).unwrap();
                assert_eq!(listing.page.total, total, "{query:?}");
                assert_eq!(with_list, facets, "{query:?}");
                let of_all = Filters {
                    category: None,
                    ..query.filters.clone()
                };
                let passing = |filters: &Filters| {
                    let found = worded.iter().filter(|worded| passes(worded, filters));
                    i64::try_from(found.count()).unwrap()
                };
                let asked = format!("seed {seed}, round {round}, {query:?}");
                assert_eq!(facets.all, passing(&of_all), "{asked}");
                let ending = Filters {
                    ending_soon: true,
                    ..query.filters.clone()
                };
                assert_eq!(facets.ending_soon, passing(&ending), "{asked}");
            }
        }
        for _ in 0..20 {
            change(&store, &mut random, &products);
        }
    }
}

#[test]
fn a_list_page_is_read_from_one_snapshot() {
    let shop = Shop::with(&(1..=60).map(product).collect::<Vec<_>>());
    let store = Store::open(&shop.db()).unwrap();
    // By the database index, and by the sorts in memory.
    let queries = [None, Some(named("Electronics"))].map(|category| ListQuery {
        limit: 100,
        filters: Filters {
            category,
            ..Filters::default()
        },
        ..ListQuery::default()
    });
    let all = store.list_products(&queries[0]).unwrap().page.items;
    std::thread::scope(|scope| {
        let deleting = scope.spawn(|| {
            for product in &all {
                let actor = "test".to_owned();
                let deleted = store.delete_product(product.id.clone(), actor, Timestamp::now());
                deleted.wait().unwrap();
            }
        });
        while !deleting.is_finished() {
            for query in &queries {
                let page = store.list_products(query).unwrap().page;
                assert_eq!(page.items.len() as i64, page.total);
            }
        }
        deleting.join().unwrap();
    });
    assert_eq!(store.list_products(&queries[0]).unwrap().page.total, 0);
}

fn a_click() -> Click {
    Click::at(Timestamp::now())
}
