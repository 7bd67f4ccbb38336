-- # Base data

-- ## Settings

-- Mappings of files to products that the owner saved, at most 100.
CREATE TABLE file_mappings (
    name       TEXT    PRIMARY KEY,
    mapping    TEXT    NOT NULL, -- JSON
    changed_at INTEGER NOT NULL
) STRICT;
