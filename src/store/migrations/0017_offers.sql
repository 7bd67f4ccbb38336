-- Coupons and other offers beside a product's price.

ALTER TABLE products ADD COLUMN offers TEXT NOT NULL DEFAULT '[]' CHECK (json_type(offers) = 'array');

-- When they end: in whole seconds, rounded up, so that no page is made again too early.
CREATE TABLE offer_ends (
    product INTEGER NOT NULL,                      -- the key in products
    at      INTEGER NOT NULL                       -- milliseconds since 1970, UTC
) STRICT;

CREATE INDEX offer_ends_by_at ON offer_ends (at);
CREATE INDEX offer_ends_by_product ON offer_ends (product);

CREATE TRIGGER offers_insert AFTER INSERT ON products WHEN new.offers <> '[]' BEGIN
    INSERT INTO offer_ends (product, at)
    SELECT new.key, (unixepoch(value ->> 'endsAt') + 1) * 1000 FROM json_each(new.offers)
    WHERE unixepoch(value ->> 'endsAt') IS NOT NULL;
END;

CREATE TRIGGER offers_update AFTER UPDATE OF offers ON products WHEN old.offers <> new.offers BEGIN
    DELETE FROM offer_ends WHERE product = new.key;
    INSERT INTO offer_ends (product, at)
    SELECT new.key, (unixepoch(value ->> 'endsAt') + 1) * 1000 FROM json_each(new.offers)
    WHERE unixepoch(value ->> 'endsAt') IS NOT NULL;
END;

CREATE TRIGGER offers_delete AFTER DELETE ON products WHEN old.offers <> '[]' BEGIN
    DELETE FROM offer_ends WHERE product = old.key;
END;

-- A change that can be undone is kept with all columns.
DELETE FROM undo_products;
DELETE FROM undos;
