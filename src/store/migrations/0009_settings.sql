-- What the owner says of the shop, as JSON, and its mark. The version counts changes, so
-- that of two who change it at once the second is told.
CREATE TABLE settings (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    version   INTEGER NOT NULL,
    shop      TEXT    NOT NULL CHECK (json_valid(shop)),
    mark_type TEXT    CHECK (mark_type IN ('image/svg+xml', 'image/png', 'image/jpeg')),
    mark      BLOB,
    CHECK ((mark IS NULL) = (mark_type IS NULL))
) STRICT;

INSERT INTO settings (one, version, shop) VALUES (1, 0, '{}');

-- What a discount saves in rupees, for the products that save most.
CREATE INDEX products_by_saving ON products (price - final_price, id) WHERE discount > 0;
