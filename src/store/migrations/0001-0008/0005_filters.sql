-- Filtering by source, counts for each choice of a filter, and the vocabulary
-- that misspelt searches are compared with.

-- Holds everything that filters besides the words look at, so that products are
-- counted for each choice without reading them.
CREATE INDEX products_by_source ON products (source, category, final_price, discount);

-- Among products that answer a search equally well: the most followed, then those
-- that most people have rated.
CREATE INDEX products_by_popularity ON products (clicks, total_ratings, id);

-- How many products each source has in each category; none has 0.
CREATE TABLE product_source_counts (
    source   TEXT    NOT NULL,
    category TEXT    NOT NULL,
    products INTEGER NOT NULL CHECK (products >= 0),
    PRIMARY KEY (source, category)
) STRICT, WITHOUT ROWID;

INSERT INTO product_source_counts (source, category, products)
SELECT source, category, count(*) FROM products GROUP BY source, category;

-- No upsert: the conflict clause of the statement that fires a trigger would
-- count for it too.
CREATE TRIGGER products_source_count_insert AFTER INSERT ON products BEGIN
    INSERT OR IGNORE INTO product_source_counts (source, category, products)
    VALUES (new.source, new.category, 0);
    UPDATE product_source_counts SET products = products + 1
    WHERE source = new.source AND category = new.category;
END;

CREATE TRIGGER products_source_count_delete AFTER DELETE ON products BEGIN
    UPDATE product_source_counts SET products = products - 1
    WHERE source = old.source AND category = old.category;
    DELETE FROM product_source_counts
    WHERE source = old.source AND category = old.category AND products = 0;
END;

CREATE TRIGGER products_source_count_move AFTER UPDATE OF source, category ON products
WHEN old.source <> new.source OR old.category <> new.category BEGIN
    UPDATE product_source_counts SET products = products - 1
    WHERE source = old.source AND category = old.category;
    DELETE FROM product_source_counts
    WHERE source = old.source AND category = old.category AND products = 0;
    INSERT OR IGNORE INTO product_source_counts (source, category, products)
    VALUES (new.source, new.category, 0);
    UPDATE product_source_counts SET products = products + 1
    WHERE source = new.source AND category = new.category;
END;

CREATE VIRTUAL TABLE product_terms USING fts5vocab (product_search, row);
