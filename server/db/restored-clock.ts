import Database from 'better-sqlite3'

/**
 * Takes over from the state that is replaced until when its clock was trusted. A backup that is some days
 * old would put the clock in doubt otherwise, and everything that is due would wait.
 * @param from the file of the replaced database
 * @param to the file of the restored one, which no process uses
 * @param now milliseconds of the epoch: a trusted time after it came from a wrong clock, and a restore may
 *   be there to get rid of it
 */
export function keepTrustedClock(from: string, to: string, now: number): void {
  const trustedAt = trustedIn(from)
  if (trustedAt === null || trustedAt > now) return
  const db = new Database(to, { fileMustExist: true })
  try {
    if (!db.prepare(table).get()) return
    db.prepare('UPDATE clock SET trusted_at = max(trusted_at, ?)').run(trustedAt)
  } finally {
    db.close()
  }
}

const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'clock'"

/** Until when the clock was trusted; null if it is in doubt, or nothing says. */
function trustedIn(file: string): number | null {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      const row = db.prepare('SELECT trusted_at AS at FROM clock WHERE doubted_at IS NULL').get()
      return (row as { at: number } | undefined)?.at ?? null
    } finally {
      db.close()
    }
  } catch {
    return null
  }
}
