-- Which part of a booking an order invoices: a deposit, chosen lines, the rest, all of it, or the fee
-- of a cancellation.
CREATE TABLE booking_parts (
  "order" INTEGER PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
  part TEXT NOT NULL CHECK (part IN ('whole', 'deposit', 'lines', 'rest', 'fee')),
  -- Of chosen lines: their places in the booking's list, as JSON.
  lines TEXT
) STRICT;

INSERT INTO booking_parts ("order", part)
SELECT id, CASE WHEN total < booking_whole THEN 'deposit' ELSE 'whole' END
FROM orders WHERE booking IS NOT NULL;
