-- # Base data

-- ## Subscribers

-- The key pair that signs push messages (RFC 8292).
CREATE TABLE push_key (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    sealed BLOB NOT NULL -- PKCS #8, encrypted with the shop's key
) STRICT;

-- Browsers that get push messages, without an account.
CREATE TABLE push_browsers (
    key        INTEGER PRIMARY KEY,
    endpoint   TEXT    NOT NULL UNIQUE, -- address at its push service
    p256dh     BLOB    NOT NULL CHECK (length(p256dh) = 65), -- its public key
    auth       BLOB    NOT NULL CHECK (length(auth) = 16),
    created_at INTEGER NOT NULL
) STRICT;

-- Prices that somebody waits for.
CREATE TABLE alerts (
    key          INTEGER PRIMARY KEY,
    subscriber   INTEGER REFERENCES subscribers (key) ON DELETE CASCADE,
    browser      INTEGER REFERENCES push_browsers (key) ON DELETE CASCADE,
    product      TEXT    NOT NULL, -- products.id
    target       INTEGER NOT NULL CHECK (target >= 100), -- paise
    is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),
    told         INTEGER, -- lowest price told since the price was last above the target
    told_at      INTEGER,
    wait_until   INTEGER, -- when it is looked at again
    created_at   INTEGER NOT NULL,
    CHECK ((subscriber IS NULL) <> (browser IS NULL))
) STRICT;

CREATE UNIQUE INDEX alerts_of_subscriber ON alerts (subscriber, product) WHERE subscriber IS NOT NULL;
CREATE UNIQUE INDEX alerts_of_browser ON alerts (browser, product) WHERE browser IS NOT NULL;
CREATE INDEX alerts_by_product ON alerts (product, key);
CREATE INDEX alerts_unanswered ON alerts (created_at) WHERE is_confirmed = 0;
CREATE INDEX alerts_waiting ON alerts (wait_until) WHERE wait_until IS NOT NULL;

-- Products whose alerts have to be looked at.
CREATE TABLE price_moves (
    product   TEXT    PRIMARY KEY, -- products.id
    after_key INTEGER NOT NULL -- those up to this alerts.key were looked at
) STRICT, WITHOUT ROWID;

CREATE TRIGGER price_moves_on_update AFTER UPDATE OF final_price, state ON products
WHEN (new.final_price <> old.final_price OR new.state <> old.state)
    AND EXISTS (SELECT 1 FROM alerts WHERE product = new.id)
BEGIN
    INSERT OR REPLACE INTO price_moves (product, after_key) VALUES (new.id, 0);
END;

-- The price may have fallen while the mail that asks was not answered.
CREATE TRIGGER alerts_on_answer AFTER UPDATE OF asked_at ON subscribers
WHEN old.asked_at IS NOT NULL AND new.asked_at IS NULL
BEGIN
    UPDATE alerts SET is_confirmed = 1 WHERE key IN (
        SELECT key FROM alerts WHERE subscriber = new.key ORDER BY NOT is_confirmed, key LIMIT 50
    );
    INSERT OR REPLACE INTO price_moves (product, after_key)
        SELECT product, 0 FROM alerts WHERE subscriber = new.key;
END;

-- A deleted product comes back by its undo, or is forgotten.
CREATE TRIGGER alerts_on_forget AFTER DELETE ON removed_products
WHEN NOT EXISTS (SELECT 1 FROM products WHERE id = old.id)
BEGIN
    DELETE FROM alerts WHERE product = old.id;
END;
