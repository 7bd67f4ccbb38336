-- When the offers of a product were last found to be so: by a change of them, an administrator's
-- save, or an import whose row names them.
CREATE TABLE offer_checks (
    product INTEGER PRIMARY KEY,                   -- the key in products
    at      INTEGER NOT NULL                       -- milliseconds since 1970, UTC
) STRICT;

INSERT INTO offer_checks SELECT key, updated_at FROM products WHERE offers <> '[]';

CREATE TRIGGER offers_inserted_check AFTER INSERT ON products WHEN new.offers <> '[]' BEGIN
    INSERT OR REPLACE INTO offer_checks VALUES (new.key, new.updated_at);
END;

CREATE TRIGGER offers_changed_check AFTER UPDATE OF offers ON products WHEN old.offers <> new.offers BEGIN
    INSERT OR REPLACE INTO offer_checks VALUES (new.key, new.updated_at);
END;

CREATE TRIGGER offers_deleted_check AFTER DELETE ON products WHEN old.offers <> '[]' BEGIN
    DELETE FROM offer_checks WHERE product = old.key;
END;
