-- # Base data

-- ## Accounts

ALTER TABLE users ADD COLUMN is_editor INTEGER NOT NULL DEFAULT 0 CHECK (is_editor IN (0, 1)); -- the role editor: a column cannot take a new value of role

-- Keys of programs, which act for an account. A key ends with its account, and when the account's
-- role changes.
CREATE TABLE api_keys (
    key          INTEGER PRIMARY KEY,
    id           TEXT    NOT NULL UNIQUE,
    hash         BLOB    NOT NULL UNIQUE, -- SHA-256 of the whole key
    prefix       TEXT    NOT NULL, -- first four characters of the random part
    name         TEXT    NOT NULL UNIQUE,
    scopes       TEXT    NOT NULL, -- separated by spaces
    user         INTEGER NOT NULL REFERENCES users (key) ON DELETE CASCADE,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    last_used_at INTEGER -- accurate to an hour
) STRICT;

CREATE INDEX api_keys_by_user ON api_keys (user);

CREATE TRIGGER api_keys_on_role AFTER UPDATE OF role, is_editor ON users
WHEN old.role <> new.role OR old.is_editor <> new.is_editor BEGIN
    DELETE FROM api_keys WHERE user = new.key;
END;
