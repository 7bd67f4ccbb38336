-- # Base data

-- ## Accounts

ALTER TABLE sessions ADD COLUMN confirmed_at INTEGER; -- last time at which a code of the second factor was entered

ALTER TABLE outbox ADD COLUMN is_totp_reset INTEGER NOT NULL DEFAULT 0 CHECK (is_totp_reset IN (0, 1)); -- the kind totp-reset: a column cannot take a new value of kind

-- Second factors: secrets of the codes of authenticator apps (RFC 6238).
CREATE TABLE totp_factors (
    user       INTEGER PRIMARY KEY REFERENCES users (key) ON DELETE CASCADE,
    sealed     BLOB    NOT NULL, -- the secret, encrypted with the shop's key
    created_at INTEGER NOT NULL,
    enabled_at INTEGER, -- null until the first code
    last_step  INTEGER NOT NULL DEFAULT 0 -- step of the last code that was used: a code works once
) STRICT;

-- Codes for people who lost their app, each for one use.
CREATE TABLE recovery_codes (
    key  INTEGER PRIMARY KEY,
    hash BLOB    NOT NULL UNIQUE, -- a MAC with the shop's key
    user INTEGER NOT NULL REFERENCES totp_factors (user) ON DELETE CASCADE
) STRICT;

CREATE INDEX recovery_codes_by_user ON recovery_codes (user);

-- Browsers that are not asked for a code. One ends with the factor and with the password.
CREATE TABLE remembered_devices (
    key        INTEGER PRIMARY KEY,
    hash       BLOB    NOT NULL UNIQUE, -- SHA-256 of the secret in the cookie
    user       INTEGER NOT NULL REFERENCES totp_factors (user) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX remembered_devices_by_user ON remembered_devices (user);

CREATE TRIGGER remembered_devices_on_password AFTER UPDATE OF password_hash ON users BEGIN
    DELETE FROM remembered_devices WHERE user = new.key;
END;
