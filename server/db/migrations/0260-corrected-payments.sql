-- A payment that was recorded for the wrong order is taken back, or moved to the right one: both rows name
-- the payment that they are about, and that one stays as it was.
ALTER TABLE payments ADD COLUMN corrects INTEGER;
