-- Requests for dates, and what becomes of them. Days are civil dates; instants are milliseconds of
-- the epoch, kept with the zone that they were given in.
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY,
  reference TEXT NOT NULL UNIQUE,
  -- Drawn by the client for one submission; sending it again is a repeat.
  key TEXT NOT NULL UNIQUE,
  content_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('requested', 'confirmed', 'declined', 'cancelled', 'expired', 'quarantined')),
  -- Counts the changes, for compare-and-swap and as SEQUENCE of the calendar entry.
  sequence INTEGER NOT NULL DEFAULT 0,
  service TEXT NOT NULL,
  first_date TEXT NOT NULL,
  last_date TEXT NOT NULL,
  -- Days before and after on which the crew is on the road, as the rules were then.
  travel_days INTEGER NOT NULL DEFAULT 0,
  start_time TEXT,
  end_time TEXT,
  -- Of a booking with times.
  starts_at INTEGER,
  ends_at INTEGER,
  zone TEXT NOT NULL DEFAULT 'Europe/Helsinki',
  place TEXT NOT NULL,
  event_id TEXT,
  event_title TEXT,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT,
  company TEXT,
  message TEXT,
  -- What staff said with their last answer.
  answer TEXT,
  requested_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- While it is only requested.
  held_until INTEGER,
  -- Keyed hash of the sender's network.
  network TEXT NOT NULL,
  proven INTEGER NOT NULL,
  CHECK (first_date <= last_date)
) STRICT;

CREATE INDEX bookings_by_date ON bookings (first_date, id);
CREATE INDEX bookings_by_state ON bookings (state, first_date);
CREATE INDEX bookings_by_network ON bookings (network, requested_at);
CREATE INDEX bookings_by_email ON bookings (email COLLATE NOCASE, requested_at);

-- How many bookings occupy a day, kept in step with every change of a state, so that a month view
-- reads as many rows with a hundred thousand bookings as with none.
CREATE TABLE booking_days (
  date TEXT NOT NULL,
  service TEXT NOT NULL,
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  confirmed INTEGER NOT NULL DEFAULT 0 CHECK (confirmed >= 0),
  travelling INTEGER NOT NULL DEFAULT 0 CHECK (travelling >= 0),
  PRIMARY KEY (date, service)
) STRICT, WITHOUT ROWID;

-- Days that staff have blocked.
CREATE TABLE booking_blocks (
  id INTEGER PRIMARY KEY,
  first_date TEXT NOT NULL,
  last_date TEXT NOT NULL,
  -- NULL for all services.
  service TEXT,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  author TEXT NOT NULL,
  CHECK (first_date <= last_date)
) STRICT;

CREATE INDEX booking_blocks_by_date ON booking_blocks (last_date);

-- The secret address of staff's calendar feed counts up when it is renewed.
CREATE TABLE booking_feed (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL,
  renewed_at INTEGER NOT NULL
) STRICT;
