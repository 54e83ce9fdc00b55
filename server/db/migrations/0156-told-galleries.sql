-- Whom staff have told that a gallery is ready, as JSON, and when; null until somebody was told.
ALTER TABLE folders ADD COLUMN told_to TEXT;
ALTER TABLE folders ADD COLUMN told_at INTEGER;
