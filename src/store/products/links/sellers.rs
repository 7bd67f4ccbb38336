//! Other names of sellers: a new name, or that of another seller, with which it becomes one.

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::{Map, json};

use super::{save_shop, shop};
use crate::domain::{Action, ShopSettings};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::run;
use crate::store::products::activity::ActivityLog;
use crate::store::products::bulk::parts::Room;
use crate::store::products::prices::track;

/// A new name of a seller.
#[derive(Debug, Clone)]
pub struct SellerName {
    /// The present name.
    pub from: String,
    /// The new one.
    pub to: String,
}

struct Renaming {
    name: SellerName,
    has_begun: bool,
    moved: u64,
    actor: String,
    now: Timestamp,
}

impl Store {
    /// Gives a seller another name in parts, and returns the number of its products. They keep their prices, and
    /// from the first part on, whatever names the seller as before is about the new name. After a kill, the same call
    /// goes on.
    pub fn rename_seller(&self, name: SellerName, actor: String, now: Timestamp) -> Result<u64> {
        let renaming = Renaming {
            name,
            has_begun: false,
            moved: 0,
            actor,
            now,
        };
        Ok(self.make_in_parts(renaming, rename_part, now)?.moved)
    }
}

fn rename_part(connection: &Connection, renaming: &mut Renaming, room: &mut Room) -> Result<bool> {
    let SellerName { from, to } = &renaming.name;
    let mut shop = shop(connection)?;
    if !renaming.has_begun {
        note_name(&mut shop, from, to);
        save_shop(connection, &shop)?;
        renaming.has_begun = true;
    }
    let rules = shop.link_rules();
    let has_history = |name: &String| shop.sources.get(name).is_none_or(|rules| rules.history);
    let keeps_prices = has_history(from) && has_history(to);
    let deals = deals_of(connection, from, room.left())?;
    let is_last = deals.len() < room.left();
    for mut deal in deals {
        rules.apply(&mut from.clone(), &mut deal.link);
        rename_deal(connection, &deal, to, keeps_prices)?;
        renaming.moved += 1;
    }
    if is_last {
        finish(connection, renaming)?;
    }
    Ok(is_last)
}

/// A deal of the seller.
struct Deal {
    key: i64,
    link: String,
    proven: i64,
    /// Its former prices as JSON.
    prices: String,
}

fn deals_of(connection: &Connection, source: &str, most: usize) -> Result<Vec<Deal>> {
    let mut statement = connection.prepare_cached(
        "SELECT key, affiliate_link, proven_discount, \
         (SELECT json_group_array(json_array(from_at, until_at, price, final_price, set_by)) \
          FROM prices WHERE product = key) \
         FROM listed_products WHERE source = ? LIMIT ?",
    )?;
    let rows = statement.query_map(params![source, most], |row| {
        Ok(Deal {
            key: row.get(0)?,
            link: row.get(1)?,
            proven: row.get(2)?,
            prices: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn rename_deal(connection: &Connection, deal: &Deal, to: &str, keeps_prices: bool) -> Result<()> {
    let Deal { key, link, .. } = deal;
    let sql = "UPDATE products SET source = ?, affiliate_link = ? WHERE key = ?";
    run(connection, sql, params![to, link, key])?;
    if !keeps_prices {
        return Ok(());
    }
    // A trigger has deleted them: another seller has other prices, but this one has only another name.
    run(connection, "DELETE FROM prices WHERE product = ?", [key])?;
    let sql = "INSERT INTO prices (product, from_at, until_at, price, final_price, set_by) \
               SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)";
    run(connection, sql, params![key, deal.prices])?;
    let sql = "UPDATE products SET proven_discount = ? WHERE key = ?";
    run(connection, sql, [&deal.proven, key])
}

fn note_name(shop: &mut ShopSettings, from: &str, to: &str) {
    for present in shop.seller_names.values_mut() {
        if present == from {
            to.clone_into(present);
        }
    }
    shop.seller_names.remove(to);
    shop.seller_names.insert(from.to_owned(), to.to_owned());
    // With its tag, links are written as they are to stay.
    if let Some(tag) = shop.tags.get(from).cloned() {
        shop.tags.entry(to.to_owned()).or_insert(tag);
    }
}

fn finish(connection: &Connection, renaming: &Renaming) -> Result<()> {
    let SellerName { from, to } = &renaming.name;
    let mut shop = shop(connection)?;
    shop.rename_seller(from, to);
    save_shop(connection, &shop)?;
    let untracked = shop.sources.iter().filter(|(_, rules)| !rules.history);
    let untracked: Vec<String> = untracked.map(|(source, _)| source.clone()).collect();
    track(connection, &untracked)?;
    for table in ["seller_offers", "clicked_products", "removed_products"] {
        let sql = format!("UPDATE {table} SET source = ?2 WHERE source = ?1");
        run(connection, &sql, [from, to])?;
    }
    // An undo must not bring the former name back.
    let sql = "UPDATE undo_products SET product = json_set(product, '$.source', ?2) \
               WHERE product ->> 'source' = ?1";
    run(connection, sql, [from, to])?;
    let sql = "UPDATE settings SET offers_version = offers_version + 1";
    run(connection, sql, [])?;
    let details = Map::from_iter([
        ("seller".to_owned(), json!({ "from": from, "to": to })),
        ("products".to_owned(), renaming.moved.into()),
    ]);
    let mut log = ActivityLog::new(renaming.actor.as_str(), renaming.now);
    log.write(connection, Action::Set, None, details)
}
