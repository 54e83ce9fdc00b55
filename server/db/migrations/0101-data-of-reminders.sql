-- Reminders of bookings say whom they are about in their data, so that nobody has to take their key apart.
UPDATE jobs SET data = json_object('reference', key)
WHERE kind = 'bookings.remind-staff' AND data IS NULL;
UPDATE jobs SET data = json_object('reference', substr(key, 1, instr(key, '/') - 1))
WHERE kind = 'bookings.remind-visitor' AND data IS NULL AND instr(key, '/') > 0;
