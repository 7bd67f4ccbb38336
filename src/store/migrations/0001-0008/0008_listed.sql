-- What readers see: every product but those of an import that is not finished.
CREATE VIEW listed_products AS
SELECT * FROM products
WHERE NOT EXISTS (SELECT 1 FROM hidden_products WHERE products.key BETWEEN first AND last);

-- What products were before many of them were changed or deleted at once, each as a JSON
-- object of its columns.
DELETE FROM undos;
DROP TABLE undo_products;
CREATE TABLE undo_products (
    undo    INTEGER NOT NULL REFERENCES undos (key) ON DELETE CASCADE,
    -- The version that the change made; none where the product was deleted.
    version INTEGER,
    key     INTEGER NOT NULL,
    id      TEXT    NOT NULL,
    product TEXT    NOT NULL CHECK (json_valid(product)),
    PRIMARY KEY (undo, id)
) STRICT, WITHOUT ROWID;

-- Posting lists are roaring bitmaps, and the rules that made words into terms have a
-- version: the index is made again when the program's is another one.
CREATE TABLE search_format (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL
) STRICT;

INSERT INTO search_format (one, version) VALUES (1, 0);

DELETE FROM search_terms;
DROP TABLE search_postings;

-- Which of a chunk's 65,536 products have the term: the key is the chunk's number times
-- 2^32 and the term's number, so that new products write to the table's end.
CREATE TABLE search_postings (
    chunk_and_term INTEGER PRIMARY KEY,
    ids            BLOB NOT NULL
) STRICT;
