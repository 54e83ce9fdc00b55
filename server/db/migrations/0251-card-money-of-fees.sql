-- What of a payment by card covers the fee of a cancelled booking keeps its payment at the payment
-- service, so that it can go back there. Earlier ones have it where the invoice that it came from was
-- paid by that one payment alone.
UPDATE payments SET payment_intent =
  (SELECT CASE WHEN count(*) = 1 THEN min(came.payment_intent) END FROM payments AS came
   JOIN orders AS origin ON origin.id = came."order"
   WHERE origin.number = substr(payments.external_id, 6) AND came.amount > 0 AND came.source <> 'refund')
WHERE source = 'staff' AND external_id LIKE 'from %' AND payment_intent IS NULL
  AND EXISTS (SELECT 1 FROM orders WHERE id = payments."order" AND booking IS NOT NULL);
UPDATE payments SET payment_intent =
  (SELECT there.payment_intent FROM payments AS there
   JOIN orders AS fee ON fee.id = there."order"
   JOIN orders AS origin ON origin.id = payments."order"
   WHERE fee.number = substr(payments.external_id, 4) AND there.external_id = 'from ' || origin.number)
WHERE source = 'staff' AND external_id LIKE 'to %' AND payment_intent IS NULL
  AND EXISTS (SELECT 1 FROM orders WHERE id = payments."order" AND booking IS NOT NULL);
