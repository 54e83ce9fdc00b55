-- Money that goes back to a buyer. It is recorded as a payment of the opposite amount at once; this says
-- by which way it goes, and when it has gone.
CREATE TABLE payouts (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL REFERENCES orders,
  method TEXT NOT NULL CHECK (method IN ('stripe', 'bank')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- The credit note that it belongs to; NULL for what was paid too much.
  credit INTEGER REFERENCES invoices,
  reason TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- When the payment service took it, or staff paid it at the bank.
  sent_at INTEGER
) STRICT;
CREATE INDEX payouts_of ON payouts ("order");
CREATE INDEX payouts_open ON payouts (id) WHERE sent_at IS NULL;
