-- # Base data

-- ## Settings

-- Mail and backups as an administrator chose them, unless options say otherwise.
CREATE TABLE server_settings (
    name      TEXT PRIMARY KEY CHECK (name IN ('mail', 'backups')),
    version   INTEGER NOT NULL, -- number of changes
    value     TEXT    NOT NULL, -- JSON, without secrets
    sealed    BLOB, -- password or secret key, encrypted with the shop's key; null without one
    sealed_at INTEGER, -- time at which it was given
    CHECK ((sealed IS NULL) = (sealed_at IS NULL))
) STRICT, WITHOUT ROWID;
