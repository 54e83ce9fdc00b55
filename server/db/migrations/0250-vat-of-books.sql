-- Printed books have a VAT class of their own: other member states than Finland have a rate for them
-- that is not Finland's reduced one. What was sold at that one and passes customs as a printed book
-- (HS heading 4901) is such a book, and costs the same in Finland.
ALTER TABLE products ADD COLUMN vat_class TEXT NOT NULL DEFAULT 'standard'
  CHECK (vat_class IN ('standard', 'reduced', 'book', 'low', 'zero'));
UPDATE products SET vat_class = CASE
  WHEN vat = 'reduced' AND customs ->> '$.code' LIKE '4901%' THEN 'book' ELSE vat END;
ALTER TABLE products DROP COLUMN vat;
ALTER TABLE products RENAME COLUMN vat_class TO vat;
