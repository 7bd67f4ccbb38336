//! A database as an earlier release left it.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use crate::support::harness::Shop;

/// The schema as it was with the fifth migration.
const BEFORE: [&str; 5] = [
    include_str!("../../../src/store/migrations/0001-0008/0001_products.sql"),
    include_str!("../../../src/store/migrations/0001-0008/0002_accounts.sql"),
    include_str!("../../../src/store/migrations/0001-0008/0003_activity.sql"),
    include_str!("../../../src/store/migrations/0001-0008/0004_undo.sql"),
    include_str!("../../../src/store/migrations/0001-0008/0005_filters.sql"),
];

/// A shop whose database is as the fifth migration left it, with 300 products.
pub fn older_shop() -> Shop {
    let shop = Shop::new();
    let connection = Connection::open(shop.db()).unwrap();
    connection
        .create_scalar_function("search_words", 1, FunctionFlags::SQLITE_UTF8, |context| {
            context.get::<String>(0)
        })
        .unwrap();
    connection
        .pragma_update(None, "application_id", 0x6465_616c)
        .unwrap();
    for migration in BEFORE {
        connection.execute_batch(migration).unwrap();
    }
    connection.pragma_update(None, "user_version", 5).unwrap();
    let mut insert = connection
        .prepare(
            "INSERT INTO products (id, title, description, price, discount, final_price, category, source, \
             affiliate_link, images, clicks, average_rating, total_ratings, created_at, updated_at) \
             VALUES (?, ?, 'Words of the description', 100, 0, 100, 'Books', 'Amazon', \
             'https://shop.example/', '[\"https://pictures.example/1.jpg\"]', ?, 4.5, 10, 1, 1)",
        )
        .unwrap();
    for n in 0..300 {
        insert
            .execute((format!("id-{n}"), format!("Title {n} with novels"), n))
            .unwrap();
    }
    drop(insert);
    connection.close().unwrap();
    shop
}
