-- # Base data

-- ## Webhooks

-- The list of attempts.
DROP TABLE webhook_deliveries;

ALTER TABLE webhooks DROP COLUMN former_sealed;
ALTER TABLE webhooks DROP COLUMN former_until;
-- A day of failures now switches a webhook off, and began before for some.
ALTER TABLE webhooks DROP COLUMN failing_since;
ALTER TABLE webhooks ADD COLUMN failing_since INTEGER; -- null after a success
ALTER TABLE webhooks ADD COLUMN last_error TEXT NOT NULL DEFAULT ''; -- why the last failed attempt failed, a sentence
ALTER TABLE webhooks ADD COLUMN last_error_at INTEGER; -- when it failed, null before the first failure
ALTER TABLE webhooks ADD COLUMN delivered_at INTEGER; -- last success, null before the first one
