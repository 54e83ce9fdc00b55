-- Times are milliseconds of the epoch.

CREATE TABLE subscribers (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL CHECK (status IN ('pending', 'subscribed', 'unsubscribed', 'blocked')),
  -- Counts on when somebody leaves, so that older confirmation links mean nothing any more.
  round INTEGER NOT NULL DEFAULT 0,
  -- Opens the way out for good; never derived from a key that may change.
  leave_token TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  -- When the status came about.
  since INTEGER NOT NULL
) STRICT;

CREATE INDEX subscribers_status ON subscribers (status, id);

-- How each subscription came about and ended: the proof of consent.
CREATE TABLE subscriber_events (
  id INTEGER PRIMARY KEY,
  subscriber INTEGER NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind IN ('asked', 'confirmed', 'left', 'removed', 'imported', 'blocked')),
  -- Version of the text that the form showed.
  policy TEXT,
  -- Path of the page that the form stood on.
  source TEXT,
  -- Keyed hash of the client's network; forgotten after 30 days.
  network TEXT,
  -- What staff wrote down about the consent of imported addresses.
  note TEXT
) STRICT;

CREATE INDEX subscriber_events_subscriber ON subscriber_events (subscriber, id);
CREATE INDEX subscriber_events_network ON subscriber_events (at) WHERE network IS NOT NULL;

-- Confirmation mails that were granted, for the limits against bombing; kept for some days.
CREATE TABLE subscriber_confirmations (
  id INTEGER PRIMARY KEY,
  subscriber INTEGER NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- When its mail goes out; later than `at` while too many are on their way.
  due_at INTEGER NOT NULL
) STRICT;

CREATE INDEX subscriber_confirmations_subscriber ON subscriber_confirmations (subscriber, at);
CREATE INDEX subscriber_confirmations_network ON subscriber_confirmations (network, at);
CREATE INDEX subscriber_confirmations_due ON subscriber_confirmations (due_at);

-- An article as it goes out, the same to everybody and in every attempt.
CREATE TABLE newsletter_issues (
  slug TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  -- JSON of the parts that each mail is put together from.
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
