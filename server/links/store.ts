import type { Utm } from '#shared/link-rules.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'

/** A short link. Times are milliseconds of the epoch. */
export type Link = {
  readonly id: number
  readonly code: string
  readonly target: string
  readonly note: string
  readonly clientId: number | null
  /** Who made it. */
  readonly author: string
  readonly createdAt: number
  readonly startsAt: number | null
  readonly expiresAt: number | null
  readonly maxClicks: number | null
  readonly disabledAt: number | null
  readonly forwardQuery: boolean
  readonly utm: Utm | null
  /** Clicks that are written down; those of the last second may still be on their way. */
  readonly human: number
  readonly bot: number
  readonly lastClickAt: number | null
}

/** What is written down when a link is made. */
export type NewLink = Omit<Link, 'id' | 'human' | 'bot' | 'lastClickAt'>

type Row = Omit<Link, 'forwardQuery' | 'utm'> & { forwardQuery: number; utm: string | null }

const columns = `id, code, target, note, client AS clientId, author, created_at AS createdAt,
  starts_at AS startsAt, expires_at AS expiresAt, max_clicks AS maxClicks,
  disabled_at AS disabledAt, forward_query AS forwardQuery, utm, human, bot,
  last_click_at AS lastClickAt`

const toLink = (row: Row): Link => ({
  ...row,
  forwardQuery: row.forwardQuery === 1,
  utm: row.utm === null ? null : (JSON.parse(row.utm) as Utm),
})

const toRow = ({ forwardQuery, utm, ...rest }: NewLink) => ({
  ...rest,
  forwardQuery: forwardQuery ? 1 : 0,
  utm: utm === null ? null : JSON.stringify(utm),
})

/** The states as conditions, in the order in which `stateOf` asks. */
export const conditions = {
  disabled: 'disabled_at IS NOT NULL',
  expired: 'disabled_at IS NULL AND expires_at <= :now',
  scheduled: 'disabled_at IS NULL AND coalesce(expires_at, :now + 1) > :now AND starts_at > :now',
  'used-up': `disabled_at IS NULL AND coalesce(expires_at, :now + 1) > :now
    AND coalesce(starts_at, :now) <= :now AND human >= max_clicks`,
  live: `disabled_at IS NULL AND coalesce(expires_at, :now + 1) > :now
    AND coalesce(starts_at, :now) <= :now AND (max_clicks IS NULL OR human < max_clicks)`,
}

/** The rows of links; the only place with their SQL, with the search. */
export type LinkStore = ReturnType<typeof createLinkStore>

/** Prepares the statements of links. */
export function createLinkStore(db: Database) {
  const byCode = db.prepare(`SELECT ${columns} FROM links WHERE code = ?`)
  const byId = db.prepare(`SELECT ${columns} FROM links WHERE id = ?`)
  const insert = db.prepareWrite(`INSERT INTO links (code, target, note, client, author, created_at,
      starts_at, expires_at, max_clicks, disabled_at, forward_query, utm)
    VALUES (:code, :target, :note, :clientId, :author, :createdAt,
      :startsAt, :expiresAt, :maxClicks, :disabledAt, :forwardQuery, :utm)
    ON CONFLICT (code) DO NOTHING RETURNING id`)
  const update =
    db.prepareWrite(`UPDATE links SET target = :target, note = :note, client = :clientId,
      starts_at = :startsAt, expires_at = :expiresAt, max_clicks = :maxClicks,
      disabled_at = :disabledAt, forward_query = :forwardQuery, utm = :utm
    WHERE id = :id`)
  const spend = db.prepareWrite(`UPDATE links SET human = human + 1, last_click_at = :now
    WHERE id = :id AND ${conditions.live} RETURNING id`)
  const count = db.prepare('SELECT count(*) FROM links').pluck()
  const newest = db.prepare(
    `SELECT ${columns} FROM links ORDER BY id DESC LIMIT :most OFFSET :from`,
  )
  const ofClient = db.prepare(
    `SELECT ${columns} FROM links WHERE client = :clientId ORDER BY id DESC LIMIT :most`,
  )
  const each = db.prepare(`SELECT ${columns} FROM links WHERE id > :after ORDER BY id LIMIT 1000`)
  const purge = db.prepareWrite('DELETE FROM links WHERE expires_at <= :before')
  const expired = db.prepare('SELECT count(*) FROM links WHERE expires_at <= :before').pluck()
  const version = db.prepare('PRAGMA data_version').pluck()

  const found = (row: unknown) => (row ? toLink(row as Row) : null)

  return {
    find: (code: string): Link | null => found(byCode.get(code)),
    findId: (id: number): Link | null => found(byId.get(id)),

    /** @returns the new link, or null when the code is taken */
    insert(tx: Transaction, link: NewLink): Link | null {
      const id = insert.pluck().get(tx, toRow(link)) as number | undefined
      return id === undefined ? null : found(byId.get(id))
    },

    update(tx: Transaction, link: Link): void {
      const { id, ...rest } = link
      update.run(tx, { ...toRow(rest), id })
    },

    /**
     * Uses up one click of a link, if it is live at this moment: one statement, so that no two
     * visitors get the last one.
     */
    spend: (tx: Transaction, id: number, now: number): boolean =>
      spend.get(tx, { id, now }) !== undefined,

    /** Links newest first, and how many there are. */
    newest: (from: number, most: number) => ({
      total: count.get() as number,
      links: (newest.all({ from, most }) as Row[]).map(toLink),
    }),

    ofClient: (clientId: number, most: number) =>
      (ofClient.all({ clientId, most }) as Row[]).map(toLink),

    /** Every link, oldest first, without holding the database between two rows. */
    *all(): Generator<Link> {
      for (let after = 0; ;) {
        const rows = each.all({ after }) as Row[]
        for (const row of rows) yield toLink(row)
        if (rows.length === 0) return
        after = rows.at(-1)!.id
      }
    },

    /** How many links expired before a moment. */
    expiredBefore: (before: number): number => expired.get({ before }) as number,

    /** Removes links that expired before a moment, with their counts. @returns how many */
    purge: (tx: Transaction, before: number): number => purge.run(tx, { before }).changes,

    /** Changes whenever another process has written to the database. */
    version: (): number => version.get() as number,
  }
}
