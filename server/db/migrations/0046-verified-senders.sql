-- When it became certain that something comes from the address in it: made in the session of a
-- client who has the address, opened by a code that went to the mailbox, or answered by staff.
-- Until then anybody may have sent it, and it isn't shown in a client's panel.
ALTER TABLE tickets ADD COLUMN verified_at INTEGER;
UPDATE tickets SET verified_at = received_at
WHERE status = 'answered' OR ticket_id IN (
  SELECT thing_id FROM timeline WHERE thing = 'ticket' AND act = 'status' AND after = 'answered');

ALTER TABLE bookings ADD COLUMN verified_at INTEGER;
UPDATE bookings SET verified_at = changed_at
WHERE state = 'confirmed' OR reference IN (
  SELECT thing_id FROM timeline WHERE thing = 'booking' AND act = 'confirmed');

ALTER TABLE orders ADD COLUMN verified_at INTEGER;
UPDATE orders SET verified_at = placed_at
WHERE booking IS NOT NULL OR shipped_at IS NOT NULL OR (payment = 'invoice' AND paid_at IS NOT NULL);
