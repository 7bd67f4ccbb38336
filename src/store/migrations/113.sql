-- # Base data

-- ## Activity log and undo

-- Id of the actor's account (users.id), which may be gone; null for keys, commands and the server.
ALTER TABLE activity ADD COLUMN account TEXT;
