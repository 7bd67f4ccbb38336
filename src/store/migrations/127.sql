-- # Base data

-- ## Subscribers

-- Mail addresses that get mails without an account. Unconfirmed ones are deleted after 7 days.
CREATE TABLE subscribers (
    key          INTEGER PRIMARY KEY,
    email        TEXT    NOT NULL,
    email_key    TEXT    NOT NULL UNIQUE, -- in lower case
    seed         BLOB    NOT NULL UNIQUE CHECK (length(seed) = 16), -- of its link, which needs the shop's key
    created_at   INTEGER NOT NULL,
    confirmed_at INTEGER,
    asked_at     INTEGER -- time of the last mail that asks to confirm; null once it was answered
) STRICT;

CREATE INDEX subscribers_asked ON subscribers (asked_at) WHERE asked_at IS NOT NULL;

-- Lists whose new deals a subscriber gets by mail.
CREATE TABLE digests (
    key        INTEGER PRIMARY KEY,
    subscriber INTEGER NOT NULL REFERENCES subscribers (key) ON DELETE CASCADE,
    query      TEXT    NOT NULL, -- the list's query
    is_weekly  INTEGER NOT NULL CHECK (is_weekly IN (0, 1)), -- otherwise daily
    created_at INTEGER NOT NULL,
    sent_until INTEGER, -- deals published after it are new; null until confirmed
    UNIQUE (subscriber, query)
) STRICT;

CREATE INDEX digests_due ON digests (is_weekly, sent_until) WHERE sent_until IS NOT NULL;
