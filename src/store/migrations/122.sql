-- # Base data

-- ## Settings

-- Coupons, bank days and the like of a seller, which count for its products without a row of their own.
CREATE TABLE seller_offers (
    key        INTEGER PRIMARY KEY, -- the order of the list
    id         TEXT    NOT NULL UNIQUE,
    source     TEXT    NOT NULL, -- the seller, as in products
    category   TEXT REFERENCES categories (key), -- of the products, with those below it; null for every one
    min_price  INTEGER, -- least final price of the products in paise, or null
    starts_at  INTEGER, -- null for at once
    ends_at    INTEGER, -- null for never
    offer      TEXT    NOT NULL, -- a list of one, like products.offers
    updated_at INTEGER NOT NULL
) STRICT;

ALTER TABLE settings ADD COLUMN offers_version INTEGER NOT NULL DEFAULT 0; -- number of changes of seller_offers
