-- What a file tells of the place, the device and its owner leaves with it only where this is 1.
ALTER TABLE folders ADD COLUMN keep_location INTEGER NOT NULL DEFAULT 0
  CHECK (keep_location IN (0, 1));
-- CRC-32 of what leaves of a file without such metadata, and the number of the way they were found;
-- null until somebody reads the file.
ALTER TABLE folder_files ADD COLUMN clean_crc INTEGER;
ALTER TABLE folder_files ADD COLUMN clean_recipe INTEGER;
