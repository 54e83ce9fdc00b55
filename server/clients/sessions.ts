import { randomBytes } from 'node:crypto'
import { dayMs, hourMs } from '#shared/dates/durations.ts'
import type { Scope } from '#shared/clients/secret-code.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { query, type RowOf } from '../db/table.ts'
import { cookieName, type RequestContext, type Session } from '../http/request-context.ts'
import type { Keys } from '../secrets/secret-key.ts'
import { clients, codes, sessions } from './schema.ts'

/** A client who is signed in. */
export type ClientSession = Omit<Session, 'scopes'> & {
  readonly id: number
  readonly clientId: number
  /** The last part of the panel's address. */
  readonly panel: string
  readonly scopes: ReadonlySet<Scope>
  readonly codeId: number
  /** Who has the code or what it is for, as staff labelled it; empty for none. */
  readonly label: string
  /** The name that the visitor gave on entering; nothing depends on it. */
  readonly who: string | null
}

/** How a session begins. */
export type NewSession = {
  who: string | null
  /** The cookie that the browser had; its session ends, so none is carried over. */
  before: string | undefined
  /** From where, without the host part of the address, and with what, in words; null for unknown. */
  network: string | null
  browser: string | null
  now: number
}

/** A session as staff are shown it; times in milliseconds of the epoch. */
export type ListedSession = RowOf<typeof listedShape>

/** How long a session lasts: at most, and without being used. */
const maxSessionMs = 30 * dayMs
const idleSessionMs = 7 * dayMs
/** The message for a code without the scope. */
const refusal = 'Your code doesn’t include this.'
/** Being used is written down this often. */
const seenEvery = 10 * 60_000

/** The sessions that are open at `:now`. */
const alive = `FROM sessions JOIN codes ON codes.id = sessions.code JOIN clients ON clients.id = codes.client
    WHERE sessions.expires_at > :now AND sessions.seen_at > :now - ${idleSessionMs}
      AND sessions.created_at <= :now + ${hourMs}
      AND codes.revoked_at IS NULL AND coalesce(codes.expires_at, :now + 1) > :now
      AND clients.disabled_at IS NULL`

const listedShape = {
  shape: {
    id: sessions.shape.id,
    codeId: codes.shape.id,
    label: codes.shape.label,
    scopes: codes.shape.scopes,
    clientId: clients.shape.id,
    name: clients.shape.name,
    panel: clients.shape.panel,
    who: sessions.shape.who,
    createdAt: sessions.shape.createdAt,
    seenAt: sessions.shape.seenAt,
    network: sessions.shape.network,
    browser: sessions.shape.browser,
  },
}

/**
 * Prepares the statements of sessions; ended ones are not found, whatever ended them, nor are those
 * begun in the future, by a clock that was wrong: they would last until then. The cookie's
 * value is random; only its hash is kept.
 */
export function createSessions(db: Database, { keys }: { keys: Keys }) {
  const hashesOf = (cookie: string) => JSON.stringify(keys.hashes('client-session', cookie))
  const insert =
    db.prepareWrite(`INSERT INTO sessions (hash, code, who, network, browser, created_at, seen_at, expires_at)
    SELECT :hash, id, :who, :network, :browser, :now, :now, min(:latest, coalesce(expires_at, :latest)) FROM codes
    WHERE id = :codeId RETURNING ${sessions.columns}`)
  const find = query(
    db,
    `SELECT sessions.id, clients.id AS clientId, clients.name, clients.panel,
      codes.scopes, codes.id AS codeId, codes.label, sessions.who, sessions.seen_at AS seenAt,
      min(sessions.expires_at, coalesce(codes.expires_at, sessions.expires_at)) AS expiresAt
    ${alive} AND sessions.hash IN (SELECT value FROM json_each(:hashes))`,
    {
      id: sessions.shape.id,
      clientId: clients.shape.id,
      name: clients.shape.name,
      panel: clients.shape.panel,
      scopes: codes.shape.scopes,
      codeId: codes.shape.id,
      label: codes.shape.label,
      who: sessions.shape.who,
      seenAt: sessions.shape.seenAt,
      expiresAt: sessions.shape.expiresAt,
    },
  )
  const list = query(
    db,
    `SELECT sessions.id, codes.id AS codeId, codes.label, codes.scopes, clients.id AS clientId,
      clients.name, clients.panel, sessions.who, sessions.created_at AS createdAt,
      sessions.seen_at AS seenAt, sessions.network, sessions.browser
    ${alive} AND (:codeId IS NULL OR codes.id = :codeId)
    ORDER BY sessions.seen_at DESC, sessions.id DESC`,
    listedShape.shape,
  )
  const removeById = db.prepareWrite('DELETE FROM sessions WHERE id = :id')
  const removeOf = db.prepareWrite('DELETE FROM sessions WHERE code = :codeId AND id IS NOT :keep')
  const remove = db.prepareWrite(
    'DELETE FROM sessions WHERE hash IN (SELECT value FROM json_each(:hashes))',
  )
  const removeAll = db.prepareWrite('DELETE FROM sessions')
  const removeOld = db.prepareWrite(`DELETE FROM sessions WHERE id IN (SELECT id FROM sessions
    WHERE expires_at <= :now LIMIT ${batchSize})`)

  /** The sessions that were found here, since requests know them as any sessions. */
  const found = new WeakMap<Session, ClientSession>()
  const writeSeen = createWriteSeen(db)

  const known = ({
    seenAt: _seenAt,
    ...session
  }: NonNullable<ReturnType<typeof find.get>>): ClientSession => {
    // A name that was given tells people with one code apart.
    const actor = session.who ?? (session.label || session.name)
    const client = { ...session, actor, scopes: new Set(session.scopes), refusal }
    found.set(client, client)
    return client
  }

  return {
    /**
     * Begins a session of a code that is good. Call inside a transaction.
     * @returns the new cookie's value, and until when it is good at most
     */
    begin(tx: Transaction, codeId: number, { who, before, network, browser, now }: NewSession) {
      if (before) remove.run(tx, { hashes: hashesOf(before) })
      const cookie = randomBytes(32).toString('base64url')
      const row = insert.get(tx, {
        hash: keys.hash('client-session', cookie),
        codeId,
        who,
        network,
        browser,
        now,
        latest: now + maxSessionMs,
      })
      const { hash, expiresAt } = sessions.read(row)
      // By its hash, since the keys may change before the reply is made.
      return {
        cookie,
        expiresAt,
        session: known(find.get({ hashes: JSON.stringify([hash]), now })!),
      }
    },

    /** The session of a cookie, or null. */
    sessionOf(cookie: unknown, now: number): ClientSession | null {
      // The cookie parser makes objects of cookies that look like JSON.
      if (typeof cookie !== 'string' || !/^[\w-]{43}$/.test(cookie)) return null
      const row = find.get({ hashes: hashesOf(cookie), now })
      if (!row) return null
      if (now - row.seenAt > seenEvery) writeSeen(row.id, now)
      return known(row)
    },

    /** The client who is signed in, as the sign-in knows them; null for no one. */
    sessionIn: ({ session }: Pick<RequestContext, 'session'>): ClientSession | null =>
      (session && found.get(session)) ?? null,

    /**
     * Sessions that are open, the last used first.
     * @param codeId only those of a code; null for all
     */
    list: (codeId: number | null, now: number): ListedSession[] => list.all({ codeId, now }),

    /** Ends a session by its number. Call inside a transaction. */
    endById: (tx: Transaction, id: number): void => void removeById.run(tx, { id }),

    /**
     * Ends the sessions of a code. Call inside a transaction.
     * @param keep the number of one that stays; null for none
     * @returns how many
     */
    endOf: (tx: Transaction, codeId: number, keep: number | null): number =>
      removeOf.run(tx, { codeId, keep }).changes,

    /** Forgets a batch of sessions that have ended by themselves. @returns how many */
    forgetOld: (tx: Transaction, now: number): number => removeOld.run(tx, { now }).changes,

    /** Ends every session. Call inside a transaction. */
    endAll: (tx: Transaction): void => void removeAll.run(tx),

    /** Ends the session of a cookie. */
    end: (tx: Transaction, cookie: string) => void remove.run(tx, { hashes: hashesOf(cookie) }),
  }
}

/**
 * Creates the function that records the use of a session; not awaited, and no request fails with it:
 * the next one tries again.
 */
function createWriteSeen(db: Database) {
  const see = db.prepareWrite('UPDATE sessions SET seen_at = :now WHERE id = :id')
  const writing = new Set<number>()
  return (id: number, now: number): void => {
    if (writing.has(id)) return
    writing.add(id)
    db.commit((tx) => see.run(tx, { id, now }), { durable: false })
      .catch(() => {})
      .finally(() => writing.delete(id))
  }
}

/** The name of the session's cookie. */
export const sessionCookie = ({ siteUrl }: { siteUrl: string }) =>
  cookieName('client', { secure: siteUrl.startsWith('https:') })
