-- What a variant says of its licence, as JSON: use, territory, months, exclusive, printRun, licensee.
ALTER TABLE variants ADD COLUMN licence TEXT;
-- The licence as it was sold, with its words, as JSON; lines of earlier versions name it alone.
ALTER TABLE order_lines ADD COLUMN sold_licence TEXT;
