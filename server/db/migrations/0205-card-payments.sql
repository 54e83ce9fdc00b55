-- Which payment at the payment service each is. An order may be paid by card more than once: every
-- payment has a fee and a refund of its own.
ALTER TABLE payments ADD COLUMN payment_intent TEXT;
UPDATE payments SET payment_intent =
  (SELECT payment_intent FROM orders WHERE id = "order" AND (session = external_id OR NOT EXISTS
    (SELECT 1 FROM payments AS other WHERE other."order" = payments."order"
      AND other.source = 'stripe' AND other.id <> payments.id)))
WHERE source = 'stripe';
CREATE INDEX payments_intent ON payments (payment_intent) WHERE payment_intent IS NOT NULL;

-- From which payments a payout is taken back, as JSON; null for what is paid at the bank.
ALTER TABLE payouts ADD COLUMN parts TEXT;
UPDATE payouts SET parts =
  (SELECT json_array(json_object('paymentIntent', payment_intent, 'amount', payouts.amount))
   FROM orders WHERE id = payouts."order" AND payment_intent IS NOT NULL)
WHERE method = 'stripe';
