-- A refund that Stripe took can come back from the buyer's bank. How much of a payout did, and which
-- payout pays it instead.
ALTER TABLE payouts ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE payouts ADD COLUMN replaces INTEGER;
