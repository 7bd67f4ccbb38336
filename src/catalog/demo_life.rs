//! Made-up ages, prices and lifetimes of the demo shop: deals of up to half a year with their prices,
//! and deals that end tonight, ended, start tomorrow, or are drafts.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::domain::{
    ChannelChoice, ChannelKind, ChannelRule, CollectionRequest, Filters, Lifetime, ListQuery,
    Paise, PriceRun, Product, State, rfc3339,
};
use crate::store::{Store, StoreError, new_id};

/// Actor of the demo's changes in the activity log: a name that no account can have.
pub(super) const ACTOR: &str = "the server";

/// Lifetimes by the beginning of titles: whether it is a draft, and the hours from now to its start
/// and end.
const LIFETIMES: [(&str, bool, Option<i64>, Option<i64>); 11] = [
    ("Kavrel Braided USB-C Cable, 3 m", true, None, None),
    (
        "Neelvasa Cotton Kurta for Men, Straight Fit, Indigo",
        true,
        None,
        None,
    ),
    ("Dholvi 5 Litre", true, None, None),
    ("Kavrel Braided USB-C", false, None, Some(9)),
    ("Neelvasa Cotton Kurta", false, None, Some(20)),
    ("Orrenta 20,000 mAh", false, None, Some(3 * 24)),
    ("Bansori Double Bed", false, None, Some(6 * 24)),
    ("Orrenta Travel Mug", true, None, None),
    ("Ludvane Festival Laptop", false, Some(14), Some(5 * 24)),
    ("Harvanta Room Heater", false, None, Some(-3 * 24)),
    (
        "Ruskvale Denim Jacket",
        false,
        Some(-20 * 24),
        Some(-10 * 24),
    ),
];
/// Lists that addresses of nobody follow: the query, how many, and whether weekly.
const FOLLOWERS: [(&str, u32, bool); 4] = [
    ("", 31, false),
    ("category=Electronics", 24, false),
    ("category=Books", 12, true),
    ("search=saree&maxPrice=2000", 7, false),
];
/// Ages of the newest deals in hours, too young for a verdict on their price.
const NEWEST: [i64; 2] = [2, 26];
/// Price histories: days ago, and percent of the current final price and list price. Each begins with its
/// product.
const PRICE_HISTORIES: [&[(i64, i64, i64)]; 5] = [
    // The lowest in a long time.
    &[
        (180, 128, 100),
        (120, 135, 100),
        (60, 121, 100),
        (6, 100, 100),
    ],
    // The usual price, whatever the discount says.
    &[
        (180, 100, 100),
        (110, 103, 100),
        (70, 98, 100),
        (40, 100, 100),
    ],
    // As low as once before, and lower than usual.
    &[
        (175, 124, 100),
        (80, 98, 100),
        (70, 126, 100),
        (4, 100, 100),
    ],
    // The list price rose, but the final price did not fall.
    &[(180, 99, 86), (95, 101, 86), (18, 100, 100)],
    // Goes up and down.
    &[
        (180, 95, 100),
        (150, 108, 100),
        (100, 92, 100),
        (50, 110, 100),
        (20, 97, 100),
        (9, 100, 100),
    ],
];

/// Popular products whose price was not checked for some days, by the beginning of titles.
const UNCHECKED: [(&str, i64); 2] = [("Tandoval Canvas Sneakers", 5), ("Ludvane Pace 2", 4)];

pub(super) fn lifetime(title: &str, now: Timestamp) -> Lifetime {
    let hours = |hours: i64| now + SignedDuration::from_hours(hours);
    let mut lifetimes = LIFETIMES.into_iter();
    let found = lifetimes.find(|(beginning, ..)| title.starts_with(beginning));
    found.map_or_else(Lifetime::default, |(_, is_draft, start, end)| Lifetime {
        is_draft,
        starts_at: start.map(hours),
        ends_at: end.map(hours),
    })
}

/// Returns when the product of a row, counted from 1, was added.
pub(super) fn added(row: u64, now: Timestamp) -> Timestamp {
    let days = i64::try_from(row).map_or(0, |row| 40 + 3 * row);
    let newest = usize::try_from(row - 1).ok().and_then(|at| NEWEST.get(at));
    now - SignedDuration::from_hours(newest.copied().unwrap_or(24 * days))
}

/// Adds former prices to all products.
pub(super) fn make_up(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    let products = store.list_products(&ListQuery {
        limit: ListQuery::MAX_LIMIT,
        ..ListQuery::default()
    })?;
    add_collections(store, &products.page.items, now)?;
    for (query, number, is_weekly) in FOLLOWERS {
        store
            .make_up_subscribers(query, number, is_weekly, now)
            .wait()?;
    }
    let ids = products.page.items.iter().map(|product| product.id.clone());
    store.make_up_alerts(ids.step_by(7).collect(), now).wait()?;
    add_channel(store, &products.page.items, now)?;
    let products = products
        .page
        .items
        .into_iter()
        .zip(PRICE_HISTORIES.iter().cycle());
    let prices = products.map(|(product, past)| (product.id.clone(), runs(&product, past, now)));
    store.make_up_prices(prices.collect()).wait()?;
    while store.renew_proofs(now).wait()? > 0 {}
    add_queue(store, now)?;
    add_seller_offers(store, now)
}

/// Products of a collection, by the beginning of titles.
const GIFTS: [&str; 5] = [
    "Pethora Boom",
    "Neelvasa Silk-Blend Saree",
    "Ludvane Pace 2",
    "Bread in a Hot Kitchen",
    "Dholvi Terracotta Planter",
];

/// Adds two collections by a rule, one of which ends, and one of chosen products.
fn add_collections(store: &Store, products: &[Product], now: Timestamp) -> Result<(), StoreError> {
    let gifts = GIFTS.iter().filter_map(|beginning| {
        let mut found = products.iter();
        let found = found.find(|product| product.details.title.starts_with(beginning))?;
        Some(found.id.clone())
    });
    let on_home = |name: &str, text: &str| CollectionRequest {
        name: Some(name.to_owned()),
        text: Some(text.to_owned()),
        on_home: Some(true),
        ..CollectionRequest::default()
    };
    let collections = [
        CollectionRequest {
            rule: Some("tag=hostel".to_owned()),
            in_menu: Some(true),
            ..on_home("Hostel room", "What a first room of one's own needs.")
        },
        CollectionRequest {
            products: Some(gifts.collect()),
            ..on_home(
                "Festive gifts",
                "Five that *arrive in time*, from all our sellers.",
            )
        },
        CollectionRequest {
            rule: Some("maxPrice=300".to_owned()),
            ends_at: Some(rfc3339(now + SignedDuration::from_hours(24 * 7))),
            ..on_home("Up to ₹300 this week", "")
        },
    ];
    for collection in collections {
        let actor = ACTOR.to_owned();
        let added = store.set_collection(None, collection, actor, now).wait()?;
        added.map_err(|error| StoreError::Other(format!("{error:?}")))?;
    }
    Ok(())
}

/// Puts the drafts in a queue whose first one goes live after an hour.
fn add_queue(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    let drafts = store.list_products(&ListQuery {
        limit: ListQuery::MAX_LIMIT,
        filters: Filters {
            state: Some(State::Draft),
            ..Filters::default()
        },
        ..ListQuery::default()
    })?;
    let ids = drafts.page.items.into_iter().map(|product| product.id);
    store.make_up_queue(ids.collect(), now).wait()
}

/// Adds a channel whose posts go nowhere, and queues some.
fn add_channel(store: &Store, products: &[Product], now: Timestamp) -> Result<(), StoreError> {
    let choice = ChannelChoice {
        kind: ChannelKind::Nowhere,
        name: "Test: goes nowhere".to_owned(),
        chat: String::new(),
        template: String::new(),
        rule: ChannelRule {
            on: true,
            query: "minDiscount=40".to_owned(),
            ..ChannelRule::default()
        },
        is_on: true,
        token: None,
    };
    let id = new_id();
    store.save_channel(id.clone(), choice, None, ACTOR.to_owned(), now)?;
    let posted = products.iter().take(5).map(|product| product.id.clone());
    store.post_products(id, posted.collect(), now)?;
    Ok(())
}

/// Adds a bank day to a seller, and a coupon to the clothing of another.
fn add_seller_offers(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    let end = |days: i64| rfc3339(now + SignedDuration::from_hours(24 * days));
    let offers = [
        (
            "Croma",
            json!({
                "kind": "bank", "text": "Kotak card", "percent": 10, "cap": 1500, "minOrder": 3000,
                "instant": true, "endsAt": end(2),
            }),
        ),
        (
            "Myntra",
            json!({
                "kind": "coupon", "code": "STYLE100", "amount": 100, "minOrder": 999,
                "category": "Clothing", "endsAt": end(5),
            }),
        ),
    ];
    for (source, offer) in offers {
        let actor = ACTOR.to_owned();
        let added = store.save_seller_offer(source.to_owned(), None, offer, actor, now);
        added
            .wait()?
            .map_err(|error| StoreError::Other(format!("{error:?}")))?;
    }
    Ok(())
}

fn runs(product: &Product, past: &[(i64, i64, i64)], now: Timestamp) -> Vec<PriceRun> {
    let added = product.created_at;
    let at = |days: i64| (now - SignedDuration::from_hours(24 * days)).max(added);
    let details = &product.details;
    let checked = UNCHECKED
        .iter()
        .find(|(beginning, _)| details.title.starts_with(beginning))
        .map_or(now, |(_, days)| at(*days));
    // Not before the last change.
    let checked = past.last().map_or(now, |(days, ..)| checked.max(at(*days)));
    let ends = past
        .iter()
        .skip(1)
        .map(|(days, ..)| at(*days))
        .chain([checked]);
    let runs = past.iter().zip(ends).map(|((days, paid, listed), until)| {
        let price = percent_of(details.price, *listed);
        PriceRun {
            from: at(*days),
            until,
            price,
            final_price: percent_of(details.final_price, *paid).min(price),
        }
    });
    // The database counts in milliseconds.
    runs.filter(|run| run.until.as_millisecond() > added.as_millisecond())
        .collect()
}

/// Percentage of a price, in whole rupees unless it is 100.
fn percent_of(price: Paise, percent: i64) -> Paise {
    if percent == 100 {
        return price;
    }
    Paise::new(price.get() * percent / 10_000 * 100).unwrap_or(price)
}
