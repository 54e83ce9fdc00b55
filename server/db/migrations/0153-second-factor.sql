-- Numbers of an authenticator app that a code asks for beside itself.
CREATE TABLE second_factors (
  code INTEGER PRIMARY KEY REFERENCES codes (id) ON DELETE CASCADE,
  -- Encrypted with a key derived from the site's.
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Of the last number that was taken; none is taken twice, and none from before it.
  last_step INTEGER NOT NULL,
  -- Wrong numbers since the last right one, and when the last of them came.
  wrong INTEGER NOT NULL DEFAULT 0,
  wrong_at INTEGER
) STRICT;

-- Secrets that wait for the first number of the app.
CREATE TABLE pending_factors (
  code INTEGER PRIMARY KEY REFERENCES codes (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Each opens once in place of a number. They go with the factor to the code that replaces its own.
CREATE TABLE recovery_codes (
  code INTEGER NOT NULL REFERENCES second_factors (code) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Keyed with the factor's secret; the code itself is nowhere.
  hash TEXT NOT NULL,
  PRIMARY KEY (code, hash)
) STRICT, WITHOUT ROWID;

-- Right codes that wait for their number.
CREATE TABLE sign_in_challenges (
  id TEXT PRIMARY KEY,
  code INTEGER NOT NULL REFERENCES codes (id) ON DELETE CASCADE,
  -- The name that was given with the code.
  who TEXT,
  created_at INTEGER NOT NULL,
  wrong INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_challenges_code ON sign_in_challenges (code);
CREATE INDEX sign_in_challenges_created ON sign_in_challenges (created_at);
