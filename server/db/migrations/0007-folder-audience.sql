-- A folder without a password is open to whoever has its address, until it stands in a panel: then it
-- belongs to the clients of these panels. 1 lets in everybody with the address all the same.
ALTER TABLE folders ADD COLUMN anyone INTEGER NOT NULL DEFAULT 0 CHECK (anyone IN (0, 1));
