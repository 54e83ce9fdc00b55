-- Gift cards: money that was paid before, and pays orders of the shop. Amounts are cents.
CREATE TABLE gift_cards (
  id INTEGER PRIMARY KEY,
  -- What people call it, such as G-7K3M9QTX; it pays nothing by itself.
  number TEXT NOT NULL UNIQUE,
  -- SHA-256 of the code, which is nowhere kept. 77 random bits can't be found by trying, so no key is
  -- needed that would have to stay the same for years.
  hash TEXT NOT NULL UNIQUE,
  value INTEGER NOT NULL CHECK (value > 0),
  -- Taken and given back in the transaction of each use; the database itself refuses what isn't there.
  balance INTEGER NOT NULL CHECK (balance BETWEEN 0 AND value),
  -- For whom it is, as long as that is needed.
  name TEXT,
  email TEXT,
  note TEXT,
  made_at INTEGER NOT NULL,
  expires_at INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX gift_cards_email ON gift_cards (email COLLATE NOCASE) WHERE email IS NOT NULL;

-- What was paid for a card, and, negative, what of it was paid back to its holder.
CREATE TABLE gift_card_money (
  id INTEGER PRIMARY KEY,
  card INTEGER NOT NULL REFERENCES gift_cards ON DELETE CASCADE,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  -- Civil date in Helsinki.
  paid_on TEXT NOT NULL
) STRICT;
CREATE INDEX gift_card_money_of ON gift_card_money (card);
CREATE INDEX gift_card_money_on ON gift_card_money (paid_on);

-- What a card pays of an order, from the moment that it is placed.
CREATE TABLE gift_card_uses (
  id INTEGER PRIMARY KEY,
  card INTEGER NOT NULL REFERENCES gift_cards ON DELETE CASCADE,
  -- NULL once the order is forgotten.
  "order" INTEGER UNIQUE REFERENCES orders ON DELETE SET NULL,
  -- The cart of an order that waits for its payment by card, and may be placed anew.
  cart INTEGER,
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- What of it is on the card again; never more than it paid.
  back INTEGER NOT NULL DEFAULT 0 CHECK (back BETWEEN 0 AND amount),
  used_at INTEGER NOT NULL,
  back_at INTEGER
) STRICT;
CREATE INDEX gift_card_uses_of ON gift_card_uses (card);
CREATE INDEX gift_card_uses_cart ON gift_card_uses (cart) WHERE cart IS NOT NULL;

ALTER TABLE carts ADD COLUMN gift_card INTEGER REFERENCES gift_cards ON DELETE SET NULL;
ALTER TABLE orders ADD COLUMN gift_card TEXT;
ALTER TABLE orders ADD COLUMN gift_card_amount INTEGER NOT NULL DEFAULT 0;

-- A card is one more source of payments, and one more way back. The words that a column takes are part
-- of its table, which is made anew; nothing refers to either of them.
CREATE TABLE payments_next (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL REFERENCES orders,
  -- Who told of it; `refund` is money that the site itself sends back.
  source TEXT NOT NULL CHECK (source IN ('stripe', 'bank', 'staff', 'gift-card', 'refund')),
  -- The payment service's session, the bank's archive id, staff's note, the number of a gift card, the
  -- name of a refund.
  external_id TEXT,
  -- As the bank writes the name; of older payments it was not kept.
  payer TEXT,
  amount INTEGER NOT NULL,
  paid_on TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  account TEXT,
  fee INTEGER,
  payment_intent TEXT
) STRICT;
INSERT INTO payments_next
  SELECT id, "order", source, external_id, payer, amount, paid_on, recorded_at, account, fee,
    payment_intent
  FROM payments;
DROP TABLE payments;
ALTER TABLE payments_next RENAME TO payments;
CREATE INDEX payments_of ON payments ("order");
-- A bank may give several transfers one archive id, so its statements are compared by their rows.
CREATE UNIQUE INDEX payments_told ON payments ("order", source, external_id) WHERE source <> 'bank';
CREATE INDEX payments_intent ON payments (payment_intent) WHERE payment_intent IS NOT NULL;

CREATE TABLE payouts_next (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL REFERENCES orders,
  method TEXT NOT NULL CHECK (method IN ('stripe', 'bank', 'gift-card')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- The credit note that it belongs to; NULL for what was paid too much.
  credit INTEGER REFERENCES invoices,
  reason TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- When the payment service took it, staff paid it at the bank, or it was on the gift card again.
  sent_at INTEGER,
  iban TEXT,
  recipient TEXT,
  batch INTEGER,
  parts TEXT,
  failed INTEGER NOT NULL DEFAULT 0,
  replaces INTEGER
) STRICT;
INSERT INTO payouts_next
  SELECT id, "order", method, amount, credit, reason, made_at, sent_at, iban, recipient, batch, parts,
    failed, replaces
  FROM payouts;
DROP TABLE payouts;
ALTER TABLE payouts_next RENAME TO payouts;
CREATE INDEX payouts_of ON payouts ("order");
CREATE INDEX payouts_open ON payouts (id) WHERE sent_at IS NULL;
CREATE INDEX payouts_batch ON payouts (batch);
