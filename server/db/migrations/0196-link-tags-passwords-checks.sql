-- Tags as a JSON array of lower-case texts, and the hash of a link's password.
ALTER TABLE links ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE links ADD COLUMN password TEXT;
-- When the target was last asked whether it answers; null for not yet.
ALTER TABLE links ADD COLUMN checked_at INTEGER;
-- How often in a row it did not, and how it failed the last time.
ALTER TABLE links ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE links ADD COLUMN problem TEXT;

CREATE INDEX links_tagged ON links (id) WHERE tags <> '[]';
CREATE INDEX links_failing ON links (id) WHERE failures > 0;
CREATE INDEX links_checked ON links (checked_at);
