-- Who of the people with one code it was, when they say so as they enter.
ALTER TABLE sessions ADD COLUMN who TEXT;
ALTER TABLE client_activity ADD COLUMN who TEXT;
