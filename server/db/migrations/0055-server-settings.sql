-- Times are milliseconds of the epoch.

-- Fingerprints of what the server of this data is set up with; the command line compares them with its
-- own settings. The row named salt is no setting but the key of those that aren't secret.
CREATE TABLE server_settings (
  name TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL
) STRICT;

-- What the server has noticed about how it is set up, for doctor.
CREATE TABLE server_warnings (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  noticed_at INTEGER NOT NULL
) STRICT;
