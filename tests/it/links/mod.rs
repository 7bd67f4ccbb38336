//! Links of sellers: rules, tags, duplicates and short links.

mod external_ids;
mod messages;
mod on_every_way_in;
mod rules;
mod short_links;
mod tags;
