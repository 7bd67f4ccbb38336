-- # Base data

-- ## Products

ALTER TABLE products ADD COLUMN undrafted_at INTEGER; -- first publication, null for a product that visitors have seen since its creation or start, or not yet
ALTER TABLE products ADD COLUMN content_at INTEGER; -- last change of what its page says, null if that is updated_at
ALTER TABLE products ADD COLUMN published_at INTEGER AS (max(created_at, coalesce(starts_at, 0), coalesce(undrafted_at, 0))) VIRTUAL; -- since when visitors see it

-- Lists were sorted by creation.
DROP INDEX products_by_created_at;

-- The newest are those that visitors have seen for the shortest time.
CREATE INDEX products_by_published_at ON products (published_at, id) WHERE state = 0;

-- ## Settings

-- The shop's first public address, with which the ids of its feed begin: they outlive a move.
CREATE TABLE feed_base (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    address TEXT    NOT NULL
) STRICT;
