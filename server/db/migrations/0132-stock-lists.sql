-- The stock at the end of each fiscal year, as it was: prices and titles change later.
CREATE TABLE stock_lists (
  day TEXT NOT NULL,
  handle TEXT NOT NULL,
  variant TEXT NOT NULL,
  title TEXT NOT NULL,
  -- Pieces that nobody has ordered, and pieces of orders that were not sent yet.
  shelf INTEGER NOT NULL,
  ordered INTEGER NOT NULL,
  -- Sale price including VAT, in cents; NULL where there is none.
  price INTEGER,
  taken_at INTEGER NOT NULL,
  PRIMARY KEY (day, handle, variant)
) STRICT, WITHOUT ROWID;
