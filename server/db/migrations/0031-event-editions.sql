-- Content has no numbers for its editions: what an event was when the calendar was last made, and
-- how often it has changed since it was first seen (SEQUENCE of RFC 5545).
CREATE TABLE event_editions (
  event_id TEXT PRIMARY KEY,
  digest TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
