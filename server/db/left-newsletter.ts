import Database from 'better-sqlite3'

/** An address that left the newsletter or was taken off it, when, and how. */
export type Leaver = {
  readonly email: string
  readonly status: 'unsubscribed' | 'blocked'
  /** Milliseconds of the epoch. */
  readonly since: number
  readonly kind: 'left' | 'removed' | 'blocked' | null
  readonly note: string | null
}

type States = readonly { readonly file: string; readonly from: number }[]

/**
 * Who left the newsletter since a backup was made, and may be on its list; the first to leave first. Who has
 * subscribed again since is none of them.
 * @param states the files of the replaced state, and of those that restores replaced before it, each with
 *   the moment from which on it was in place; no process uses any of them
 * @param since when the backup was made, in milliseconds of the epoch
 */
export function leaversSince(states: States, since: number): Leaver[] {
  const leavers = new Map<string, Leaver>()
  const joined = new Map<string, number>()
  for (const { file, from } of states) {
    const read = readState(file, { from, since })
    for (const leaver of read.leavers) {
      const other = leavers.get(leaver.email)
      if (!other || other.since < leaver.since) leavers.set(leaver.email, leaver)
    }
    for (const { email, since: at } of read.subscribed) {
      joined.set(email, Math.max(at, joined.get(email) ?? 0))
    }
  }
  return [...leavers.values()]
    .filter(({ email, since: at }) => at >= (joined.get(email) ?? 0))
    .toSorted((a, b) => a.since - b.since)
}

/**
 * Takes off the list of a database file who left the newsletter of the states before it, as they did then.
 * @param restored the file that takes their place; no process uses it
 * @returns addresses that are still on the list, where it couldn't be written
 */
export function keepLeavers(states: States, restored: string, since: number): string[] {
  const leavers = leaversSince(states, since)
  if (leavers.length === 0) return []
  try {
    takeOff(restored, leavers)
    return []
  } catch {
    return leavers.map(({ email }) => email)
  }
}

function readState(
  file: string,
  times: { from: number; since: number },
): { leavers: Leaver[]; subscribed: { email: string; since: number }[] } {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      const subscribed = db
        .prepare("SELECT email, since FROM subscribers WHERE status = 'subscribed' AND since > ?")
        .all(times.from) as { email: string; since: number }[]
      const leavers = db
        .prepare(
          `SELECT email, status, since, kind, note
          FROM subscribers LEFT JOIN subscriber_events AS last ON last.id = (SELECT max(id)
            FROM subscriber_events
            WHERE subscriber = subscribers.id AND kind IN ('left', 'removed', 'blocked'))
          WHERE status IN ('unsubscribed', 'blocked') AND since > :from AND created_at <= :since`,
        )
        .all(times) as Leaver[]
      return { leavers, subscribed }
    } finally {
      db.close()
    }
  } catch {
    // There is no state to ask, it's damaged, or so old that it has no newsletter.
    return { leavers: [], subscribed: [] }
  }
}

function takeOff(restored: string, leavers: readonly Leaver[]): void {
  const db = new Database(restored, { fileMustExist: true })
  try {
    // As leaving does: the name goes, and a confirmation link of before means nothing any more.
    const leave = db.prepare(
      `UPDATE subscribers SET status = :status, since = :since, name = '', round = round + 1
      WHERE email = :email AND status NOT IN (:status, 'blocked')`,
    )
    const note = db.prepare(
      `INSERT INTO subscriber_events (subscriber, at, kind, note)
      SELECT id, :since, :kind, :note FROM subscribers WHERE email = :email`,
    )
    db.transaction(() => {
      for (const leaver of leavers) {
        const isChanged = leave.run(leaver).changes === 1
        if (isChanged && leaver.kind !== null) note.run(leaver)
      }
    })()
  } finally {
    db.close()
  }
}
