-- Who wants one email when a variant that is sold out can be bought again.
CREATE TABLE stock_alerts (
  id INTEGER PRIMARY KEY,
  variant INTEGER NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  -- The mailbox in one spelling, so that it asks once.
  mailbox TEXT NOT NULL,
  -- What its links are made of.
  secret TEXT NOT NULL UNIQUE,
  asked_at INTEGER NOT NULL,
  -- When the link in the first email was followed and its button pressed.
  confirmed_at INTEGER,
  UNIQUE (variant, mailbox)
) STRICT;

CREATE INDEX stock_alerts_asked ON stock_alerts (asked_at);
