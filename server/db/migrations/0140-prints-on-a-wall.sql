-- How a variant looks on a wall: its size in centimetres, its frame, and the picture in it, as JSON.
ALTER TABLE variants ADD COLUMN wall TEXT;
