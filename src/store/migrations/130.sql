-- # Base data

-- ## Outgoing

ALTER TABLE outgoing_waits ADD COLUMN failures INTEGER NOT NULL DEFAULT 0; -- in a row, with which the waits grow

-- ## Channels

ALTER TABLE posts ADD COLUMN may_be_there INTEGER NOT NULL DEFAULT 0 CHECK (may_be_there IN (0, 1)); -- an attempt had no answer
