-- State, province or territory of who is invoiced, as orders have it.
ALTER TABLE bookings ADD COLUMN region TEXT;
