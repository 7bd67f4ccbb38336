-- # Base data

-- ## Activity log and undo

-- Whether parts of the change or of its undo are missing. If nobody makes them, the server reverts the change.
ALTER TABLE undos ADD COLUMN is_open INTEGER NOT NULL DEFAULT 0 CHECK (is_open IN (0, 1));
