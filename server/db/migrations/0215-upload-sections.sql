-- The section of the folder into which an upload goes, as a path; empty for the folder itself.
ALTER TABLE folder_uploads ADD COLUMN section TEXT NOT NULL DEFAULT '';
