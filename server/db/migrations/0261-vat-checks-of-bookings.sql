-- What VIES said of the VAT id of a booking when its price was worked out last, as JSON; orders have it, too.
ALTER TABLE bookings ADD COLUMN vat_check TEXT;
