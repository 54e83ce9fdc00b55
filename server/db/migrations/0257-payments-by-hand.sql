-- What staff recorded by hand stands for a row of the bank's statement once that is read: the day on which
-- the bank booked it, and the bank's own number where there is one.
ALTER TABLE payments ADD COLUMN statement_day TEXT;
ALTER TABLE payments ADD COLUMN statement_id TEXT;
