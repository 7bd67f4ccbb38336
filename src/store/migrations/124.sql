-- # Base data

-- ## Outgoing

-- What waits to be sent: mails, events of webhooks. A row is written with the change that it is about, and
-- deleted with its result, so that it is sent at least once.
CREATE TABLE outgoing (
    key        INTEGER PRIMARY KEY,
    edition    INTEGER NOT NULL DEFAULT (random()), -- changes when the row is replaced while it is being sent
    kind       TEXT    NOT NULL,
    lane       TEXT    NOT NULL, -- rows of the same lane are sent one after the other
    subject    TEXT    NOT NULL, -- recipient of a mail, products.id of an event; may be empty
    payload    TEXT    NOT NULL CHECK (json_valid(payload)), -- fields by kind
    created_at INTEGER NOT NULL,
    next_at    INTEGER, -- time of the next attempt; null if it is given up
    expires_at INTEGER, -- when it is deleted unsent
    attempts   INTEGER NOT NULL DEFAULT 0,
    last_error TEXT    NOT NULL DEFAULT '' -- why the last attempt failed, a sentence
) STRICT;

CREATE UNIQUE INDEX outgoing_by_subject ON outgoing (kind, lane, subject) WHERE kind <> 'mail' AND subject <> '';
CREATE INDEX outgoing_by_lane ON outgoing (lane, attempts > 0, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX outgoing_by_expires_at ON outgoing (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX outgoing_by_kind ON outgoing (kind);

-- Lanes in which nothing is sent for a while, because the other side does not answer or asked for it.
CREATE TABLE outgoing_waits (
    lane  TEXT    PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT;

INSERT INTO outgoing (kind, lane, subject, payload, created_at, next_at, expires_at, attempts)
SELECT 'mail', 'mail:' || coalesce(client, name), recipient,
       json_object('kind', name, 'username', username, 'seed', lower(hex(seed)), 'formAt', submitted_at),
       created_at, next_at, expires_at, attempts
FROM (SELECT *, CASE WHEN is_invitation THEN 'invitation' WHEN is_totp_reset THEN 'totp-reset' ELSE kind END AS name,
             (SELECT client FROM code_events WHERE at = created_at) AS client FROM outbox)
ORDER BY key;

DROP TABLE outbox;

-- ## Webhooks

INSERT INTO outgoing (kind, lane, subject, payload, created_at, next_at, attempts)
SELECT 'webhook', 'webhook:' || webhooks.id, coalesce(subject, ''),
       json_object('message', message, 'event', event, 'state', state), at, next_at, attempts
FROM webhook_events JOIN webhooks ON webhooks.key = webhook ORDER BY webhook_events.key;

INSERT INTO outgoing_waits SELECT 'webhook:' || id, wait_until FROM webhooks WHERE wait_until > 0;

DROP TRIGGER webhook_events_on_insert;

DROP TRIGGER webhook_events_on_update;

DROP TRIGGER webhook_events_on_delete;

DROP TRIGGER webhook_events_on_show;

DROP VIEW webhook_news;

DROP TABLE webhook_events;

ALTER TABLE webhooks DROP COLUMN wait_until;

CREATE TRIGGER outgoing_on_webhook_delete AFTER DELETE ON webhooks BEGIN
    DELETE FROM outgoing WHERE lane = 'webhook:' || old.id;
    DELETE FROM outgoing_waits WHERE lane = 'webhook:' || old.id;
END;

-- Queues an event for the webhooks that want it. A later event of a product replaces one that waits.
CREATE VIEW webhook_news AS
SELECT NULL AS event, NULL AS subject, NULL AS state;

CREATE TRIGGER outgoing_on_news INSTEAD OF INSERT ON webhook_news BEGIN
    INSERT INTO outgoing (kind, lane, subject, payload, created_at, next_at)
    SELECT 'webhook', 'webhook:' || id, coalesce(new.subject, ''),
           json_object('message', 'msg_' || lower(hex(randomblob(16))), 'event', new.event, 'state', new.state),
           CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER)
    FROM webhooks
    WHERE is_on = 1 AND instr(' ' || events || ' ', ' ' || new.event || ' ') > 0
    ON CONFLICT (kind, lane, subject) WHERE kind <> 'mail' AND subject <> '' DO UPDATE SET
        edition = random(),
        payload = CASE WHEN payload ->> 'event' = 'product.added' AND new.event = 'product.changed'
                  THEN json_set(excluded.payload, '$.event', 'product.added') ELSE excluded.payload END,
        created_at = excluded.created_at,
        next_at = coalesce(next_at, excluded.next_at),
        expires_at = NULL,
        attempts = 0;
END;

-- Deletes the oldest events beyond 10,000, many at once.
CREATE TRIGGER outgoing_trim AFTER INSERT ON outgoing WHEN new.key % 256 = 0 BEGIN
    UPDATE webhooks SET dropped = dropped +
        (SELECT count(*) FROM outgoing WHERE kind = 'webhook' AND lane = 'webhook:' || id AND key <=
         (SELECT key FROM outgoing WHERE kind = 'webhook' ORDER BY key DESC LIMIT 1 OFFSET 10000))
    WHERE EXISTS (SELECT 1 FROM outgoing WHERE kind = 'webhook' ORDER BY key DESC LIMIT 1 OFFSET 10000);
    DELETE FROM outgoing WHERE kind = 'webhook' AND key <=
        (SELECT key FROM outgoing WHERE kind = 'webhook' ORDER BY key DESC LIMIT 1 OFFSET 10000);
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
    average_rating, total_ratings, starts_at, ends_at, state, offers, external_id, tags
ON products
WHEN (old.state = 0 OR new.state = 0)
  AND EXISTS (SELECT 1 FROM webhooks WHERE is_on = 1)
  AND (old.title, old.description, old.price, old.discount, old.final_price, old.category, old.source,
       old.affiliate_link, old.images, old.average_rating, old.total_ratings, old.starts_at,
       old.ends_at, old.state, old.offers, old.external_id, old.tags)
   IS NOT (new.title, new.description, new.price, new.discount, new.final_price, new.category, new.source,
       new.affiliate_link, new.images, new.average_rating, new.total_ratings, new.starts_at,
       new.ends_at, new.state, new.offers, new.external_id, new.tags)
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
