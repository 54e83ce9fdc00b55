-- What staff keep and do with bookings: a note of their own, customers without emails, the zone of the
-- times, a decision that can be taken back, who works on it, and blocks of one person or one place.
ALTER TABLE bookings ADD COLUMN note TEXT;
ALTER TABLE bookings ADD COLUMN mails INTEGER NOT NULL DEFAULT 1;
-- As JSON: the row before the last decision, until its mail leaves.
ALTER TABLE bookings ADD COLUMN undo TEXT;

-- One person of the crew; NULL for all of them.
ALTER TABLE booking_blocks ADD COLUMN person TEXT;
-- Places of the service; NULL for the whole of it.
ALTER TABLE booking_blocks ADD COLUMN places INTEGER CHECK (places > 0);

-- Who works on a booking. People are those of the rules, by their names.
CREATE TABLE booking_crew (
  booking_id INTEGER NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
  person TEXT NOT NULL,
  assigned_at INTEGER NOT NULL,
  author TEXT NOT NULL,
  PRIMARY KEY (booking_id, person)
) STRICT, WITHOUT ROWID;

CREATE INDEX booking_crew_by_person ON booking_crew (person);
