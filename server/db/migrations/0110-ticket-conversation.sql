-- What links to a ticket are signed over, who takes care of it, how often it was changed (so that two
-- people never overwrite each other), and since when it is closed (so that staff's link ends).
ALTER TABLE tickets ADD COLUMN secret TEXT;
UPDATE tickets SET secret = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX tickets_secret ON tickets (secret);
ALTER TABLE tickets ADD COLUMN assignee TEXT;
ALTER TABLE tickets ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tickets ADD COLUMN closed_at INTEGER;
UPDATE tickets SET closed_at = coalesce(
  (SELECT max(at) FROM timeline WHERE thing = 'ticket' AND thing_id = ticket_id AND act = 'status'),
  received_at)
WHERE status IN ('closed', 'spam');

-- What was written after a ticket's first message, by staff and by its visitor.
CREATE TABLE ticket_messages (
  id INTEGER PRIMARY KEY,
  ticket_id TEXT NOT NULL REFERENCES tickets (ticket_id) ON DELETE CASCADE,
  author TEXT NOT NULL CHECK (author IN ('staff', 'visitor')),
  -- Who of staff wrote it, or the visitor's name.
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Drawn by the form, so that sending it twice is one message.
  key TEXT NOT NULL UNIQUE
) STRICT;

CREATE INDEX ticket_messages_ticket ON ticket_messages (ticket_id);
