-- Which order of the same cart took the place of one that was not paid. It always names the order that
-- stands, never one that was replaced itself, so that money that comes late is judged by one look.
ALTER TABLE orders ADD COLUMN replaced_by INTEGER REFERENCES orders;

CREATE INDEX orders_replaced ON orders (replaced_by) WHERE replaced_by IS NOT NULL;
