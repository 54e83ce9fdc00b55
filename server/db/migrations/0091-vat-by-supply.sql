-- Why each line has its rate, and whose VAT it is; shipping follows its goods, in a part for each rate.
ALTER TABLE order_lines ADD COLUMN tax_ground TEXT NOT NULL DEFAULT 'domestic';
ALTER TABLE order_lines ADD COLUMN tax_country TEXT NOT NULL DEFAULT 'FI';
-- JSON: [{gross, rate, ground, country}].
ALTER TABLE orders ADD COLUMN shipping_parts TEXT NOT NULL DEFAULT '[]';
-- What the union's register said of the VAT id, as JSON.
ALTER TABLE orders ADD COLUMN vat_check TEXT;

UPDATE order_lines SET tax_ground = CASE
    WHEN (SELECT reverse_charge FROM orders WHERE orders.id = "order")
      THEN CASE kind WHEN 'physical' THEN 'intra-community' ELSE 'reverse-charge' END
    ELSE 'export' END
  WHERE rate = 0 AND "order" IN (SELECT id FROM orders WHERE country <> 'FI');
UPDATE order_lines SET tax_ground = 'distance-sale'
  WHERE rate > 0 AND kind <> 'service' AND "order" IN (SELECT id FROM orders WHERE country IN ('AT',
    'BE', 'BG', 'HR', 'CY', 'CZ', 'DK', 'EE', 'FR', 'DE', 'GR', 'HU', 'IE', 'IT', 'LV', 'LT', 'LU',
    'MT', 'NL', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE'));
UPDATE orders SET shipping_parts = json_array(json_object('gross', shipping, 'rate', shipping_rate,
    'ground', coalesce((SELECT tax_ground FROM order_lines
      WHERE "order" = orders.id AND kind = 'physical' LIMIT 1), 'domestic'), 'country', 'FI'))
  WHERE shipping_rate IS NOT NULL;
ALTER TABLE orders DROP COLUMN shipping_rate;

-- What the seller has registered for, by the day from which it counts.
CREATE TABLE tax_registrations (
  name TEXT PRIMARY KEY CHECK (name IN ('oss')),
  from_on TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
