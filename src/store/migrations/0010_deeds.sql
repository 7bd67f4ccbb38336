-- Lines of the trail that one act wrote belong together, an act may take another one back, and
-- changes of the settings leave a line too. Lines of before are told apart by their time.
CREATE TABLE trail (
    key     INTEGER PRIMARY KEY,
    deed    INTEGER NOT NULL,                      -- the key of the first line of the act
    undo    INTEGER NOT NULL CHECK (undo IN (0, 1)),
    at      INTEGER NOT NULL,                      -- milliseconds since 1970, UTC
    actor   TEXT    NOT NULL,                      -- the name at that time
    action  TEXT    NOT NULL CHECK (action IN ('added', 'changed', 'deleted', 'imported', 'set')),
    product TEXT,                                  -- the id; the product may be gone
    title   TEXT,                                  -- the title at that time
    details TEXT    NOT NULL CHECK (json_valid(details))
) STRICT;
INSERT INTO trail
    SELECT key, min(key) OVER (PARTITION BY at, actor, action), 0, at, actor, action, product, title, details
    FROM activity;
DROP TABLE activity;
ALTER TABLE trail RENAME TO activity;
CREATE INDEX activity_by_deed ON activity (deed);
