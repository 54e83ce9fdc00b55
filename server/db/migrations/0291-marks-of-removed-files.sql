-- What visitors had marked of files that have left their folder since: nothing that was chosen goes without
-- a word, and a file that comes back finds its marks again.
CREATE TABLE folder_lost_picks (
  picker INTEGER NOT NULL REFERENCES folder_pickers (id) ON DELETE CASCADE,
  -- The number that it had, which is given to no other file.
  file INTEGER NOT NULL,
  path TEXT NOT NULL,
  heart INTEGER NOT NULL,
  comment TEXT,
  at INTEGER NOT NULL,
  gone_at INTEGER NOT NULL,
  PRIMARY KEY (picker, file)
) STRICT, WITHOUT ROWID;

-- Counts the changes of what a visitor has marked, by whom ever: what is sent has to be what was shown.
ALTER TABLE folder_pickers ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
