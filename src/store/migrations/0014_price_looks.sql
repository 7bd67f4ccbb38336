-- When a product's price was looked at, where that is not when it was last changed: later, because
-- an import or an administrator found it as it was, or earlier, because something else was changed.
CREATE TABLE price_looks (
    product INTEGER PRIMARY KEY,                   -- the key in products
    at      INTEGER NOT NULL                       -- milliseconds since 1970, UTC
) STRICT;

CREATE TRIGGER products_deleted_price_look AFTER DELETE ON products BEGIN
    DELETE FROM price_looks WHERE product = OLD.key;
END;
