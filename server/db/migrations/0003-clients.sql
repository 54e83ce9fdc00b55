-- Times are milliseconds of the epoch. Numbers are never used twice, since other tables and people remember them.

CREATE TABLE clients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The last part of the panel's address; opens nothing by itself.
  panel TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  season TEXT,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT;

-- Addresses whose tickets belong to a client.
CREATE TABLE client_emails (
  client INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  email TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (client, email)
) STRICT, WITHOUT ROWID;

CREATE TABLE codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  -- Keyed hash of the normalised code; the code itself is nowhere.
  hash TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  -- JSON array.
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  max_uses INTEGER,
  uses INTEGER NOT NULL DEFAULT 0,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE INDEX codes_client ON codes (client);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Of the cookie.
  hash TEXT NOT NULL UNIQUE,
  code INTEGER NOT NULL REFERENCES codes (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_code ON sessions (code);
CREATE INDEX sessions_expires ON sessions (expires_at);

-- What happened in a client's name: sign-ins, downloads, selections.
CREATE TABLE client_activity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  code INTEGER REFERENCES codes (id) ON DELETE SET NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE INDEX client_activity_client ON client_activity (client, id);

-- What staff put into a panel.
CREATE TABLE panel_blocks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  title TEXT,
  -- JSON, in the form that its kind reads.
  data TEXT NOT NULL
) STRICT;

CREATE INDEX panel_blocks_client ON panel_blocks (client, position);

-- Files of panels; on disk they are named by their id alone.
CREATE TABLE panel_files (
  id TEXT PRIMARY KEY,
  block INTEGER NOT NULL REFERENCES panel_blocks (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX panel_files_block ON panel_files (block);

-- Panels list the tickets of their client.
CREATE INDEX tickets_email ON tickets (email COLLATE NOCASE, received_at);
