-- Times are milliseconds of the epoch.

-- Keyed hash of the mailbox that a mail goes to, where mails to one mailbox are limited.
ALTER TABLE mails ADD COLUMN mailbox TEXT;
CREATE INDEX mails_mailbox ON mails (mailbox, kind, queued_at) WHERE mailbox IS NOT NULL;

-- How much of a remembered call is kept, so that limits need not read its text.
ALTER TABLE mail_calls ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE mail_calls SET bytes = octet_length(data) WHERE data IS NOT NULL;
CREATE INDEX mail_calls_kept ON mail_calls (network, bytes, outcome)
  WHERE outcome IN ('waiting', 'held');
CREATE INDEX mail_calls_held ON mail_calls (id) WHERE outcome = 'held';
CREATE INDEX mail_calls_received ON mail_calls (received_at);

-- How many messages one network sends in a day.
CREATE INDEX tickets_network ON tickets (network, received_at);

-- What is forgotten day by day.
CREATE INDEX used_proofs_expires ON used_proofs (expires_at);
CREATE INDEX link_referrers_day ON link_referrers (day);

-- The public origin of the server that serves this data; the command line reads it.
CREATE TABLE site_origin (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  origin TEXT NOT NULL,
  -- 1 when SITE_URL was set, 0 when it was made from the port.
  configured INTEGER NOT NULL CHECK (configured IN (0, 1)),
  recorded_at INTEGER NOT NULL
) STRICT;
