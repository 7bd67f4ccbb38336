-- What products cost, and from when until when that was seen.

CREATE TABLE prices (
    product     INTEGER NOT NULL,                  -- the key in products
    from_at     INTEGER NOT NULL,                  -- milliseconds since 1970, UTC
    until_at    INTEGER,                           -- none while it is so: it was seen when the price was looked at
    price       INTEGER NOT NULL,                  -- paise
    final_price INTEGER NOT NULL,
    origin      TEXT    NOT NULL DEFAULT '',       -- the administrator who set it; empty for a file
    PRIMARY KEY (product, from_at)
) STRICT, WITHOUT ROWID;

-- Sellers whose programme forbids to keep former prices.
CREATE TABLE untracked_sources (
    source TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO untracked_sources
SELECT rules.key FROM settings, json_each(settings.shop, '$.sources') AS rules
WHERE json_extract(rules.value, '$.history') = 0;

-- What the former prices prove of a discount, in hundredths of a percent, and by what badge they are
-- told: 0 none, 1 lowest in 90 days, 2 good price.
ALTER TABLE products ADD COLUMN proof INTEGER NOT NULL DEFAULT 0 CHECK (proof BETWEEN 0 AND 10000);
ALTER TABLE products ADD COLUMN badge INTEGER NOT NULL DEFAULT 0 CHECK (badge BETWEEN 0 AND 2);
CREATE INDEX products_by_proof ON products (proof, id) WHERE state = 0;

-- Products whose proof is to be worked out again.
CREATE TABLE stale_proofs (
    product INTEGER PRIMARY KEY
) STRICT;

-- What is known begins now.
INSERT INTO prices (product, from_at, price, final_price)
SELECT key, CAST(unixepoch('subsec') * 1000 AS INTEGER), price, final_price FROM products
WHERE source NOT IN (SELECT source FROM untracked_sources);

CREATE TRIGGER prices_insert AFTER INSERT ON products
WHEN NOT EXISTS (SELECT 1 FROM untracked_sources WHERE source = new.source) BEGIN
    INSERT OR REPLACE INTO prices (product, from_at, price, final_price)
    VALUES (new.key, CAST(unixepoch('subsec') * 1000 AS INTEGER), new.price, new.final_price);
END;

-- The price of before was so until now, or until it was last seen where that is longer ago than a week.
CREATE TRIGGER prices_update AFTER UPDATE OF price, final_price ON products
WHEN (old.price, old.final_price) IS NOT (new.price, new.final_price)
  AND NOT EXISTS (SELECT 1 FROM untracked_sources WHERE source = new.source) BEGIN
    UPDATE prices SET until_at = max(from_at, CASE
        WHEN coalesce((SELECT at FROM price_looks WHERE price_looks.product = old.key), old.updated_at)
             < unixepoch() * 1000 - 7 * 86400000
        THEN coalesce((SELECT at FROM price_looks WHERE price_looks.product = old.key), old.updated_at)
        ELSE CAST(unixepoch('subsec') * 1000 AS INTEGER) END)
    WHERE product = new.key AND until_at IS NULL;
    -- Behind the others, also where the clock was put back.
    INSERT INTO prices (product, from_at, price, final_price)
    VALUES (new.key, max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
                         coalesce((SELECT max(from_at) FROM prices WHERE product = new.key), 0) + 1),
            new.price, new.final_price);
    INSERT OR IGNORE INTO stale_proofs (product) VALUES (new.key);
    UPDATE products SET proof = 0, badge = 0 WHERE key = new.key AND proof + badge > 0;
END;

CREATE TRIGGER prices_of_another_source AFTER UPDATE OF source ON products
WHEN old.source <> new.source BEGIN
    DELETE FROM prices WHERE product = new.key;
    INSERT INTO prices (product, from_at, price, final_price)
    SELECT new.key, CAST(unixepoch('subsec') * 1000 AS INTEGER), new.price, new.final_price
    WHERE NOT EXISTS (SELECT 1 FROM untracked_sources WHERE source = new.source);
    UPDATE products SET proof = 0, badge = 0 WHERE key = new.key AND proof + badge > 0;
END;

-- Also of products that an unfinished import has not shown yet.
CREATE TRIGGER untracked_sources_insert AFTER INSERT ON untracked_sources BEGIN
    DELETE FROM prices WHERE product IN (SELECT key FROM products WHERE source = new.source);
    UPDATE products SET proof = 0, badge = 0 WHERE source = new.source AND proof + badge > 0;
END;

CREATE TRIGGER untracked_sources_delete AFTER DELETE ON untracked_sources BEGIN
    INSERT INTO prices (product, from_at, price, final_price)
    SELECT key, CAST(unixepoch('subsec') * 1000 AS INTEGER), price, final_price FROM products
    WHERE source = old.source AND NOT EXISTS (SELECT 1 FROM prices WHERE product = key);
END;

CREATE TRIGGER prices_delete AFTER DELETE ON products BEGIN
    DELETE FROM prices WHERE product = old.key;
    DELETE FROM stale_proofs WHERE product = old.key;
END;

DROP TRIGGER products_changed_update;
CREATE TRIGGER products_changed_update
AFTER UPDATE OF id, price, discount, final_price, category, average_rating, total_ratings, created_at, state, proof
ON products BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 0);
END;

-- What was deleted comes back with its prices.
DELETE FROM undo_products;
DELETE FROM undos;
ALTER TABLE undo_products ADD COLUMN prices TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(prices));
ALTER TABLE undo_products ADD COLUMN price_seen INTEGER;             -- when its price was looked at
