-- Products, their counts and their full-text index.

CREATE TABLE products (
    key            INTEGER PRIMARY KEY,
    id             TEXT    NOT NULL UNIQUE CHECK (id <> ''),
    title          TEXT    NOT NULL,
    description    TEXT    NOT NULL,
    price          INTEGER NOT NULL CHECK (price BETWEEN 0 AND 100000000000), -- paise
    discount       INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 10000),     -- hundredths of a percent
    final_price    INTEGER NOT NULL CHECK (final_price BETWEEN 0 AND price),  -- paise
    category       TEXT    NOT NULL CHECK (category IN ('Electronics', 'Clothing', 'Books', 'Home')),
    source         TEXT    NOT NULL,
    affiliate_link TEXT    NOT NULL,
    images         TEXT    NOT NULL CHECK (json_type(images) = 'array'),
    clicks         INTEGER NOT NULL DEFAULT 0 CHECK (clicks >= 0),
    average_rating REAL    NOT NULL CHECK (average_rating BETWEEN 0 AND 5),
    total_ratings  INTEGER NOT NULL CHECK (total_ratings >= 0),
    created_at     INTEGER NOT NULL,                                          -- milliseconds since 1970, UTC
    updated_at     INTEGER NOT NULL
) STRICT;

-- An import finds the product it updates by its link.
CREATE INDEX products_by_link ON products (affiliate_link, source);

-- One index for each sort, and one for each sort within a category. The id is
-- the tie-break; SQLite walks an index backwards for the descending order.
CREATE INDEX products_by_created_at     ON products (created_at, id);
CREATE INDEX products_by_price          ON products (price, id);
CREATE INDEX products_by_average_rating ON products (average_rating, id);
CREATE INDEX products_by_clicks         ON products (clicks, id);
CREATE INDEX products_by_discount       ON products (discount, id);
CREATE INDEX products_by_final_price    ON products (final_price, id);
CREATE INDEX products_by_category_created_at     ON products (category, created_at, id);
CREATE INDEX products_by_category_price          ON products (category, price, id);
CREATE INDEX products_by_category_average_rating ON products (category, average_rating, id);
CREATE INDEX products_by_category_clicks         ON products (category, clicks, id);
CREATE INDEX products_by_category_discount       ON products (category, discount, id);
CREATE INDEX products_by_category_final_price    ON products (category, final_price, id);

-- How many products each category holds, and 'all': counting rows takes
-- longer than reading a page as soon as there are a few thousand.
CREATE TABLE product_counts (
    category TEXT    PRIMARY KEY,
    products INTEGER NOT NULL CHECK (products >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO product_counts (category, products)
VALUES ('all', 0), ('Electronics', 0), ('Clothing', 0), ('Books', 0), ('Home', 0);

CREATE TRIGGER products_count_insert AFTER INSERT ON products BEGIN
    UPDATE product_counts SET products = products + 1 WHERE category IN ('all', new.category);
END;

CREATE TRIGGER products_count_delete AFTER DELETE ON products BEGIN
    UPDATE product_counts SET products = products - 1 WHERE category IN ('all', old.category);
END;

CREATE TRIGGER products_count_move AFTER UPDATE OF category ON products
WHEN old.category <> new.category BEGIN
    UPDATE product_counts SET products = products - 1 WHERE category = old.category;
    UPDATE product_counts SET products = products + 1 WHERE category = new.category;
END;

-- The words of a product. search_words() is the program's own function, so a
-- tool that does not know it can't change products behind the index's back.
CREATE VIEW product_words AS
SELECT key,
       search_words(title) AS title,
       search_words(description || ' ' || source || ' ' || category) AS rest
FROM products;

-- The words arrive folded and stemmed, so the tokenizer only has to split at
-- spaces: every letter, number and mark belongs to a word. Positions are not
-- kept because no query asks for phrases.
CREATE VIRTUAL TABLE product_search USING fts5 (
    title,
    rest,
    content = 'product_words',
    content_rowid = 'key',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'",
    detail = 'column',
    prefix = '2 3'
);

CREATE TRIGGER products_search_insert AFTER INSERT ON products BEGIN
    INSERT INTO product_search (rowid, title, rest)
    VALUES (new.key, search_words(new.title),
            search_words(new.description || ' ' || new.source || ' ' || new.category));
END;

CREATE TRIGGER products_search_delete AFTER DELETE ON products BEGIN
    INSERT INTO product_search (product_search, rowid, title, rest)
    VALUES ('delete', old.key, search_words(old.title),
            search_words(old.description || ' ' || old.source || ' ' || old.category));
END;

CREATE TRIGGER products_search_update
AFTER UPDATE OF key, title, description, source, category ON products BEGIN
    INSERT INTO product_search (product_search, rowid, title, rest)
    VALUES ('delete', old.key, search_words(old.title),
            search_words(old.description || ' ' || old.source || ' ' || old.category));
    INSERT INTO product_search (rowid, title, rest)
    VALUES (new.key, search_words(new.title),
            search_words(new.description || ' ' || new.source || ' ' || new.category));
END;
