-- A copy of an issue that was only tried is told by a column instead of the beginning of its slug.
CREATE TABLE newsletter_issues_by_kind (
  slug TEXT NOT NULL,
  -- 1 for what was only tried: it has the article of the day of the last trial.
  is_trial INTEGER NOT NULL CHECK (is_trial IN (0, 1)),
  created_at INTEGER NOT NULL,
  -- JSON of the parts that each mail is put together from.
  content TEXT NOT NULL,
  PRIMARY KEY (slug, is_trial)
) STRICT, WITHOUT ROWID;

INSERT INTO newsletter_issues_by_kind (slug, is_trial, created_at, content)
SELECT CASE WHEN slug LIKE 'trial:%' THEN substr(slug, 7) ELSE slug END,
  slug LIKE 'trial:%', created_at, content
FROM newsletter_issues;

DROP TABLE newsletter_issues;
ALTER TABLE newsletter_issues_by_kind RENAME TO newsletter_issues;

UPDATE mails SET data = json_set(data, '$.slug', substr(json_extract(data, '$.slug'), 7))
WHERE kind = 'newsletterIssue' AND json_extract(data, '$.slug') LIKE 'trial:%';
