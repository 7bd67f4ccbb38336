-- # Base data

-- ## Accounts

ALTER TABLE sessions ADD COLUMN agent TEXT; -- User-Agent at sign-in, at most 200 characters
ALTER TABLE sessions ADD COLUMN address TEXT; -- client's address at sign-in, of IPv6 the first 64 bits

ALTER TABLE outbox ADD COLUMN is_invitation INTEGER NOT NULL DEFAULT 0 CHECK (is_invitation IN (0, 1)); -- the kind invitation: a column cannot take a new value of kind

-- Open invitations. One ends with the account that sent it, and when that account is no longer an
-- administrator's.
CREATE TABLE invitations (
    key        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    hash       BLOB    NOT NULL UNIQUE, -- SHA-256 of the secret in the link
    email      TEXT    NOT NULL,
    email_key  TEXT    NOT NULL UNIQUE, -- the address in the form in which it is compared
    username   TEXT    NOT NULL, -- suggested name, or empty
    role       TEXT    NOT NULL CHECK (role IN ('admin', 'editor', 'user')),
    user       INTEGER NOT NULL REFERENCES users (key) ON DELETE CASCADE, -- account that sent it
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX invitations_by_user ON invitations (user);

CREATE TRIGGER invitations_on_role AFTER UPDATE OF role ON users
WHEN new.role <> 'admin' BEGIN
    DELETE FROM invitations WHERE user = new.key;
END;
