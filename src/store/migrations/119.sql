-- # Base data

-- ## Pictures

-- The pictures that owners uploaded. Those that no product has had for a week are deleted.
CREATE TABLE pictures (
    hash    TEXT    PRIMARY KEY, -- the first 32 digits of the SHA-256 of its largest file
    width   INTEGER NOT NULL, -- of its largest file, in pixels
    height  INTEGER NOT NULL,
    bytes   INTEGER NOT NULL, -- of all its files
    used_at INTEGER NOT NULL -- when it was uploaded, or last seen with a product
) STRICT;

-- Their files.
CREATE TABLE picture_files (
    hash TEXT    NOT NULL REFERENCES pictures (hash) ON DELETE CASCADE,
    side INTEGER NOT NULL, -- pixels that width and height do not exceed
    webp BLOB    NOT NULL,
    PRIMARY KEY (hash, side)
) STRICT;
