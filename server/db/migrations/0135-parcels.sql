-- Where goods go, as far as it was not asked before, and how they get there.
ALTER TABLE orders ADD COLUMN street2 TEXT;
-- State, province or territory, in countries whose addresses have one.
ALTER TABLE orders ADD COLUMN region TEXT;
ALTER TABLE orders ADD COLUMN phone TEXT;
ALTER TABLE orders ADD COLUMN pickup INTEGER NOT NULL DEFAULT 0 CHECK (pickup IN (0, 1));
-- When the buyer was told that it can be picked up.
ALTER TABLE orders ADD COLUMN ready_at INTEGER;
-- Whether it may be delivered before it is paid, as staff let a company.
ALTER TABLE orders ADD COLUMN on_account INTEGER NOT NULL DEFAULT 0 CHECK (on_account IN (0, 1));

-- What was sold, as the slip, the customs form and the mails say it; NULL on lines of earlier versions.
ALTER TABLE order_lines ADD COLUMN sku TEXT;
-- Grams of one piece.
ALTER TABLE order_lines ADD COLUMN weight INTEGER;
-- When it is delivered, in the words that its buyer was shown.
ALTER TABLE order_lines ADD COLUMN delivery TEXT;
-- JSON: {code, origin}.
ALTER TABLE order_lines ADD COLUMN customs TEXT;

ALTER TABLE variants ADD COLUMN sku TEXT;
-- JSON: length, width and height of its package, in millimetres.
ALTER TABLE variants ADD COLUMN size TEXT;
CREATE UNIQUE INDEX variants_sku ON variants (sku) WHERE sku IS NOT NULL;

-- JSON: working days from the payment until it leaves, at least and at most.
ALTER TABLE products ADD COLUMN dispatch TEXT;
-- JSON: {name, address, contact} of who made it, where that is not the seller.
ALTER TABLE products ADD COLUMN maker TEXT;
-- What buyers have to know to use it safely.
ALTER TABLE products ADD COLUMN safety TEXT;
-- JSON: {code, origin} for the customs form.
ALTER TABLE products ADD COLUMN customs TEXT;

-- What has left of an order; a second parcel follows where the first one held only a part.
CREATE TABLE parcels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "order" INTEGER NOT NULL REFERENCES orders ON DELETE CASCADE,
  carrier TEXT,
  tracking TEXT,
  sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX parcels_of ON parcels ("order");

CREATE TABLE parcel_lines (
  parcel INTEGER NOT NULL REFERENCES parcels ON DELETE CASCADE,
  line INTEGER NOT NULL REFERENCES order_lines ON DELETE CASCADE,
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (parcel, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX parcel_lines_of ON parcel_lines (line);

-- What was sent before went in one parcel.
INSERT INTO parcels ("order", sent_at)
  SELECT id, shipped_at FROM orders WHERE shipped_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM order_lines WHERE "order" = orders.id AND kind = 'physical');
INSERT INTO parcel_lines (parcel, line, quantity)
  SELECT parcels.id, order_lines.id, quantity FROM parcels
  JOIN order_lines ON order_lines."order" = parcels."order" WHERE kind = 'physical';
