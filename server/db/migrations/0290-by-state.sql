-- What waits is a handful among years of what is over: the desk, its counts and the digest ask for it often.
CREATE INDEX tickets_status ON tickets (status, received_at);
DROP INDEX tickets_quarantined;
CREATE INDEX orders_state ON orders (state, placed_at);
CREATE INDEX bookings_changing ON bookings (first_date) WHERE change IS NOT NULL;
CREATE INDEX bookings_requested ON bookings (requested_at);
