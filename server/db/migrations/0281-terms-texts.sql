-- The terms of service as they were in each version, for those who agreed to one that is no longer in force.
CREATE TABLE terms_texts (
  version TEXT PRIMARY KEY,
  date TEXT NOT NULL,
  sections TEXT NOT NULL
) STRICT;
