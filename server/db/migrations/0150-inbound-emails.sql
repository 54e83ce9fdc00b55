-- An answer names the Message-ID of what it answers.
CREATE INDEX mails_message_id ON mails (message_id);

-- How far the mailbox of IMAP_URL has been read: the greatest UID of which nothing is left to do.
CREATE TABLE inbound_mailboxes (
  -- The address at its server, with its UIDVALIDITY.
  mailbox TEXT PRIMARY KEY,
  passed_uid INTEGER NOT NULL
) STRICT;

-- Emails that wait unread in the mailbox for staff, since they are no answer that could be taken.
CREATE TABLE waiting_emails (
  id INTEGER PRIMARY KEY,
  mailbox TEXT NOT NULL,
  uid INTEGER NOT NULL,
  sender TEXT,
  subject TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  -- Why it waits.
  reason TEXT NOT NULL
    CHECK (reason IN ('sender', 'named', 'known', 'limit', 'large', 'unreadable')),
  -- Which it seems to be about.
  ticket_id TEXT REFERENCES tickets (ticket_id) ON DELETE SET NULL,
  UNIQUE (mailbox, uid)
) STRICT;
CREATE INDEX waiting_emails_ticket ON waiting_emails (ticket_id);

-- The email that a visitor's message came as.
CREATE TABLE ticket_message_emails (
  message INTEGER PRIMARY KEY REFERENCES ticket_messages ON DELETE CASCADE,
  -- With what it quotes; the message itself has the visitor's own words.
  text TEXT NOT NULL,
  -- Whether the email goes on.
  is_cut INTEGER NOT NULL,
  -- Names and sizes as JSON; the files stay in the mailbox.
  attachments TEXT NOT NULL
) STRICT;
