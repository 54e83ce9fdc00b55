-- A folder that was put into a client's panel stays closed to others once the block, or the client, is removed.
ALTER TABLE folders ADD COLUMN was_in_panel INTEGER NOT NULL DEFAULT 0;
UPDATE folders SET was_in_panel = 1 WHERE key IN
  (SELECT value FROM panel_blocks, json_each(data, '$.folders') WHERE kind = 'folders');
CREATE TRIGGER folders_put_in_panel AFTER INSERT ON panel_blocks WHEN NEW.kind = 'folders' BEGIN
  UPDATE folders SET was_in_panel = 1 WHERE was_in_panel = 0 AND key IN
    (SELECT value FROM json_each(NEW.data, '$.folders'));
END;
CREATE TRIGGER folders_added_to_panel AFTER UPDATE OF data ON panel_blocks WHEN NEW.kind = 'folders' BEGIN
  UPDATE folders SET was_in_panel = 1 WHERE was_in_panel = 0 AND key IN
    (SELECT value FROM json_each(NEW.data, '$.folders'));
END;
