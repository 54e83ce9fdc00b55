-- The notice about favourites is called after them, as staff read its name at the desk.
UPDATE mails SET kind = 'folderFavourites' WHERE kind = 'folderPicks';
