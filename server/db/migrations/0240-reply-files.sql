-- Files that staff attach to their replies. They are kept when the form with them arrives, so that one
-- that comes back brings them along, and belong to the reply from when it is written.
CREATE TABLE reply_files (
  id INTEGER PRIMARY KEY,
  ticket_id TEXT NOT NULL REFERENCES tickets (ticket_id) ON DELETE CASCADE,
  -- The key of the form, and so of the reply.
  key TEXT NOT NULL,
  -- Null until the reply is written.
  message INTEGER REFERENCES ticket_messages ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- Bytes.
  size INTEGER NOT NULL,
  -- SHA-256, so that a form that is sent twice attaches a file once.
  digest TEXT NOT NULL,
  content BLOB NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (ticket_id, key, name, digest)
) STRICT;

CREATE INDEX reply_files_message ON reply_files (message);
CREATE INDEX reply_files_waiting ON reply_files (at) WHERE message IS NULL;
