-- Orders beyond a share wait: they hold nothing, and have no number and no document. The column moves
-- because the words that it takes are part of it; whatever else the table has stays as it is.
DROP INDEX orders_over;
ALTER TABLE orders ADD COLUMN next_state TEXT NOT NULL DEFAULT 'pending'
  CHECK (next_state IN ('waiting', 'pending', 'open', 'paid', 'shipped', 'cancelled', 'refunded',
    'expired', 'attention'));
UPDATE orders SET next_state = state;
ALTER TABLE orders DROP COLUMN state;
ALTER TABLE orders RENAME COLUMN next_state TO state;
CREATE INDEX orders_over ON orders (changed_at) WHERE state IN ('expired', 'cancelled');

-- How many pieces of a variant unpaid orders hold.
CREATE INDEX order_lines_variant ON order_lines (variant_id) WHERE variant_id IS NOT NULL;
