-- # Base data

-- ## Products

-- Deleted products that visitors could see, for 90 days: their page names them and shows similar deals.
-- Without a price, which some sellers' programmes forbid to store.
CREATE TABLE removed_products (
    number     INTEGER PRIMARY KEY, -- the newest is the largest
    id         TEXT    NOT NULL UNIQUE, -- products.id
    title      TEXT    NOT NULL, -- as it was last, like source and category
    source     TEXT    NOT NULL,
    category   TEXT    NOT NULL,
    removed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX removed_products_by_removed_at ON removed_products (removed_at);

-- Live and ended products only, and none of an import that was killed. Keeps the last 50,000.
CREATE TRIGGER removed_products_on_delete AFTER DELETE ON products
WHEN old.state IN (0, 2)
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE old.key BETWEEN first AND last) BEGIN
    INSERT OR REPLACE INTO removed_products (id, title, source, category, removed_at)
    VALUES (old.id, old.title, old.source, old.category, CAST(unixepoch('subsec') * 1000 AS INTEGER));
    DELETE FROM removed_products
    WHERE number <= (SELECT max(number) FROM removed_products) - 50000;
END;

-- An undo or an import may add it again.
CREATE TRIGGER removed_products_on_insert AFTER INSERT ON products BEGIN
    DELETE FROM removed_products WHERE id = new.id;
END;

DROP INDEX activity_of_deleted;
