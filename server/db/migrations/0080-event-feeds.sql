-- What the bookings of an event are to be told: the event as it was when they last heard of it, and as
-- it is now. Null in sent_at: prepared, and not sent yet.
CREATE TABLE event_notices (
  id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  author TEXT NOT NULL,
  sent_at INTEGER
) STRICT;
CREATE INDEX event_notices_of_event ON event_notices (event_id, sent_at);

-- Calendars of organisers that staff have subscribed to, each with the text that it had last.
CREATE TABLE event_feeds (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  zone TEXT,
  series TEXT,
  created_at INTEGER NOT NULL,
  author TEXT NOT NULL,
  checked_at INTEGER,
  fetched_at INTEGER,
  etag TEXT,
  body TEXT,
  problem TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  open_changes INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What staff decided about an event of a feed. The digest is that of the event as the feed gave it
-- then: the same text is not put before them again.
CREATE TABLE event_feed_decisions (
  feed_id INTEGER NOT NULL REFERENCES event_feeds (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('approved', 'dismissed')),
  digest TEXT NOT NULL,
  PRIMARY KEY (feed_id, event_id)
) STRICT, WITHOUT ROWID;
