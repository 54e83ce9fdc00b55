-- Codes that make goods cheaper, and the orders that used them. A code has a percentage or an amount in
-- cents including VAT.
CREATE TABLE discounts (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  percent INTEGER,
  amount INTEGER,
  -- What the goods that it is for have to cost together, in cents including VAT.
  minimum INTEGER NOT NULL,
  from_at INTEGER NOT NULL,
  until_at INTEGER,
  max_uses INTEGER,
  max_uses_each INTEGER,
  category TEXT,
  product INTEGER REFERENCES products ON DELETE CASCADE,
  without_licences INTEGER NOT NULL,
  made_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE TABLE discount_uses (
  id INTEGER PRIMARY KEY,
  discount INTEGER NOT NULL REFERENCES discounts ON DELETE CASCADE,
  "order" INTEGER NOT NULL UNIQUE REFERENCES orders ON DELETE CASCADE,
  -- The cart of an order that waits for its payment by card, and may be placed anew.
  cart INTEGER,
  -- A keyed hash of the mailbox; it is forgotten after the code has ended.
  mailbox TEXT,
  used_at INTEGER NOT NULL,
  given_back_at INTEGER
) STRICT;
CREATE INDEX discount_uses_of ON discount_uses (discount, mailbox);
CREATE INDEX discount_uses_cart ON discount_uses (cart) WHERE cart IS NOT NULL;

ALTER TABLE carts ADD COLUMN discount TEXT;
ALTER TABLE orders ADD COLUMN discount_code TEXT;
ALTER TABLE orders ADD COLUMN discount INTEGER NOT NULL DEFAULT 0;
ALTER TABLE order_lines ADD COLUMN discount INTEGER NOT NULL DEFAULT 0;
