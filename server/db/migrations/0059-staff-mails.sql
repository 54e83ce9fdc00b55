-- Mails to staff: the first of a kind in an hour go out one by one, the others in a summary.
ALTER TABLE mails ADD COLUMN to_staff INTEGER NOT NULL DEFAULT 0;
-- The summary that a mail is part of, instead of going out by itself.
ALTER TABLE mails ADD COLUMN summary TEXT;

CREATE INDEX mails_to_staff ON mails (kind, queued_at) WHERE to_staff = 1 AND summary IS NULL;
CREATE INDEX mails_summary ON mails (summary) WHERE summary IS NOT NULL;
