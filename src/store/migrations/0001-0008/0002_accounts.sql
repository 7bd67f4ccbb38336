-- Accounts, sessions, codes and the mails that wait to be sent. Times are
-- milliseconds since 1970, UTC. No secret is stored that could be used: passwords
-- and codes only as keyed hashes whose key is not in this file, session ids as
-- hashes of 256 random bits.
CREATE TABLE users (
    key           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    username      TEXT    NOT NULL,
    email         TEXT    NOT NULL,
    email_key     TEXT    NOT NULL UNIQUE,
    role          TEXT    NOT NULL CHECK (role IN ('admin', 'user')),
    password_hash TEXT    NOT NULL,
    created_at    INTEGER NOT NULL
) STRICT;

-- Forms that wait for their code. One address may have several: whoever types
-- a code activates the form that the code came with, and no other; whoever asks
-- for another code names the form by its handle. A form for an address that has
-- an account waits in vain, so that nobody can tell it from the others.
CREATE TABLE registrations (
    key           INTEGER PRIMARY KEY,
    handle        TEXT    NOT NULL UNIQUE,
    username      TEXT    NOT NULL,
    email         TEXT    NOT NULL,
    email_key     TEXT    NOT NULL,
    password_hash TEXT    NOT NULL,
    created_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX registrations_by_email ON registrations (email_key, key);
CREATE INDEX registrations_by_created_at ON registrations (created_at);

-- One live code for each waiting registration, and one for each account whose
-- password was forgotten.
CREATE TABLE codes (
    key          INTEGER PRIMARY KEY,
    email_key    TEXT    NOT NULL,
    registration INTEGER UNIQUE REFERENCES registrations (key) ON DELETE CASCADE,
    user         INTEGER UNIQUE REFERENCES users (key) ON DELETE CASCADE,
    code_hash    BLOB    NOT NULL,
    tries        INTEGER NOT NULL DEFAULT 0,
    expires_at   INTEGER NOT NULL,
    CHECK ((registration IS NULL) <> (user IS NULL))
) STRICT;

CREATE INDEX codes_by_email ON codes (email_key);
CREATE INDEX codes_by_expires_at ON codes (expires_at);

-- What is counted for an address: mails about registering and about a password,
-- codes it got wrong, and mails that were asked for where there was none to send,
-- which count for nothing but take as long to write.
CREATE TABLE code_events (
    key       INTEGER PRIMARY KEY,
    email_key TEXT    NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('register', 'reset', 'pretended', 'failure')),
    at        INTEGER NOT NULL
) STRICT;

CREATE INDEX code_events_by_email ON code_events (email_key, kind, at);
CREATE INDEX code_events_by_at ON code_events (at);

CREATE TABLE sessions (
    key          INTEGER PRIMARY KEY,
    id_hash      BLOB    NOT NULL UNIQUE,
    sid          TEXT    NOT NULL UNIQUE,
    user         INTEGER NOT NULL REFERENCES users (key) ON DELETE CASCADE,
    audience     TEXT    NOT NULL CHECK (audience IN ('me', 'api')),
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_by_user ON sessions (user);
CREATE INDEX sessions_by_created_at ON sessions (created_at);

-- A mail that holds a code stores the random bytes that the code is made from
-- with the key, not the code; they go with the row as soon as it is sent.
CREATE TABLE outbox (
    key        INTEGER PRIMARY KEY,
    kind       TEXT    NOT NULL CHECK (kind IN ('register-code', 'known-address', 'reset-code', 'password-changed')),
    recipient  TEXT    NOT NULL,
    username   TEXT    NOT NULL,
    seed       BLOB,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    attempts   INTEGER NOT NULL DEFAULT 0,
    next_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX outbox_by_next_at ON outbox (next_at);
CREATE INDEX outbox_by_expires_at ON outbox (expires_at);

-- What the shop's key makes of a fixed text: tells another key from the one that
-- the passwords here were made with.
CREATE TABLE key_check (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    mac BLOB NOT NULL
) STRICT;
