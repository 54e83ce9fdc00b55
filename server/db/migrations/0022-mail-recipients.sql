-- Whom a mail went to, written down as it is sent: mails are exported and erased by address.
ALTER TABLE mails ADD COLUMN recipient TEXT;

CREATE INDEX mails_recipient ON mails (lower(recipient)) WHERE recipient IS NOT NULL;
CREATE INDEX mails_settled ON mails (kind, settled_at) WHERE due_at IS NULL;
