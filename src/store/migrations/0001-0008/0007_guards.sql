-- Whoever asks for a code is given a handle, and tries with it are counted for it: what a
-- stranger tries or asks for takes nothing away from anybody else. A request for a new
-- password has a handle as a registration has one, so an account may have several.
ALTER TABLE registrations ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;

CREATE TABLE codes_with_handles (
    key          INTEGER PRIMARY KEY,
    email_key    TEXT    NOT NULL,
    registration INTEGER UNIQUE REFERENCES registrations (key) ON DELETE CASCADE,
    user         INTEGER REFERENCES users (key) ON DELETE CASCADE,
    handle       TEXT    UNIQUE,                    -- of the request for a new password
    code_hash    BLOB    NOT NULL,
    tries        INTEGER NOT NULL DEFAULT 0,        -- wrong ones that named no handle
    handle_tries INTEGER NOT NULL DEFAULT 0,        -- wrong ones that named its handle
    expires_at   INTEGER NOT NULL,
    CHECK ((registration IS NULL) <> (user IS NULL)),
    CHECK ((handle IS NULL) = (user IS NULL))
) STRICT;

INSERT INTO codes_with_handles (key, email_key, registration, user, handle, code_hash, tries, expires_at)
SELECT key, email_key, registration, user, iif(user IS NULL, NULL, lower(hex(randomblob(16)))),
       code_hash, tries, expires_at
FROM codes;

DROP TABLE codes;
ALTER TABLE codes_with_handles RENAME TO codes;
CREATE INDEX codes_by_email ON codes (email_key);
CREATE INDEX codes_by_expires_at ON codes (expires_at);
CREATE INDEX codes_by_user ON codes (user);

-- 'known-reset' counts mails that a browser asked for which had signed in before: a
-- stranger can't use them up.
CREATE TABLE code_events_with_known (
    key       INTEGER PRIMARY KEY,
    email_key TEXT    NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('register', 'reset', 'known-reset', 'pretended', 'failure')),
    at        INTEGER NOT NULL
) STRICT;

INSERT INTO code_events_with_known SELECT key, email_key, kind, at FROM code_events;
DROP TABLE code_events;
ALTER TABLE code_events_with_known RENAME TO code_events;
CREATE INDEX code_events_by_email ON code_events (email_key, kind, at);
CREATE INDEX code_events_by_at ON code_events (at);

-- When the form was sent that the mail is about.
ALTER TABLE outbox ADD COLUMN form_at INTEGER;

-- How often the owner has lifted the delay after wrong passwords of an address, by a
-- command beside the server that keeps it.
CREATE TABLE delay_lifts (
    email_key TEXT    PRIMARY KEY,
    lifts     INTEGER NOT NULL
) STRICT;

-- What the running server finds its database by: it is known to be another file when
-- these bytes are not where they were.
CREATE TABLE serving (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    token BLOB    NOT NULL
) STRICT;
