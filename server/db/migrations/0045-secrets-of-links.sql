-- Links were signed over row numbers, which SQLite gives out again once a row is gone or an older
-- backup is back. From now on they are signed over 128 random bits that belong to one row alone.
ALTER TABLE bookings ADD COLUMN secret TEXT;
UPDATE bookings SET secret = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX bookings_secret ON bookings (secret);

ALTER TABLE orders ADD COLUMN secret TEXT;
UPDATE orders SET secret = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX orders_secret ON orders (secret);

-- Of links that confirm; the one that leaves has its own since the first day.
ALTER TABLE subscribers ADD COLUMN secret TEXT;
UPDATE subscribers SET secret = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX subscribers_secret ON subscribers (secret);

-- The address of staff's calendar feed, in place of a number that counted up.
ALTER TABLE booking_feed ADD COLUMN secret TEXT;
INSERT OR IGNORE INTO booking_feed (id, generation, renewed_at) VALUES (1, 0, 0);
UPDATE booking_feed SET secret = lower(hex(randomblob(16)));

-- Drawn anew whenever a backup is restored, so that what had ended after the backup was made, such
-- as an address that was renewed, doesn't begin again.
CREATE TABLE restore_epoch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch TEXT NOT NULL
) STRICT;
INSERT INTO restore_epoch VALUES (1, lower(hex(randomblob(16))));

-- The highest number that a row had which is gone, so that none is given out twice.
CREATE TABLE spent_numbers (
  name TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER bookings_spent AFTER DELETE ON bookings BEGIN
  INSERT INTO spent_numbers VALUES ('bookings', OLD.id)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER orders_spent AFTER DELETE ON orders BEGIN
  INSERT INTO spent_numbers VALUES ('orders', OLD.id)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER carts_spent AFTER DELETE ON carts BEGIN
  INSERT INTO spent_numbers VALUES ('carts', OLD.id)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER subscribers_spent AFTER DELETE ON subscribers BEGIN
  INSERT INTO spent_numbers VALUES ('subscribers', OLD.id)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER folders_spent AFTER DELETE ON folders BEGIN
  INSERT INTO spent_numbers VALUES ('folders', OLD.id)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER folder_files_spent AFTER DELETE ON folder_files BEGIN
  INSERT INTO spent_numbers VALUES ('folder_files', OLD.id)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER withdrawals_spent AFTER DELETE ON withdrawals BEGIN
  INSERT INTO spent_numbers VALUES ('withdrawals', OLD.id)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER variants_spent AFTER DELETE ON variants BEGIN
  INSERT INTO spent_numbers VALUES ('variants', OLD.id)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
