-- Times are milliseconds of the epoch.

-- Who did what to which thing.
CREATE TABLE timeline (
  id INTEGER PRIMARY KEY,
  -- Its kind: ticket, booking, order, client, folder.
  thing TEXT NOT NULL,
  -- What people call it: a ticket number, a booking's reference.
  thing_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- A name of staff, 'visitor', or 'system'.
  actor TEXT NOT NULL,
  act TEXT NOT NULL,
  before TEXT,
  after TEXT,
  note TEXT
) STRICT;

CREATE INDEX timeline_thing ON timeline (thing, thing_id, id);

INSERT INTO timeline (thing, thing_id, at, actor, act, before, after, note)
SELECT 'ticket', tickets.ticket_id, at, author, kind, before,
  CASE kind WHEN 'status' THEN after END,
  CASE kind WHEN 'note' THEN after END
FROM ticket_changes JOIN tickets ON tickets.id = ticket_changes.ticket
ORDER BY ticket_changes.id;

DROP TABLE ticket_changes;
