-- The expiry of sessions depends on roles, and reads all of them.
DROP INDEX sessions_by_created_at;
