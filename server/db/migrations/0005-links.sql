-- Times are milliseconds of the epoch; days are dates in Helsinki.

CREATE TABLE links (
  -- Never used twice, since clicks that wait in memory name their link by it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE COLLATE NOCASE,
  target TEXT NOT NULL,
  note TEXT NOT NULL,
  -- In whose panel it stands.
  client INTEGER REFERENCES clients (id) ON DELETE SET NULL,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  starts_at INTEGER,
  expires_at INTEGER,
  max_clicks INTEGER CHECK (max_clicks > 0),
  disabled_at INTEGER,
  forward_query INTEGER NOT NULL,
  -- JSON object of utm_… values without their prefix.
  utm TEXT,
  human INTEGER NOT NULL DEFAULT 0,
  bot INTEGER NOT NULL DEFAULT 0,
  last_click_at INTEGER
) STRICT;

CREATE INDEX links_client ON links (client, id) WHERE client IS NOT NULL;
CREATE INDEX links_expires ON links (expires_at) WHERE expires_at IS NOT NULL;

-- Counts by day. Nothing here tells one visitor from another.
CREATE TABLE link_days (
  link INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  human INTEGER NOT NULL,
  bot INTEGER NOT NULL,
  -- What the people of `human` held in their hands.
  phone INTEGER NOT NULL,
  tablet INTEGER NOT NULL,
  computer INTEGER NOT NULL,
  other INTEGER NOT NULL,
  PRIMARY KEY (link, day)
) STRICT, WITHOUT ROWID;

-- Which sites led people to a link; those who came without one are not here.
CREATE TABLE link_referrers (
  link INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  host TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (link, day, host)
) STRICT, WITHOUT ROWID;
