-- What products were before many of them were changed or deleted at once, kept
-- for a minute so that it can be undone.
CREATE TABLE undos (
    key INTEGER PRIMARY KEY,
    id  TEXT    NOT NULL UNIQUE,
    at  INTEGER NOT NULL                           -- milliseconds since 1970, UTC
) STRICT;

CREATE TABLE undo_products (
    undo           INTEGER NOT NULL REFERENCES undos (key) ON DELETE CASCADE,
    -- The version that the change made; none where the product was deleted.
    version        INTEGER,
    key            INTEGER NOT NULL,
    id             TEXT    NOT NULL,
    title          TEXT    NOT NULL,
    description    TEXT    NOT NULL,
    price          INTEGER NOT NULL,
    discount       INTEGER NOT NULL,
    final_price    INTEGER NOT NULL,
    category       TEXT    NOT NULL,
    source         TEXT    NOT NULL,
    affiliate_link TEXT    NOT NULL,
    images         TEXT    NOT NULL,
    clicks         INTEGER NOT NULL,
    average_rating REAL    NOT NULL,
    total_ratings  INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    PRIMARY KEY (undo, id)
) STRICT, WITHOUT ROWID;
