-- Who changed what and when, kept with the change itself in one transaction.
CREATE TABLE activity (
    key     INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,                      -- milliseconds since 1970, UTC
    actor   TEXT    NOT NULL,                      -- the name at that time
    action  TEXT    NOT NULL CHECK (action IN ('added', 'changed', 'deleted', 'imported')),
    product TEXT,                                  -- the id; the product may be gone
    title   TEXT,                                  -- the title at that time
    details TEXT    NOT NULL CHECK (json_valid(details))
) STRICT;
