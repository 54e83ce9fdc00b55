-- Bookings to come that were erased with their person: enough to take them out of staff's calendars,
-- and nothing that names anybody.
CREATE TABLE erased_bookings (
  reference TEXT PRIMARY KEY,
  service TEXT NOT NULL,
  first_date TEXT NOT NULL,
  last_date TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  erased_at INTEGER NOT NULL
) STRICT;
