-- # Base data

-- ## Webhooks

-- Addresses of programs that are notified of events, signed as Standard Webhooks describe.
CREATE TABLE webhooks (
    key           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    url           TEXT    NOT NULL UNIQUE,
    events        TEXT    NOT NULL, -- separated by spaces
    sealed        BLOB    NOT NULL, -- the secret, encrypted with the shop's key
    former_sealed BLOB, -- the secret before the last rotation
    former_until  INTEGER, -- when the former secret ends
    is_on         INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
    off_reason    TEXT    NOT NULL DEFAULT '', -- a sentence, if the server switched it off
    failing_since INTEGER, -- null after a success
    wait_until    INTEGER NOT NULL DEFAULT 0, -- nothing is sent before, because the address does not answer
    dropped       INTEGER NOT NULL DEFAULT 0, -- events that were dropped because too many waited
    created_at    INTEGER NOT NULL
) STRICT;

-- Events that wait for delivery, written with the change: one for each webhook and product, and about
-- 10,000 in total.
CREATE TABLE webhook_events (
    key      INTEGER PRIMARY KEY, -- the newest is the largest
    webhook  INTEGER NOT NULL REFERENCES webhooks (key) ON DELETE CASCADE,
    message  TEXT    NOT NULL, -- the header webhook-id
    event    TEXT    NOT NULL,
    subject  TEXT, -- products.id; null for other events
    state    TEXT, -- the product's state after the event
    at       INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at  INTEGER NOT NULL,
    UNIQUE (webhook, subject)
) STRICT;

CREATE INDEX webhook_events_by_next ON webhook_events (webhook, next_at);

-- Each attempt to deliver an event; the program keeps the last 100 of a webhook.
CREATE TABLE webhook_deliveries (
    key         INTEGER PRIMARY KEY,
    webhook     INTEGER NOT NULL REFERENCES webhooks (key) ON DELETE CASCADE,
    message     TEXT    NOT NULL, -- like event, subject, state and happened_at, of webhook_events
    event       TEXT    NOT NULL,
    subject     TEXT,
    state       TEXT,
    happened_at INTEGER NOT NULL,
    attempt     INTEGER NOT NULL,
    status      INTEGER, -- HTTP status; null without an answer
    error       TEXT    NOT NULL, -- a sentence; empty if it was delivered
    at          INTEGER NOT NULL,
    next_at     INTEGER -- the next attempt; null if there is none
) STRICT;

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook, key);

-- Queues an event for the webhooks that want it. A later event of a product replaces one that waits.
CREATE VIEW webhook_news AS
SELECT event, subject, state FROM webhook_events;

CREATE TRIGGER webhook_events_on_news INSTEAD OF INSERT ON webhook_news BEGIN
    INSERT INTO webhook_events (webhook, message, event, subject, state, at, next_at)
    SELECT key, 'msg_' || lower(hex(randomblob(16))), new.event, new.subject, new.state,
           CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER)
    FROM webhooks
    WHERE is_on = 1 AND instr(' ' || events || ' ', ' ' || new.event || ' ') > 0
    ON CONFLICT (webhook, subject) DO UPDATE SET
        message = excluded.message,
        event = CASE WHEN event = 'product.added' AND excluded.event = 'product.changed'
                THEN event ELSE excluded.event END,
        state = excluded.state,
        at = excluded.at,
        attempts = 0;
END;

-- Deletes many at once, the oldest first.
CREATE TRIGGER webhook_events_trim AFTER INSERT ON webhook_events WHEN new.key % 256 = 0 BEGIN
    UPDATE webhooks SET dropped = dropped +
        (SELECT count(*) FROM webhook_events AS old_events
         WHERE old_events.webhook = webhooks.key AND old_events.key <= new.key - 10000)
    WHERE key IN (SELECT webhook FROM webhook_events WHERE webhook_events.key <= new.key - 10000);
    DELETE FROM webhook_events WHERE key <= new.key - 10000;
END;

-- Events are about live products: one is added when it becomes live, and has ended when it no longer is.
CREATE TRIGGER webhook_events_on_insert AFTER INSERT ON products
WHEN new.state = 0
  AND EXISTS (SELECT 1 FROM webhooks WHERE is_on = 1)
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    INSERT INTO webhook_news VALUES ('product.added', new.id, 'live');
END;

CREATE TRIGGER webhook_events_on_update AFTER UPDATE OF
    title, description, price, discount, final_price, category, source, affiliate_link, images,
    average_rating, total_ratings, starts_at, ends_at, state, offers, external_id
ON products
WHEN (old.state = 0 OR new.state = 0)
  AND EXISTS (SELECT 1 FROM webhooks WHERE is_on = 1)
  AND (old.title, old.description, old.price, old.discount, old.final_price, old.category, old.source,
       old.affiliate_link, old.images, old.average_rating, old.total_ratings, old.starts_at,
       old.ends_at, old.state, old.offers, old.external_id)
   IS NOT (new.title, new.description, new.price, new.discount, new.final_price, new.category, new.source,
       new.affiliate_link, new.images, new.average_rating, new.total_ratings, new.starts_at,
       new.ends_at, new.state, new.offers, new.external_id)
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    INSERT INTO webhook_news SELECT
        CASE WHEN old.state <> 0 THEN 'product.added' WHEN new.state = 0 THEN 'product.changed'
             ELSE 'product.ended' END,
        new.id,
        CASE new.state WHEN 0 THEN 'live' WHEN 1 THEN 'scheduled' WHEN 2 THEN 'ended' ELSE 'draft' END;
END;

CREATE TRIGGER webhook_events_on_delete AFTER DELETE ON products
WHEN old.state = 0
  AND EXISTS (SELECT 1 FROM webhooks WHERE is_on = 1)
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE old.key BETWEEN first AND last) BEGIN
    INSERT INTO webhook_news VALUES ('product.ended', old.id, 'deleted');
END;

-- When an import shows its products. Those of a killed import are deleted before.
CREATE TRIGGER webhook_events_on_show AFTER DELETE ON hidden_products
WHEN EXISTS (SELECT 1 FROM webhooks WHERE is_on = 1) BEGIN
    UPDATE webhooks SET dropped = dropped + max(0,
        (SELECT count(*) FROM products WHERE products.key BETWEEN old.first AND old.last AND state = 0)
        - 10000)
    WHERE is_on = 1 AND instr(' ' || events || ' ', ' product.added ') > 0;
    INSERT INTO webhook_news SELECT 'product.added', id, 'live' FROM
        (SELECT key, id FROM products WHERE key BETWEEN old.first AND old.last AND state = 0
         ORDER BY key DESC LIMIT 10000)
    ORDER BY key;
END;
