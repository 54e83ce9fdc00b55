-- How often pages were seen and what was done on them. Nothing here tells one visitor from another.
CREATE TABLE page_counts (
  -- YYYY-MM-DD in Helsinki.
  day TEXT NOT NULL,
  page TEXT NOT NULL,
  event TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, page, event)
) STRICT, WITHOUT ROWID;
