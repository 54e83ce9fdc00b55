-- Texts that staff put into replies to tickets.
CREATE TABLE text_blocks (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL COLLATE NOCASE UNIQUE,
  text TEXT NOT NULL
) STRICT;
