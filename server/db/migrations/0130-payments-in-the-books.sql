-- The account that money came from, as camt.053 tells it, so that a refund knows where to go; and what
-- the payment service kept of it, in cents.
ALTER TABLE payments ADD COLUMN account TEXT;
ALTER TABLE payments ADD COLUMN fee INTEGER;

-- Where a payout goes, if staff have said so, and the file for the bank that it is in.
ALTER TABLE payouts ADD COLUMN iban TEXT;
ALTER TABLE payouts ADD COLUMN recipient TEXT;
ALTER TABLE payouts ADD COLUMN batch INTEGER;

-- Files for the bank. A payout is in one of them at most.
CREATE TABLE payout_batches (
  id INTEGER PRIMARY KEY,
  -- Unique for each file, so that the bank takes none twice.
  message TEXT NOT NULL UNIQUE,
  -- The civil date on which the bank is to pay.
  execute_on TEXT NOT NULL,
  actor TEXT NOT NULL,
  made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX payouts_batch ON payouts (batch);
