-- Times are milliseconds of the epoch.

-- The time servers of this state have seen, so that a wrong clock can be told from a right one.
CREATE TABLE clock (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  -- The last time that was trusted; goes on with running time while the clock is in doubt.
  trusted_at INTEGER NOT NULL,
  -- What the clock in doubt said last; null while the clock is trusted.
  doubted_at INTEGER,
  -- How long servers have run steadily with the clock in doubt.
  doubted_ms INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A site that is older than this table was last seen when it last wrote something.
INSERT INTO clock (only, trusted_at)
SELECT 1, max(at) FROM (
  SELECT max(last_success_at) AS at FROM jobs
  UNION ALL SELECT max(queued_at) FROM mails
  UNION ALL SELECT max(recorded_at) FROM site_origin
) HAVING max(at) IS NOT NULL;

-- When a job was given its due time, so that one scheduled by a wrong clock can be put right.
ALTER TABLE jobs ADD COLUMN scheduled_at INTEGER;
