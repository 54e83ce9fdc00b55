-- What a booking costs, what was offered and agreed, whom to invoice, and other dates that are asked
-- for. `state` also takes `offered`; its column is made anew, because the words that it takes are part
-- of it.
DROP INDEX bookings_by_state;
ALTER TABLE bookings ADD COLUMN next_state TEXT NOT NULL DEFAULT 'requested'
  CHECK (next_state IN ('requested', 'offered', 'confirmed', 'declined', 'cancelled', 'expired',
    'quarantined'));
UPDATE bookings SET next_state = state;
ALTER TABLE bookings DROP COLUMN state;
ALTER TABLE bookings RENAME COLUMN next_state TO state;
CREATE INDEX bookings_by_state ON bookings (state, first_date);

-- Both follow from dates and times, and nothing ever read them.
ALTER TABLE bookings DROP COLUMN starts_at;
ALTER TABLE bookings DROP COLUMN ends_at;

-- How the service was sold when it was asked for. By month and project nothing is held.
ALTER TABLE bookings ADD COLUMN unit TEXT NOT NULL DEFAULT 'day'
  CHECK (unit IN ('day', 'event', 'month', 'project'));
-- Of a service by month or project.
ALTER TABLE bookings ADD COLUMN scope TEXT;
ALTER TABLE bookings ADD COLUMN budget TEXT;

-- What it costs as things stand, as JSON; an empty list while there is no price.
ALTER TABLE bookings ADD COLUMN lines TEXT NOT NULL DEFAULT '[]';
ALTER TABLE bookings ADD COLUMN terms_version TEXT;
-- As JSON: what staff offer, what was agreed, and other dates that are asked for.
ALTER TABLE bookings ADD COLUMN offer TEXT;
ALTER TABLE bookings ADD COLUMN agreement TEXT;
ALTER TABLE bookings ADD COLUMN change TEXT;

-- Whom to invoice, beside name and company.
ALTER TABLE bookings ADD COLUMN country TEXT;
ALTER TABLE bookings ADD COLUMN vat_id TEXT;
ALTER TABLE bookings ADD COLUMN street TEXT;
ALTER TABLE bookings ADD COLUMN postcode TEXT;
ALTER TABLE bookings ADD COLUMN city TEXT;
