-- From when until when a deal is offered.

ALTER TABLE products ADD COLUMN draft INTEGER NOT NULL DEFAULT 0 CHECK (draft IN (0, 1));
ALTER TABLE products ADD COLUMN starts_at INTEGER;                 -- milliseconds since 1970, UTC
ALTER TABLE products ADD COLUMN ends_at INTEGER CHECK (ends_at > starts_at);
-- What the times made of it when the clock was last looked at: 0 live, 1 scheduled, 2 ended, 3 draft.
ALTER TABLE products ADD COLUMN state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3);

-- What lists show.
CREATE VIEW live_products AS
SELECT * FROM products
WHERE state = 0
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE products.key BETWEEN first AND last);

-- The sorts hold what lists show and nothing else.
DROP INDEX products_by_created_at;
DROP INDEX products_by_price;
DROP INDEX products_by_average_rating;
DROP INDEX products_by_clicks;
DROP INDEX products_by_discount;
DROP INDEX products_by_final_price;
DROP INDEX products_by_popularity;
DROP INDEX products_by_saving;
CREATE INDEX products_by_created_at     ON products (created_at, id) WHERE state = 0;
CREATE INDEX products_by_price          ON products (price, id) WHERE state = 0;
CREATE INDEX products_by_average_rating ON products (average_rating, id) WHERE state = 0;
CREATE INDEX products_by_clicks         ON products (clicks, id) WHERE state = 0;
CREATE INDEX products_by_discount       ON products (discount, id) WHERE state = 0;
CREATE INDEX products_by_final_price    ON products (final_price, id) WHERE state = 0;
CREATE INDEX products_by_popularity     ON products (clicks, total_ratings, id) WHERE state = 0;
CREATE INDEX products_by_saving         ON products (price - final_price, id) WHERE discount > 0 AND state = 0;

-- What no list shows, and what starts or ends next.
CREATE INDEX products_by_state ON products (state, starts_at) WHERE state > 0;
CREATE INDEX products_by_start ON products (starts_at) WHERE state = 0 AND starts_at IS NOT NULL;
CREATE INDEX products_by_end   ON products (ends_at) WHERE state = 0 AND ends_at IS NOT NULL;

-- When the clock was last looked at.
CREATE TABLE clock (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    settled_at INTEGER NOT NULL                                    -- milliseconds since 1970, UTC
) STRICT;

INSERT INTO clock (one, settled_at) VALUES (1, 0);

-- What was deleted is told from what never was.
CREATE INDEX activity_of_deleted ON activity (product) WHERE action = 'deleted';

-- The counts are of what lists show.
DROP TRIGGER products_count_insert;
DROP TRIGGER products_count_delete;
DROP TRIGGER products_count_move;
DROP TRIGGER products_source_count_move;
DROP TRIGGER products_changed_update;

CREATE TRIGGER products_count_insert AFTER INSERT ON products
WHEN new.state = 0
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    UPDATE product_counts SET products = products + 1 WHERE category IN ('all', new.category);
    INSERT OR IGNORE INTO product_source_counts (source, category, products)
    VALUES (new.source, new.category, 0);
    UPDATE product_source_counts SET products = products + 1
    WHERE source = new.source AND category = new.category;
END;

CREATE TRIGGER products_count_delete AFTER DELETE ON products
WHEN old.state = 0
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE old.key BETWEEN first AND last) BEGIN
    UPDATE product_counts SET products = products - 1 WHERE category IN ('all', old.category);
    UPDATE product_source_counts SET products = products - 1
    WHERE source = old.source AND category = old.category;
    DELETE FROM product_source_counts
    WHERE source = old.source AND category = old.category AND products = 0;
END;

CREATE TRIGGER products_count_update AFTER UPDATE OF source, category, state ON products
WHEN (old.source, old.category, old.state = 0) IS NOT (new.source, new.category, new.state = 0)
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    UPDATE product_counts SET products = products - 1
    WHERE old.state = 0 AND category IN ('all', old.category);
    UPDATE product_source_counts SET products = products - 1
    WHERE old.state = 0 AND source = old.source AND category = old.category;
    DELETE FROM product_source_counts
    WHERE old.state = 0 AND source = old.source AND category = old.category AND products = 0;
    INSERT OR IGNORE INTO product_source_counts (source, category, products)
    SELECT new.source, new.category, 0 WHERE new.state = 0;
    UPDATE product_source_counts SET products = products + 1
    WHERE new.state = 0 AND source = new.source AND category = new.category;
    UPDATE product_counts SET products = products + 1
    WHERE new.state = 0 AND category IN ('all', new.category);
END;

CREATE TRIGGER products_changed_update
AFTER UPDATE OF id, price, discount, final_price, category, average_rating, total_ratings, created_at, state
ON products BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 0);
END;

-- A change that can be undone is kept with all columns.
DELETE FROM undo_products;
DELETE FROM undos;
