-- # Base data

-- ## Outgoing

ALTER TABLE outgoing_waits ADD COLUMN
    failures INTEGER NOT NULL DEFAULT 0; -- in a row, for which the waits grow

-- ## Channels

ALTER TABLE posts ADD COLUMN
    may_be_there INTEGER NOT NULL DEFAULT 0 CHECK (may_be_there IN (0, 1)); -- it failed, but an attempt had no answer
