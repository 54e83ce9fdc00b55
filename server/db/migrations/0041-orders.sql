-- Orders, their documents and what was told about them. Money is integer cents, instants are
-- milliseconds of the epoch, days are civil dates in Helsinki.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  -- Drawn by the client for one submission of one cart; sending it again is a repeat.
  cart_key TEXT UNIQUE,
  content_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'open', 'paid', 'shipped', 'cancelled',
    'refunded', 'expired', 'attention')),
  -- Counts the changes, for compare-and-swap.
  sequence INTEGER NOT NULL DEFAULT 0,
  payment TEXT NOT NULL CHECK (payment IN ('invoice', 'stripe')),
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  company TEXT,
  vat_id TEXT,
  street TEXT,
  postcode TEXT,
  city TEXT,
  country TEXT NOT NULL,
  reverse_charge INTEGER NOT NULL CHECK (reverse_charge IN (0, 1)),
  shipping INTEGER NOT NULL,
  shipping_rate REAL,
  total INTEGER NOT NULL,
  terms_version TEXT NOT NULL,
  digital_waiver INTEGER NOT NULL CHECK (digital_waiver IN (0, 1)),
  -- Of a confirmed booking that became an order.
  booking TEXT,
  placed_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- While the pieces of an unpaid order are held.
  reserved_until INTEGER,
  paid_at INTEGER,
  shipped_at INTEGER,
  -- At the payment service.
  session TEXT UNIQUE,
  session_url TEXT,
  payment_intent TEXT
) STRICT;

CREATE INDEX orders_placed ON orders (placed_at);
CREATE INDEX orders_email ON orders (email COLLATE NOCASE);
CREATE INDEX orders_booking ON orders (booking) WHERE booking IS NOT NULL;

CREATE TABLE order_lines (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL REFERENCES orders ON DELETE CASCADE,
  handle TEXT,
  variant TEXT,
  variant_id INTEGER,
  title TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('physical', 'digital', 'service')),
  quantity INTEGER NOT NULL,
  unit INTEGER NOT NULL,
  total INTEGER NOT NULL,
  -- Per cent, as it was on the day of the order.
  rate REAL NOT NULL,
  made_to_order INTEGER NOT NULL CHECK (made_to_order IN (0, 1)),
  licence TEXT,
  licence_version TEXT,
  files TEXT NOT NULL
) STRICT;

CREATE INDEX order_lines_of ON order_lines ("order");

-- Invoices and credit notes in one series without a gap; what they say never changes.
CREATE TABLE invoices (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'credit')),
  "order" INTEGER NOT NULL REFERENCES orders,
  -- The invoice that a credit note takes back.
  refers_to INTEGER REFERENCES invoices,
  reference TEXT NOT NULL,
  issued_on TEXT NOT NULL,
  due_on TEXT,
  total INTEGER NOT NULL,
  -- Everything that is printed, as JSON.
  document TEXT NOT NULL,
  reminded_at INTEGER
) STRICT;

CREATE INDEX invoices_of ON invoices ("order");
CREATE INDEX invoices_reference ON invoices (reference);

-- What the payment service has told; each event counts once.
CREATE TABLE stripe_events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  outcome TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Money that came in, so that no payment counts twice.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL REFERENCES orders,
  -- Of the bank or the payment service; the same payment is told once.
  source TEXT NOT NULL UNIQUE,
  amount INTEGER NOT NULL,
  paid_on TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;

CREATE TABLE withdrawals (
  id INTEGER PRIMARY KEY,
  -- As the customer wrote it, and the order it was found to be.
  order_number TEXT NOT NULL,
  "order" INTEGER REFERENCES orders,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;

CREATE INDEX withdrawals_email ON withdrawals (email COLLATE NOCASE);

CREATE TABLE downloads (
  id INTEGER PRIMARY KEY,
  line INTEGER NOT NULL REFERENCES order_lines ON DELETE CASCADE,
  file TEXT NOT NULL,
  at INTEGER NOT NULL,
  network TEXT NOT NULL
) STRICT;

CREATE INDEX downloads_of ON downloads (line);
