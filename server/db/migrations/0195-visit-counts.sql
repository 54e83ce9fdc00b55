-- How often each article, service, case and product was read, by day in Helsinki.
CREATE TABLE read_counts (
  day TEXT NOT NULL,
  kind TEXT NOT NULL,
  slug TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, kind, slug)
) STRICT, WITHOUT ROWID;

-- How many visits began and what they ended in, by where they came from. There is one row for all of a
-- day; nothing says which visits belong to each other.
CREATE TABLE visit_counts (
  -- referrer, campaign or landing.
  dimension TEXT NOT NULL,
  -- The host, the campaign's source, or the kind of the first page.
  name TEXT NOT NULL,
  -- Of campaigns alone; else empty.
  medium TEXT NOT NULL,
  campaign TEXT NOT NULL,
  day TEXT NOT NULL,
  event TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (dimension, name, medium, campaign, day, event)
) STRICT, WITHOUT ROWID;

CREATE INDEX visit_counts_day ON visit_counts (day, dimension);
