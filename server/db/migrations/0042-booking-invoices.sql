-- What all of a booking costs, of which an order invoices a deposit, the rest or the whole. Null for
-- orders of the shop; those of bookings that are older than this column invoice the whole.
ALTER TABLE orders ADD COLUMN booking_whole INTEGER;
