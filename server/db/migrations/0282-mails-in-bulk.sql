-- Emails to many at once, such as a newsletter: all others go first.
ALTER TABLE mails ADD COLUMN is_bulk INTEGER NOT NULL DEFAULT 0;
UPDATE mails SET is_bulk = 1 WHERE kind = 'newsletterIssue' AND thing = 'issue';
CREATE INDEX mails_turn ON mails (is_bulk, due_at) WHERE due_at IS NOT NULL;
