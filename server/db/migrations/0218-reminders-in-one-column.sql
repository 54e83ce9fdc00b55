-- When the buyer of an invoice was reminded, first to last, in milliseconds: one more reminder is no
-- column of its own.
ALTER TABLE invoices ADD COLUMN reminders TEXT NOT NULL DEFAULT '[]';
UPDATE invoices SET reminders = json_array(reminded_at) WHERE reminded_at IS NOT NULL;
UPDATE invoices SET reminders = json_array(reminded_at, reminded_twice_at)
  WHERE reminded_at IS NOT NULL AND reminded_twice_at IS NOT NULL;
ALTER TABLE invoices DROP COLUMN reminded_at;
ALTER TABLE invoices DROP COLUMN reminded_twice_at;
