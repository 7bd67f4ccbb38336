-- # Base data

-- ## Channels

-- Places outside of the shop to which deals are posted.
CREATE TABLE channels (
    key           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    kind          TEXT    NOT NULL CHECK (kind IN ('telegram', 'discord', 'webhook', 'nowhere')),
    name          TEXT    NOT NULL UNIQUE CHECK (name <> ''),
    chat          TEXT    NOT NULL, -- a chat of Telegram, the address of a webhook, or empty
    sealed        BLOB, -- token, address or secret, encrypted with the shop's key
    sealed_at     INTEGER, -- when it was given
    template      TEXT    NOT NULL, -- empty for the usual one
    rule          TEXT    NOT NULL CHECK (json_valid(rule)),
    has_rule      INTEGER NOT NULL CHECK (has_rule IN (0, 1)), -- whether deals are posted by the rule
    is_on         INTEGER NOT NULL CHECK (is_on IN (0, 1)),
    off_reason    TEXT    NOT NULL DEFAULT '', -- a sentence, if the server switched it off
    last_error    TEXT    NOT NULL DEFAULT '',
    last_error_at INTEGER,
    created_at    INTEGER NOT NULL
) STRICT;

-- Deals that were posted or wait to be posted.
CREATE TABLE posts (
    key      INTEGER PRIMARY KEY, -- subject of the job that sends or edits it
    channel  INTEGER NOT NULL REFERENCES channels (key) ON DELETE CASCADE,
    product  TEXT    NOT NULL, -- products.id
    title    TEXT    NOT NULL, -- of the product when it was queued
    by_rule  INTEGER NOT NULL CHECK (by_rule IN (0, 1)),
    state    TEXT    NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed')),
    at       INTEGER NOT NULL, -- when it was queued
    sent_at  INTEGER,
    message  TEXT    NOT NULL DEFAULT '', -- its id at the service; empty until it is sent
    is_photo INTEGER NOT NULL DEFAULT 0 CHECK (is_photo IN (0, 1)), -- the text is the caption of a picture
    shown    TEXT    NOT NULL DEFAULT '', -- state and prices of the deal, as the post says them
    text     TEXT    NOT NULL DEFAULT '', -- as it was sent last
    error    TEXT    NOT NULL DEFAULT '' -- why it failed, or what may be wrong with it, a sentence
) STRICT;

CREATE INDEX posts_by_channel ON posts (channel, sent_at);
CREATE INDEX posts_by_product ON posts (product);

-- Products that posts or rules of channels may be about, until a job has looked at them.
CREATE TABLE channel_news (
    product    TEXT    PRIMARY KEY, -- products.id
    is_offered INTEGER NOT NULL, -- it went live or became cheaper, which rules want to know
    edition    INTEGER NOT NULL DEFAULT (random()) -- changes with each change of the product
) STRICT;

CREATE TRIGGER channel_news_on_insert AFTER INSERT ON products
WHEN new.state = 0
  AND EXISTS (SELECT 1 FROM channels WHERE is_on = 1 AND has_rule = 1)
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    INSERT INTO channel_news (product, is_offered) VALUES (new.id, 1)
    ON CONFLICT (product) DO UPDATE SET is_offered = 1, edition = random();
END;

CREATE TRIGGER channel_news_on_update AFTER UPDATE OF price, final_price, state ON products
WHEN (old.price, old.final_price, old.state) IS NOT (new.price, new.final_price, new.state)
  AND (EXISTS (SELECT 1 FROM posts WHERE product = new.id)
       OR new.state = 0 AND EXISTS (SELECT 1 FROM channels WHERE is_on = 1 AND has_rule = 1))
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    INSERT INTO channel_news (product, is_offered)
    VALUES (new.id, new.state = 0 AND (old.state <> 0 OR new.final_price < old.final_price))
    ON CONFLICT (product) DO UPDATE SET is_offered = max(is_offered, excluded.is_offered), edition = random();
END;

CREATE TRIGGER channel_news_on_delete AFTER DELETE ON products
WHEN EXISTS (SELECT 1 FROM posts WHERE product = old.id) BEGIN
    INSERT INTO channel_news (product, is_offered) VALUES (old.id, 0)
    ON CONFLICT (product) DO UPDATE SET is_offered = 0, edition = random();
END;

-- When an import shows its products, the newest of them.
CREATE TRIGGER channel_news_on_show AFTER DELETE ON hidden_products
WHEN EXISTS (SELECT 1 FROM channels WHERE is_on = 1 AND has_rule = 1) BEGIN
    INSERT INTO channel_news (product, is_offered)
    SELECT id, 1 FROM products WHERE key BETWEEN old.first AND old.last AND state = 0
    ORDER BY key DESC LIMIT 10000
    ON CONFLICT (product) DO UPDATE SET is_offered = 1, edition = random();
END;

-- A channel takes with it what waits for it.
CREATE TRIGGER outgoing_on_channel_delete AFTER DELETE ON channels BEGIN
    DELETE FROM outgoing WHERE lane = 'channel:' || old.id;
    DELETE FROM outgoing_waits WHERE lane = 'channel:' || old.id;
END;
