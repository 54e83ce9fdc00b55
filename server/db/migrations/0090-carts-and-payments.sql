-- What stood in texts that had to be parsed has columns of its own: "cart/key" of orders, and
-- "stripe/session", "staff/order/note", "refund/order" and "bank/archive id/amount/reference" of
-- payments. orders.cart_key stays empty, since SQLite drops no column that is UNIQUE.
CREATE TABLE cart_orders (
  cart INTEGER NOT NULL,
  -- Drawn by the browser for one submission; sending it again is a repeat.
  key TEXT NOT NULL,
  "order" INTEGER NOT NULL REFERENCES orders ON DELETE CASCADE,
  PRIMARY KEY (cart, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX cart_orders_of ON cart_orders ("order");

INSERT INTO cart_orders (cart, key, "order")
  SELECT CAST(substr(cart_key, 1, instr(cart_key, '/') - 1) AS INTEGER),
    substr(cart_key, instr(cart_key, '/') + 1), id
  FROM orders WHERE instr(cart_key, '/') > 1;
UPDATE orders SET cart_key = NULL;

CREATE TABLE payments_next (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL REFERENCES orders,
  -- Who told of it; `refund` is money that the site itself sends back.
  source TEXT NOT NULL CHECK (source IN ('stripe', 'bank', 'staff', 'refund')),
  -- The payment service's session, the bank's archive id, staff's note, the name of a refund.
  external_id TEXT,
  -- As the bank writes the name; of older payments it was not kept.
  payer TEXT,
  amount INTEGER NOT NULL,
  paid_on TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;

INSERT INTO payments_next (id, "order", source, external_id, amount, paid_on, recorded_at)
  SELECT payments.id, payments."order", substr(source, 1, instr(source, '/') - 1),
    CASE
      WHEN source LIKE 'stripe/%' THEN substr(source, 8)
      WHEN source LIKE 'staff/%' THEN substr(source, length('staff/' || orders.number || '/') + 1)
      WHEN source LIKE 'refund/%' THEN 'whole'
      -- Without an archive id a hash stood there, which says no more than the other columns.
      WHEN instr(source, '/' || payments.amount || '/') > 0
        THEN substr(source, 6, instr(source, '/' || payments.amount || '/') - 6)
    END, payments.amount, paid_on, recorded_at
  FROM payments JOIN orders ON orders.id = payments."order"
  ORDER BY payments.id;
DROP TABLE payments;
ALTER TABLE payments_next RENAME TO payments;
CREATE INDEX payments_of ON payments ("order");
-- A bank may give several transfers one archive id, so its statements are compared by their rows.
CREATE UNIQUE INDEX payments_told ON payments ("order", source, external_id) WHERE source <> 'bank';
