-- # Base data

-- ## Categories

-- The categories. A product stores a key, which never changes, so that a rename touches no product. A merged
-- category stays as a row, so that its products, and files and addresses that name it, find the other.
CREATE TABLE categories (
    number      INTEGER PRIMARY KEY, -- of the key in the sort index
    key         TEXT    NOT NULL UNIQUE CHECK (key NOT IN ('', 'all')), -- what products store
    name        TEXT    NOT NULL CHECK (name <> ''), -- on the wire, without slashes
    slug        TEXT    NOT NULL CHECK (slug <> ''), -- part of its address
    parent      INTEGER REFERENCES categories (number), -- the category above it
    position    INTEGER NOT NULL, -- among those beside it
    hidden      INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)), -- where visitors choose a category
    drawing     TEXT    NOT NULL, -- in place of a missing picture
    ground      INTEGER NOT NULL CHECK (ground BETWEEN 1 AND 8), -- of pictures
    text        TEXT    NOT NULL DEFAULT '', -- above its list
    merged_into INTEGER REFERENCES categories (number)
) STRICT;

INSERT INTO categories (number, key, name, slug, position, drawing, ground)
VALUES (1, 'Electronics', 'Electronics', 'electronics', 1, 'plug', 1),
       (2, 'Clothing', 'Clothing', 'clothing', 2, 'shirt', 2),
       (3, 'Books', 'Books', 'books', 3, 'book-open', 3),
       (4, 'Home', 'Home', 'home', 4, 'house', 4);

-- Names and slugs that categories had before they were renamed. The newest row of a name counts.
CREATE TABLE former_categories (
    key      INTEGER PRIMARY KEY,
    name     TEXT    NOT NULL,
    slug     TEXT    NOT NULL,
    category INTEGER NOT NULL REFERENCES categories (number)
) STRICT;

-- Number of changes of the categories, by which a snapshot in memory is recognized as outdated.
CREATE TABLE category_version (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
) STRICT;

INSERT INTO category_version VALUES (1, 1);

-- A category that is renamed, moved or described otherwise makes the snapshots outdated.
CREATE TRIGGER category_version_on_insert AFTER INSERT ON categories BEGIN
    UPDATE category_version SET version = version + 1;
END;

CREATE TRIGGER category_version_on_update AFTER UPDATE ON categories BEGIN
    UPDATE category_version SET version = version + 1;
END;

CREATE TRIGGER category_version_on_delete AFTER DELETE ON categories BEGIN
    UPDATE category_version SET version = version + 1;
END;

-- The key, and the names from the top with slashes between them, of the category that a stored key means.
CREATE VIEW category_labels AS
SELECT categories.key AS stored,
       named.name AS name,
       named.key || '/' || coalesce(above.name || '/', '') || named.name AS label
FROM categories
JOIN categories AS named ON named.number = coalesce(categories.merged_into, categories.number)
LEFT JOIN categories AS above ON above.number = named.parent;

-- The rule for categories of products, which is edited in place: it changes no row.
UPDATE sqlite_schema
SET sql = replace(sql, 'CHECK (category IN (''Electronics'', ''Clothing'', ''Books'', ''Home''))', 'REFERENCES categories (key)')
WHERE name = 'products';

-- # Derived data

-- ## Search

-- Terms of the names of categories. Products with such a category match them, so that a rename changes no
-- posting list.
CREATE TABLE category_terms (
    term     TEXT NOT NULL,
    category TEXT NOT NULL, -- categories.key
    PRIMARY KEY (term, category)
) STRICT, WITHOUT ROWID;
