-- The last number of an invoice or credit note that was ever given. A restore carries it over: what was
-- issued after the backup was made is with its buyer, and its reference number may still be paid.
INSERT INTO spent_numbers SELECT 'invoices', max(number) FROM invoices WHERE true
  GROUP BY 1 HAVING max(number) IS NOT NULL
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
CREATE TRIGGER invoices_given AFTER INSERT ON invoices BEGIN
  INSERT INTO spent_numbers VALUES ('invoices', NEW.number)
  ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
END;
