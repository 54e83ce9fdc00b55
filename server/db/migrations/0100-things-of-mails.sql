-- What a mail is about, as in the timeline, so that nobody has to take its key apart.
ALTER TABLE mails ADD COLUMN thing TEXT;
ALTER TABLE mails ADD COLUMN thing_id TEXT;

UPDATE mails SET thing = 'ticket', thing_id = reference WHERE reference IS NOT NULL;
UPDATE mails SET thing = 'order', thing_id = json_extract(data, '$.order')
WHERE dedupe_key LIKE 'order-%' AND json_type(data, '$.order') = 'text';
UPDATE mails SET thing = 'booking', thing_id = json_extract(data, '$.reference')
WHERE dedupe_key LIKE 'booking-%' AND json_type(data, '$.reference') = 'text';
UPDATE mails SET thing = 'issue', thing_id = json_extract(data, '$.slug')
WHERE kind = 'newsletterIssue' AND json_type(data, '$.subscriber') = 'integer';

CREATE INDEX mails_thing ON mails (thing, thing_id) WHERE thing IS NOT NULL;
