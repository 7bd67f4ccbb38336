-- A full-text index of the program's own: sets of products for each word, which
-- are counted and combined without looking at a product.

DROP TRIGGER products_search_insert;
DROP TRIGGER products_search_delete;
DROP TRIGGER products_search_update;
DROP TABLE product_terms;
DROP TABLE product_search;
DROP VIEW product_words;

-- A term is a word or a stem; or, told by its first character, '*' and up to three
-- letters that a word begins with, '@' and a category, '$' and a source. '=' before
-- a word or a '*' stands for those in titles alone. A term stays when its last product
-- goes, so that its number is nobody else's.
CREATE TABLE search_terms (
    number   INTEGER PRIMARY KEY,
    term     TEXT    NOT NULL UNIQUE,
    products INTEGER NOT NULL CHECK (products >= 0),
    -- A bit for each chunk of keys (modulo 64) that may hold such a product.
    chunks   INTEGER NOT NULL
) STRICT;

-- Which of a chunk's 65,536 keys have the term; place is the chunk's number times
-- 2^32 and the term's number, so that new products write to the table's end.
CREATE TABLE search_postings (
    place INTEGER PRIMARY KEY,
    keys  BLOB NOT NULL
) STRICT;

-- index_words() is the program's own function and remembers what changed until the
-- commit. A tool that does not know it can't change products behind the index's back.
CREATE TRIGGER products_words_insert AFTER INSERT ON products BEGIN
    SELECT index_words(new.key, NULL, NULL, NULL, NULL,
                       new.title, new.description, new.source, new.category);
END;

CREATE TRIGGER products_words_delete AFTER DELETE ON products BEGIN
    SELECT index_words(old.key, old.title, old.description, old.source, old.category,
                       NULL, NULL, NULL, NULL);
END;

CREATE TRIGGER products_words_update
AFTER UPDATE OF title, description, source, category ON products
WHEN (old.title, old.description, old.source, old.category)
    IS NOT (new.title, new.description, new.source, new.category) BEGIN
    SELECT index_words(old.key, old.title, old.description, old.source, old.category,
                       new.title, new.description, new.source, new.category);
END;

-- Products of an import that is not finished: they are in no list yet, and go when
-- the import does not end.
CREATE TABLE hidden_products (
    first INTEGER PRIMARY KEY,
    last  INTEGER NOT NULL CHECK (last >= first)
) STRICT;

-- Which products changed, for whoever keeps their order in memory; the last some
-- thousands. A key of 0 stands for more than can be listed.
CREATE TABLE product_changes (
    number      INTEGER PRIMARY KEY,
    key         INTEGER NOT NULL,
    clicks_only INTEGER NOT NULL
) STRICT;

INSERT INTO product_changes (key, clicks_only) VALUES (0, 0);

CREATE TRIGGER product_changes_trim AFTER INSERT ON product_changes BEGIN
    DELETE FROM product_changes WHERE number <= new.number - 8192;
END;

CREATE TRIGGER products_changed_insert AFTER INSERT ON products
WHEN NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 0);
END;

CREATE TRIGGER products_changed_delete AFTER DELETE ON products
WHEN NOT EXISTS (SELECT 1 FROM hidden_products WHERE old.key BETWEEN first AND last) BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (old.key, 0);
END;

CREATE TRIGGER products_changed_update
AFTER UPDATE OF id, price, discount, final_price, category, average_rating, total_ratings, created_at
ON products BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 0);
END;

CREATE TRIGGER products_changed_click AFTER UPDATE OF clicks ON products BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 1);
END;

-- The counts leave hidden products out.
DROP TRIGGER products_count_insert;
DROP TRIGGER products_count_delete;
DROP TRIGGER products_source_count_insert;
DROP TRIGGER products_source_count_delete;

CREATE TRIGGER products_count_insert AFTER INSERT ON products
WHEN NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    UPDATE product_counts SET products = products + 1 WHERE category IN ('all', new.category);
    INSERT OR IGNORE INTO product_source_counts (source, category, products)
    VALUES (new.source, new.category, 0);
    UPDATE product_source_counts SET products = products + 1
    WHERE source = new.source AND category = new.category;
END;

CREATE TRIGGER products_count_delete AFTER DELETE ON products
WHEN NOT EXISTS (SELECT 1 FROM hidden_products WHERE old.key BETWEEN first AND last) BEGIN
    UPDATE product_counts SET products = products - 1 WHERE category IN ('all', old.category);
    UPDATE product_source_counts SET products = products - 1
    WHERE source = old.source AND category = old.category;
    DELETE FROM product_source_counts
    WHERE source = old.source AND category = old.category AND products = 0;
END;

-- What a set of keys answers needs no index of its own, and each index makes every
-- write slower.
DROP INDEX products_by_category_created_at;
DROP INDEX products_by_category_price;
DROP INDEX products_by_category_average_rating;
DROP INDEX products_by_category_clicks;
DROP INDEX products_by_category_discount;
DROP INDEX products_by_category_final_price;
DROP INDEX products_by_source;
