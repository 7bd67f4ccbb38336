-- # Base data

-- ## Products

ALTER TABLE products ADD COLUMN external_id TEXT CHECK (external_id <> ''); -- at the seller, and identifies the product before its link does

-- An import finds the product to update by its external id first.
CREATE INDEX products_by_external_id ON products (source, external_id) WHERE external_id IS NOT NULL;

-- ## Activity log and undo

-- The seller's tag before a change that rewrote its links, and after it.
CREATE TABLE undo_tags (
    undo   INTEGER PRIMARY KEY REFERENCES undos (key) ON DELETE CASCADE,
    source TEXT    NOT NULL,
    before TEXT    NOT NULL,
    after  TEXT    NOT NULL
) STRICT;

-- The links that were rewritten, as they were before.
CREATE TABLE undo_links (
    undo    INTEGER NOT NULL REFERENCES undos (key) ON DELETE CASCADE,
    product INTEGER NOT NULL, -- products.key
    id      TEXT    NOT NULL, -- products.id: keys are reused
    version INTEGER NOT NULL, -- updated_at after the change
    link    TEXT    NOT NULL,
    PRIMARY KEY (undo, product)
) STRICT, WITHOUT ROWID;
