-- What staff know a mail by, whichever feature it belongs to.
ALTER TABLE mails RENAME COLUMN ticket_id TO reference;
