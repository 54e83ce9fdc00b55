-- The second reminder of an invoice, and when it was given to a collection agency.
ALTER TABLE invoices ADD COLUMN reminded_twice_at INTEGER;
ALTER TABLE invoices ADD COLUMN collected_at INTEGER;

-- What a late payment costs: interest up to a day, a reminder's fee, the fixed compensation of companies.
CREATE TABLE charges (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL REFERENCES orders,
  kind TEXT NOT NULL CHECK (kind IN ('interest', 'reminder', 'compensation')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- Civil date of the claim; interest is up to the day before it.
  claimed_on TEXT NOT NULL,
  claimed_at INTEGER NOT NULL,
  -- Staff let it go.
  waived_at INTEGER
) STRICT;
CREATE INDEX charges_of ON charges ("order");
CREATE INDEX charges_claimed ON charges (claimed_on);
