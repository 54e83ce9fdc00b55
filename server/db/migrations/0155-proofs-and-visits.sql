-- Whether pictures of a folder carry the agency's name, as proofs do; their originals stay here then.
ALTER TABLE folders ADD COLUMN watermark INTEGER NOT NULL DEFAULT 0;

-- When a file came into its folder; null for those from before this was kept.
ALTER TABLE folder_files ADD COLUMN added_at INTEGER;

-- When clients and visitors with favourites were here, so that what came afterwards can be shown as new.
CREATE TABLE folder_visits (
  folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  -- Keyed hash of the code or of the cookie, as in folder_pickers.
  visitor TEXT NOT NULL,
  -- The last look at the folder.
  seen_at INTEGER NOT NULL,
  -- The last look of the visit before; null during the first.
  before_at INTEGER,
  PRIMARY KEY (folder, visitor)
) STRICT, WITHOUT ROWID;

CREATE INDEX folder_visits_seen ON folder_visits (seen_at);
