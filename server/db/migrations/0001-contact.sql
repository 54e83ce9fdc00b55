-- Times are milliseconds of the epoch unless a column says otherwise.

CREATE TABLE tickets (
  id INTEGER PRIMARY KEY,
  ticket_id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL
    CHECK (status IN ('new', 'open', 'answered', 'closed', 'spam', 'quarantined')),
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  subject TEXT NOT NULL,
  message TEXT NOT NULL,
  -- The ISO timestamp that the visitor's browser sent.
  sent_at TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  -- By when the visitor was promised a reply.
  due_at INTEGER NOT NULL,
  -- Tells a repeated call from a clash of ticket ids.
  content_hash TEXT NOT NULL,
  -- Keyed hash of the sender's network, for limits only.
  network TEXT NOT NULL,
  -- 1 when the call carried a form proof of ours.
  proven INTEGER NOT NULL
) STRICT;

CREATE INDEX tickets_received ON tickets (received_at);
CREATE INDEX tickets_quarantined ON tickets (received_at) WHERE status = 'quarantined';
-- The limits for calls without a proof; ordinary tickets do not pay for them.
CREATE INDEX tickets_unproven_network ON tickets (network, received_at) WHERE proven = 0;
CREATE INDEX tickets_unproven_email ON tickets (email COLLATE NOCASE, received_at) WHERE proven = 0;

-- What staff did with a ticket: status changes and notes.
CREATE TABLE ticket_changes (
  id INTEGER PRIMARY KEY,
  ticket INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('status', 'note')),
  before TEXT,
  after TEXT NOT NULL
) STRICT;

CREATE INDEX ticket_changes_ticket ON ticket_changes (ticket);

-- Form proofs that have been used, until they would have expired anyway.
CREATE TABLE used_proofs (
  id TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mails (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  -- Ticket id and kind, or what else makes this mail the only one of its sort.
  dedupe_key TEXT NOT NULL UNIQUE,
  ticket_id TEXT,
  -- JSON that the message is rendered from, where there is no ticket.
  data TEXT,
  status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'dropped')),
  attempts INTEGER NOT NULL DEFAULT 0,
  queued_at INTEGER NOT NULL,
  -- When it may be taken next; while it is being sent, the end of the lease. Null once settled.
  due_at INTEGER,
  settled_at INTEGER,
  -- The mail server's last word, or why nothing was sent.
  last_reply TEXT,
  message_id TEXT NOT NULL
) STRICT;

CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mails_failed ON mails (settled_at) WHERE status = 'failed';

-- Remembered calls of POST /api/send-email. Their text is kept only while it may be needed.
CREATE TABLE mail_calls (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('notice', 'confirmation')),
  -- The ticket that the call names, once it is known.
  ticket_id TEXT,
  -- The same call again is the same call.
  digest TEXT NOT NULL UNIQUE,
  network TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('waiting', 'matched', 'delivered', 'unmatched', 'held')),
  -- JSON: what finds the ticket, and for a notice what staff would have to read.
  data TEXT
) STRICT;

CREATE INDEX mail_calls_waiting ON mail_calls (received_at) WHERE outcome = 'waiting';
CREATE INDEX mail_calls_ticket ON mail_calls (ticket_id) WHERE ticket_id IS NOT NULL;
CREATE INDEX mail_calls_network ON mail_calls (network, received_at) WHERE outcome <> 'matched';
