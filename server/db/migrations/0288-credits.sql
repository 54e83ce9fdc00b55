-- What was credited of an order, for sums over all orders: without it, each reads its documents from their pages.
CREATE INDEX invoices_credits ON invoices ("order", total) WHERE kind = 'credit';
