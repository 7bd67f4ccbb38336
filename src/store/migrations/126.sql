-- # Base data

-- ## Queue of drafts

-- When drafts go live, and where they are posted. One row.
CREATE TABLE queue_rules (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    per_hour      INTEGER NOT NULL CHECK (per_hour BETWEEN 1 AND 60),
    from_minute   INTEGER NOT NULL CHECK (from_minute BETWEEN 0 AND 1439), -- of the day in India
    to_minute     INTEGER NOT NULL CHECK (to_minute BETWEEN 0 AND 1439), -- the same for the whole day
    is_paused     INTEGER NOT NULL CHECK (is_paused IN (0, 1)),
    every_channel INTEGER NOT NULL CHECK (every_channel IN (0, 1)), -- that is on, and not those of channels
    channels      TEXT    NOT NULL CHECK (json_type(channels) = 'array'), -- ids
    last_at       INTEGER, -- when the last draft went live
    version       INTEGER NOT NULL -- number of changes of the rules and of the order
) STRICT;

INSERT INTO queue_rules VALUES (1, 4, 540, 1260, 0, 1, '[]', NULL, 1);

-- Drafts that go live one after the other.
CREATE TABLE queued_drafts (
    product  TEXT    PRIMARY KEY, -- products.id
    position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A draft that is published or deleted leaves the queue.
CREATE TRIGGER queued_drafts_on_update AFTER UPDATE OF draft ON products WHEN old.draft = 1 AND new.draft = 0 BEGIN
    DELETE FROM queued_drafts WHERE product = new.id;
END;

CREATE TRIGGER queued_drafts_on_delete AFTER DELETE ON products WHEN old.draft = 1 BEGIN
    DELETE FROM queued_drafts WHERE product = old.id;
END;
