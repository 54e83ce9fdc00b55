-- Times are milliseconds of the epoch.

-- Work that is due at a time: once, or again and again.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  -- What the job is about; empty for a recurring one.
  key TEXT NOT NULL,
  -- JSON, as its kind reads it.
  data TEXT,
  -- When it is to run. Later than that while it is tried again.
  due_at INTEGER NOT NULL,
  -- When it may be taken next; null once it has been given up and waits for a person.
  next_at INTEGER,
  -- Until when a process has it.
  leased_until INTEGER,
  -- Since the last success.
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Counts on with each scheduling, so that the end of a run does not undo a newer one.
  revision INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  last_error_at INTEGER,
  last_success_at INTEGER,
  UNIQUE (kind, key)
) STRICT;

CREATE INDEX jobs_next ON jobs (next_at) WHERE next_at IS NOT NULL;

-- Counts the changes of what the public sees, so that every process hears of them.
CREATE TABLE site_version (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  version INTEGER NOT NULL
) STRICT;

INSERT INTO site_version VALUES (1, 0);
