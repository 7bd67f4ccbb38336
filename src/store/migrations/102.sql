-- # Base data

-- ## Repeated requests

-- Answers to requests with an Idempotency-Key, for 24 hours, so that a repetition gets the first answer.
-- A row is written in the transaction of what the request made; `idempotency.rs` bounds the rows of an
-- account, all rows, and the bytes of all answers.
CREATE TABLE idempotency_keys (
    number      INTEGER PRIMARY KEY, -- the newest is the largest
    user        INTEGER NOT NULL REFERENCES users (key) ON DELETE CASCADE,
    key         TEXT    NOT NULL, -- as the client sent it
    fingerprint BLOB    NOT NULL, -- SHA-256 of method, path, query and body
    status      INTEGER NOT NULL,
    answer      BLOB    NOT NULL,
    bytes       INTEGER NOT NULL, -- sum of the sizes of this answer and all before it
    at          INTEGER NOT NULL,
    UNIQUE (user, key)
) STRICT;

CREATE INDEX idempotency_keys_by_user  ON idempotency_keys (user, number);
CREATE INDEX idempotency_keys_by_bytes ON idempotency_keys (bytes);
CREATE INDEX idempotency_keys_by_at    ON idempotency_keys (at);
