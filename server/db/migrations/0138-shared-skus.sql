-- Two listings may sell the same article; doctor names what has a SKU twice.
DROP INDEX variants_sku;
CREATE INDEX variants_sku ON variants (sku) WHERE sku IS NOT NULL;
