-- What the photographer wrote below a photo; empty for none, null where a sync hasn't looked for it yet.
ALTER TABLE folder_files ADD COLUMN caption TEXT;

-- Counts up with each sync, so that two at the same time notice each other.
ALTER TABLE folders ADD COLUMN syncs INTEGER NOT NULL DEFAULT 0;

-- Files that staff send to a folder.
CREATE TABLE folder_uploads (
  id TEXT PRIMARY KEY,
  folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  -- The code with which it was begun; null at the command line.
  code INTEGER REFERENCES codes (id) ON DELETE SET NULL,
  actor TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Bytes, as announced.
  size INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('receiving', 'added', 'same', 'refused')),
  -- The path in the folder, or why it was refused.
  result TEXT,
  started_at INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX folder_uploads_folder ON folder_uploads (folder, at);
CREATE INDEX folder_uploads_at ON folder_uploads (at);

-- What was added to a folder after a file, which open galleries ask again and again.
CREATE INDEX folder_files_added ON folder_files (folder, id, kind);
