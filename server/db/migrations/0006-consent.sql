-- How often visitors decided what about cookies. Nothing here tells one visitor from another.
CREATE TABLE consent_counts (
  -- YYYY-MM-DD in Helsinki.
  day TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('accept', 'reject', 'save', 'save-analytics')),
  policy_version TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, decision, policy_version)
) STRICT, WITHOUT ROWID;
