-- A statement of withdrawal is dealt with by lines, and by states: received; awaiting, while goods that
-- were sent are to come back; back, once they or the proof that they were sent are here; settled by
-- its credit note; closed without one.
ALTER TABLE withdrawals ADD COLUMN state TEXT NOT NULL DEFAULT 'received'
  CHECK (state IN ('received', 'awaiting', 'back', 'settled', 'closed'));
ALTER TABLE withdrawals ADD COLUMN back_at INTEGER;
-- When the customer has shown that the goods are on their way back.
ALTER TABLE withdrawals ADD COLUMN proof_at INTEGER;
ALTER TABLE withdrawals ADD COLUMN settled_at INTEGER;
ALTER TABLE withdrawals ADD COLUMN credit INTEGER REFERENCES invoices;
-- Why it was closed without a credit note, or what else staff noted.
ALTER TABLE withdrawals ADD COLUMN note TEXT;
CREATE INDEX withdrawals_of ON withdrawals ("order");

CREATE TABLE withdrawal_lines (
  withdrawal INTEGER NOT NULL REFERENCES withdrawals ON DELETE CASCADE,
  line INTEGER NOT NULL REFERENCES order_lines ON DELETE CASCADE,
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  -- Pieces that had been sent when the statement came.
  sent INTEGER NOT NULL CHECK (sent BETWEEN 0 AND quantity),
  -- Why there is no right of withdrawal, as the customer was told; NULL where there is one.
  exempt TEXT,
  PRIMARY KEY (withdrawal, line)
) STRICT, WITHOUT ROWID;

-- Orders that are over were dealt with; of the others staff decide by hand.
UPDATE withdrawals SET state = 'settled', settled_at = received_at WHERE "order" IN
  (SELECT id FROM orders WHERE state IN ('refunded', 'cancelled', 'expired'));

-- When the buyer asked for digital content at once, after the order was placed.
ALTER TABLE orders ADD COLUMN waived_at INTEGER;
-- Whether services may begin before the days of withdrawal are over.
ALTER TABLE orders ADD COLUMN begin_early INTEGER NOT NULL DEFAULT 0 CHECK (begin_early IN (0, 1));
