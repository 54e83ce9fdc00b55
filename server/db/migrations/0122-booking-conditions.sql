-- The rules of cancelling and of the deposit that a customer was shown with a request or an offer: what
-- is agreed later is agreed on these, whatever the file of rules says by then.
ALTER TABLE bookings ADD COLUMN conditions TEXT;
