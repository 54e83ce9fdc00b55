-- The catalogue. Money is integer cents including VAT, instants are milliseconds of the epoch.
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  handle TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('physical', 'digital', 'service')),
  category TEXT NOT NULL CHECK (category IN ('prints', 'licences', 'files', 'services')),
  summary TEXT NOT NULL,
  -- Rich text as it was given; cleaned when it is read.
  description TEXT NOT NULL,
  vat TEXT NOT NULL CHECK (vat IN ('standard', 'reduced', 'low', 'zero')),
  published INTEGER NOT NULL CHECK (published IN (0, 1)),
  -- JSON lists of texts, and of ids of pictures.
  tags TEXT NOT NULL,
  pictures TEXT NOT NULL,
  made_to_order INTEGER NOT NULL CHECK (made_to_order IN (0, 1)),
  licence TEXT,
  sold_out_note TEXT,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX products_shown ON products (published, category, kind);

-- Handles that a product had before; they lead to the one that it has now.
CREATE TABLE product_handles (
  handle TEXT PRIMARY KEY,
  product INTEGER NOT NULL REFERENCES products ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE variants (
  id INTEGER PRIMARY KEY,
  product INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  variant TEXT NOT NULL,
  title TEXT NOT NULL,
  position INTEGER NOT NULL,
  -- Pieces that nobody has reserved; NULL where there is no end of them.
  stock INTEGER CHECK (stock >= 0),
  weight INTEGER,
  -- JSON list of the names of its files.
  files TEXT NOT NULL,
  UNIQUE (product, variant)
) STRICT;

-- Every price that a variant ever had, never changed afterwards: the lowest of the thirty days before
-- a reduction has to be shown with it (Consumer Protection Act, chapter 2, section 11).
CREATE TABLE prices (
  id INTEGER PRIMARY KEY,
  variant INTEGER NOT NULL REFERENCES variants ON DELETE CASCADE,
  price INTEGER NOT NULL CHECK (price >= 0),
  from_at INTEGER NOT NULL,
  -- Of a reduction, which ends; NULL for a price that stands until the next one.
  until_at INTEGER,
  recorded_at INTEGER NOT NULL
) STRICT;

CREATE INDEX prices_of ON prices (variant, from_at);

CREATE TABLE carts (
  id INTEGER PRIMARY KEY,
  -- Of the cookie; the cookie itself is nowhere kept.
  token_hash TEXT NOT NULL UNIQUE,
  changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX carts_changed ON carts (changed_at);

CREATE TABLE cart_lines (
  id INTEGER PRIMARY KEY,
  cart INTEGER NOT NULL REFERENCES carts ON DELETE CASCADE,
  variant INTEGER NOT NULL REFERENCES variants ON DELETE CASCADE,
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 20),
  -- The price that was shown last, so that a change can be told.
  seen_price INTEGER NOT NULL,
  UNIQUE (cart, variant)
) STRICT;
