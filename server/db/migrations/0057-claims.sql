-- Times are milliseconds of the epoch.

-- What strangers have asked us to hold, number or keep: who sent it, as keyed hashes, and how much it
-- is. Limits count these rows, so they survive a restart and hold for parallel requests.
CREATE TABLE claims (
  id INTEGER PRIMARY KEY,
  -- booking, order, ticket, withdrawal; and what people call the thing.
  noun TEXT NOT NULL,
  thing TEXT NOT NULL,
  mailbox TEXT NOT NULL,
  network TEXT NOT NULL,
  -- Days of a booking, limited pieces of an order.
  units INTEGER NOT NULL DEFAULT 0,
  -- What its row takes in the database.
  bytes INTEGER NOT NULL DEFAULT 0,
  at INTEGER NOT NULL,
  -- Why it holds nothing: it waits for the link in its mail, or for staff; or it looks like a robot's.
  parked TEXT CHECK (parked IN ('link', 'staff', 'doubtful')),
  -- When what waits ends by itself.
  until INTEGER,
  -- The random value that the link in its mail is signed over.
  secret TEXT UNIQUE,
  -- When that link was used.
  proven_at INTEGER,
  UNIQUE (noun, thing)
) STRICT;

CREATE INDEX claims_mailbox ON claims (mailbox, noun, at);
CREATE INDEX claims_network ON claims (network, noun, at);
CREATE INDEX claims_parked ON claims (noun, at, bytes) WHERE parked IS NOT NULL;
CREATE INDEX claims_at ON claims (at);

-- When staff were last told that a limit of a noun was reached.
CREATE TABLE limit_alarms (
  noun TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
