import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { hourMs } from '#shared/dates/durations.ts'
import { deadAfter, type LinkFilter } from '#shared/link-rules.ts'
import { integer, query, text } from '../db/table.ts'
import { links, type Link, type NewLink } from './schema.ts'

/** The states as conditions, in the order in which `stateOf` asks. */
export const conditions: Readonly<Record<LinkFilter, string>> = {
  disabled: 'disabled_at IS NOT NULL',
  expired: 'disabled_at IS NULL AND expires_at <= :now',
  scheduled: 'disabled_at IS NULL AND coalesce(expires_at, :now + 1) > :now AND starts_at > :now',
  'used-up': `disabled_at IS NULL AND coalesce(expires_at, :now + 1) > :now
    AND coalesce(starts_at, :now) <= :now AND human >= max_clicks`,
  live: `disabled_at IS NULL AND coalesce(expires_at, :now + 1) > :now
    AND coalesce(starts_at, :now) <= :now AND (max_clicks IS NULL OR human < max_clicks)`,
  dead: `failures >= ${deadAfter} AND disabled_at IS NULL AND coalesce(expires_at, :now + 1) > :now`,
}

/** The rows of links; the only place with their SQL, with the search. */
export type LinkStore = ReturnType<typeof createLinkStore>

/** What a check of a target says of a link. */
export type CheckNote = Pick<Link, 'checkedAt' | 'failures' | 'problem'>

/** Prepares the statements of links. */
export function createLinkStore(db: Database) {
  const byCode = links.select(db, 'WHERE code = :code')
  const byId = links.select(db, 'WHERE id = :id')
  const insert = links.insert(db, 'ON CONFLICT (code) DO NOTHING')
  const update = links.update(
    db,
    [
      'target',
      'note',
      'clientId',
      'startsAt',
      'expiresAt',
      'maxClicks',
      'disabledAt',
      'forwardQuery',
      'utm',
      'tags',
      'password',
      'checkedAt',
      'failures',
      'problem',
    ],
    'WHERE id = :id',
  )
  const rename = links.update(db, ['code'], 'WHERE id = :id')
  const remove = db.prepareWrite('DELETE FROM links WHERE id = :id')
  const spend = db.prepareWrite(`UPDATE links SET human = human + 1, last_click_at = :now
    WHERE id = :id AND ${conditions.live} RETURNING id`)
  const count = query(db, 'SELECT count(*) AS count FROM links', { count: integer() })
  const newest = links.select(db, 'ORDER BY id DESC LIMIT :max OFFSET :from')
  const ofClient = links.select(db, 'WHERE client = :clientId ORDER BY id DESC LIMIT :max')
  const batchAfter = links.select(db, 'WHERE id > :after ORDER BY id LIMIT 1000')
  const purge = db.prepareWrite('DELETE FROM links WHERE expires_at <= :before')
  const expired = query(db, 'SELECT count(*) AS count FROM links WHERE expires_at <= :before', {
    count: integer(),
  })
  const version = db.prepare('PRAGMA data_version').pluck()
  const tags = query(
    db,
    `SELECT value AS tag, count(*) AS count FROM links, json_each(links.tags)
      WHERE tags <> '[]' GROUP BY value ORDER BY 2 DESC, 1 LIMIT :max`,
    { tag: text(), count: integer() },
  )
  const dead = links.select(
    db,
    `WHERE failures > 0 AND ${conditions.dead} ORDER BY id DESC LIMIT :max`,
  )
  const deadCount = query(
    db,
    `SELECT count(*) AS count FROM links WHERE failures > 0 AND ${conditions.dead}`,
    { count: integer() },
  )
  const due = links.select(
    db,
    `WHERE ((checked_at IS NULL OR checked_at < :before OR checked_at > :now + ${hourMs})
      OR (failures > 0 AND checked_at < :failingBefore))
      AND disabled_at IS NULL AND coalesce(expires_at, :now + 1) > :now
      ORDER BY checked_at LIMIT :max`,
  )
  const mentioning = links.select(
    db,
    `WHERE mentions(concat_ws(char(10), note, replace(concat_ws(char(10), utm, target), '%40', '@')), :email) ORDER BY id`,
  )
  const redact = db.prepareWrite(`UPDATE links SET
    note = without_mentions(note, :email),
    utm = CASE WHEN mentions(replace(utm, '%40', '@'), :email)
      THEN without_mentions(replace(utm, '%40', '@'), :email) ELSE utm END
    WHERE mentions(concat_ws(char(10), note, replace(utm, '%40', '@')), :email)`)
  // Only while the link still leads there.
  const note = links.update(
    db,
    ['checkedAt', 'failures', 'problem'],
    'WHERE id = :id AND target = :target',
  )

  return {
    find: (code: string): Link | null => byCode.get({ code }),
    findId: (id: number): Link | null => byId.get({ id }),

    /** @returns the new link, or null when the code is taken */
    insert: (tx: Transaction, link: NewLink): Link | null => insert(tx, link),

    rename: (tx: Transaction, { id, code }: Link): void => void rename(tx, { code }, { id }),
    /** Removes a link with its counts. */
    remove: (tx: Transaction, { id }: Link): void => void remove.run(tx, { id }),

    update: (tx: Transaction, link: Link): void => void update(tx, link, { id: link.id }),

    /**
     * Uses up one click of a link, if it is live at this moment: one statement, so no two
     * visitors get the last one.
     */
    spend: (tx: Transaction, id: number, now: number): boolean =>
      spend.get(tx, { id, now }) !== undefined,

    /** Links newest first, and how many there are. */
    newest: (from: number, max: number): { total: number; links: Link[] } => ({
      total: count.get()!.count,
      links: newest.all({ from, max }),
    }),

    ofClient: (clientId: number, max: number): Link[] => ofClient.all({ clientId, max }),

    /** Tags in use, those of most links first. */
    tags: (max: number): string[] => tags.all({ max }).map(({ tag }) => tag),

    /** Links in use whose target is dead, newest first. */
    dead: (now: number, max: number): Link[] => dead.all({ now, max }),
    /** How many of them there are. */
    deadCount: (now: number): number => deadCount.get({ now })!.count,

    /** Links whose target was not asked since `before`, failing ones since `failingBefore`. */
    dueForCheck: (
      moments: { now: number; before: number; failingBefore: number },
      max: number,
    ): Link[] => due.all({ ...moments, max }),
    /** Notes what a check of the target said. */
    noteCheck: (tx: Transaction, { id, target }: Link, found: CheckNote): void =>
      void note(tx, found, { id, target }),

    /** Links whose notes or targets name an email address. */
    mentioning: (email: string): Link[] => mentioning.all({ email }),
    /** Takes an email address out of the notes of links. Call inside a transaction. @returns how many had it */
    redact: (tx: Transaction, email: string): number => redact.run(tx, { email }).changes,

    /** Every link, oldest first, without holding the database between two rows. */
    *all(): Generator<Link> {
      for (let after = 0; ;) {
        const rows = batchAfter.all({ after })
        yield* rows
        if (rows.length === 0) return
        after = rows.at(-1)!.id
      }
    },

    /** How many links expired before a moment. */
    expiredBefore: (before: number): number => expired.get({ before })!.count,

    /** Removes links that expired before a moment, with their counts. @returns how many */
    purge: (tx: Transaction, before: number): number => purge.run(tx, { before }).changes,

    /** Changes whenever another process has written to the database. */
    version: (): number => version.get() as number,
  }
}

/** How many rows one step of a search looks at, so it does not hold up other requests. */
const rowsPerStep = 20_000

/** Which links to list. */
export type LinkSearch = {
  /** Part of code, target or note. */
  text: string
  /** A condition on the state, see `conditions`. */
  state: LinkFilter | null
  /** A tag that they have. */
  tag?: string | null | undefined
  /** Made from this moment on, in milliseconds of the epoch. */
  since?: number | undefined
}

/** Prepares the search among links. */
export function createLinkSearch(db: Database, { findId }: Pick<LinkStore, 'findId'>) {
  const last = query(db, 'SELECT coalesce(max(id), 0) AS id FROM links', { id: integer() })

  /** Links that fit, newest first, and how many there are; in steps, between which others have their turn. */
  return async (
    { text: words, state, tag, since }: LinkSearch,
    from: number,
    max: number,
    now: number,
  ) => {
    const where = [
      ...(words
        ? [
            `(code LIKE :like ESCAPE '!' OR target LIKE :like ESCAPE '!' OR note LIKE :like ESCAPE '!'
              OR tags LIKE :like ESCAPE '!')`,
          ]
        : []),
      ...(state ? [`(${conditions[state]})`] : []),
      ...(tag
        ? [`tags <> '[]' AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag)`]
        : []),
      ...(since === undefined ? [] : ['created_at >= :since']),
    ].join(' AND ')
    const matches = query(
      db,
      `SELECT id FROM links WHERE id > :low AND id <= :high AND ${where} ORDER BY id DESC`,
      { id: integer() },
    )
    const like = `%${words.replaceAll(/[%_!]/g, '!$&')}%`
    const found: Link[] = []
    let total = 0
    for (let high = last.get()!.id; high > 0; high -= rowsPerStep) {
      const values = {
        low: high - rowsPerStep,
        high,
        ...(words && { like }),
        ...(state && { now }),
        ...(tag && { tag }),
        ...(since !== undefined && { since }),
      }
      for (const { id } of matches.all(values)) {
        if (total >= from && found.length < max) found.push(findId(id)!)
        total += 1
      }
      if (high > rowsPerStep) await new Promise((resolve) => setImmediate(resolve))
    }
    return { total, links: found }
  }
}
