-- Times are milliseconds of the epoch; days are dates in Helsinki.

CREATE TABLE folders (
  id INTEGER PRIMARY KEY,
  -- 22 characters of [0-9A-Za-z]: 131 bits. What opens a folder that has no password.
  key TEXT NOT NULL UNIQUE,
  -- A name that can be guessed, so it never stands without a password.
  alias TEXT UNIQUE COLLATE NOCASE,
  -- Below DATA_DIR/folders, with forward slashes.
  directory TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  client TEXT,
  season TEXT,
  -- scrypt, see passwords.ts.
  password TEXT,
  -- Counts on with each change, so that what an older password opened is closed.
  password_version INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- Null never expires.
  expires_at INTEGER,
  revoked_at INTEGER,
  synced_at INTEGER,
  downloads_most INTEGER,
  -- What counts against downloads_most.
  downloads INTEGER NOT NULL DEFAULT 0,
  -- Whether visitors may pick again after they have submitted.
  rounds TEXT NOT NULL DEFAULT 'one' CHECK (rounds IN ('none', 'one', 'many')),
  -- Worked out by each sync.
  file_count INTEGER NOT NULL DEFAULT 0,
  total_bytes INTEGER NOT NULL DEFAULT 0,
  CHECK (alias IS NULL OR password IS NOT NULL)
) STRICT;

CREATE TABLE folder_files (
  id INTEGER PRIMARY KEY,
  folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  -- Exactly as on disk, below the folder's directory, with forward slashes.
  path TEXT NOT NULL,
  -- The directory part of path; empty at the top.
  section TEXT NOT NULL,
  name TEXT NOT NULL,
  -- In the order of the page, from 0 without gaps.
  position INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'audio', 'document')),
  type TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  -- As shown, turned upright. Null where unknown.
  width INTEGER,
  height INTEGER,
  -- CRC-32 of the bytes that had this size and mtime; null until somebody reads them.
  crc INTEGER,
  -- The path of a still picture for a video.
  poster TEXT,
  -- 1 when the file was not there or not readable when it was last asked for.
  broken INTEGER NOT NULL DEFAULT 0,
  downloads INTEGER NOT NULL DEFAULT 0,
  UNIQUE (folder, path)
) STRICT;

CREATE INDEX folder_files_position ON folder_files (folder, position);

-- What somebody chose to get as one ZIP, for as long as its address is valid.
CREATE TABLE folder_selections (
  folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  -- Hash of the sorted ids: the same choice is the same ZIP.
  digest TEXT NOT NULL,
  -- JSON array of file ids.
  files TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (folder, digest)
) STRICT, WITHOUT ROWID;

-- Counts by day; bots are in none of them.
CREATE TABLE folder_days (
  folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  views INTEGER NOT NULL DEFAULT 0,
  visitors INTEGER NOT NULL DEFAULT 0,
  files INTEGER NOT NULL DEFAULT 0,
  zips INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (folder, day)
) STRICT, WITHOUT ROWID;

-- Who has been counted today, as a keyed hash of the day; gone after two days.
CREATE TABLE folder_seen (
  folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  visitor TEXT NOT NULL,
  -- 'view', or what was downloaded.
  what TEXT NOT NULL,
  PRIMARY KEY (folder, day, visitor, what)
) STRICT, WITHOUT ROWID;

-- Somebody who picks favourites.
CREATE TABLE folder_pickers (
  id INTEGER PRIMARY KEY,
  folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  -- Keyed hash of the cookie.
  visitor TEXT NOT NULL,
  name TEXT,
  round INTEGER NOT NULL DEFAULT 1,
  -- Set while the picks of this round are submitted and locked.
  submitted_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (folder, visitor)
) STRICT;

CREATE TABLE folder_picks (
  picker INTEGER NOT NULL REFERENCES folder_pickers (id) ON DELETE CASCADE,
  file INTEGER NOT NULL REFERENCES folder_files (id) ON DELETE CASCADE,
  heart INTEGER NOT NULL DEFAULT 0,
  comment TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (picker, file)
) STRICT, WITHOUT ROWID;

CREATE INDEX folder_picks_file ON folder_picks (file);

-- What was submitted, as it was at that moment.
CREATE TABLE folder_submissions (
  id INTEGER PRIMARY KEY,
  picker INTEGER NOT NULL REFERENCES folder_pickers (id) ON DELETE CASCADE,
  round INTEGER NOT NULL,
  name TEXT NOT NULL,
  note TEXT,
  at INTEGER NOT NULL,
  -- JSON: [{path, heart, comment}].
  picks TEXT NOT NULL,
  UNIQUE (picker, round)
) STRICT;
