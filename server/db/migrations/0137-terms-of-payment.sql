-- Companies that staff let pay after delivery, by the mailbox of their orders.
CREATE TABLE credit_accounts (
  email TEXT PRIMARY KEY COLLATE NOCASE,
  company TEXT NOT NULL,
  allowed_at INTEGER NOT NULL,
  allowed_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
