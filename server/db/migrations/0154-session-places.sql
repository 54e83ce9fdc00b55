-- From where and with what a session began, as people are shown it: a network without its host part,
-- and the browser in words. Unknown for sessions from before.
ALTER TABLE sessions ADD COLUMN network TEXT;
ALTER TABLE sessions ADD COLUMN browser TEXT;
