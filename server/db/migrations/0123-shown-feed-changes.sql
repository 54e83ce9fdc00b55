-- The changes of a feed as staff were last shown them, by event: what the organiser changes after that
-- is shown again before it's approved.
ALTER TABLE event_feeds ADD COLUMN shown TEXT;
