-- # Base data

-- ## Activity log and undo

ALTER TABLE activity ADD COLUMN account TEXT; -- users.id of the actor, if it is an account, which may be gone
