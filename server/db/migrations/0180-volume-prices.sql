-- What a piece costs from a number of pieces on, as JSON; null for a variant with one price.
ALTER TABLE variants ADD COLUMN volume TEXT;
