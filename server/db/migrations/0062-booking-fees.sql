-- The fee of a cancellation, as JSON, while its invoice still needs an address.
ALTER TABLE bookings ADD COLUMN fee TEXT;
