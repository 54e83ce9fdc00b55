import { failure } from '#shared/failures.ts'
import { normalCode, minCodeLength } from '#shared/clients/secret-code.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { crockford, randomId } from '../secrets/ids.ts'
import type { Keys } from '../secrets/secret-key.ts'
import { codes, type Code } from './schema.ts'

/** What staff decide about a code. */
export type CodeRules = Pick<Code, 'label' | 'scopes' | 'expiresAt' | 'maxUses'>

/** A custom code shorter than this can be guessed, so it needs --force and an expiry. */
const guessableBelow = 8

/** Ten random characters, 50 bits, in two groups for reading. */
const draw = () => `${randomId(5, crockford)}-${randomId(5, crockford)}`

/**
 * Prepares the statements of codes; the only place with their SQL. A code is kept as a keyed hash, so it can be told only
 * once.
 */
export function createCodes(db: Database, { keys, clock }: { keys: Keys; clock: () => number }) {
  const hashOf = (code: string) => keys.hash('secret-code', normalCode(code))
  const hashesOf = (code: string) => JSON.stringify(keys.hashes('secret-code', normalCode(code)))
  const insert = codes.insert(db)
  const taken = codes.select(db, 'WHERE hash IN (SELECT value FROM json_each(:hashes))')
  const byId = codes.select(db, 'WHERE id = :id')
  const all = codes.select(db, 'WHERE :clientId IS NULL OR client = :clientId ORDER BY id')
  const isGood = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
      AND (max_uses IS NULL OR uses < max_uses)
      AND EXISTS (SELECT 1 FROM clients WHERE clients.id = codes.client AND disabled_at IS NULL)`
  // A code with a second factor counts as used once the number is right.
  const isWhole = 'NOT EXISTS (SELECT 1 FROM second_factors WHERE second_factors.code = codes.id)'
  const use = db.prepareWrite(`UPDATE codes SET uses = uses + iif(${isWhole}, 1, 0),
      last_used_at = iif(${isWhole}, :now, last_used_at), hash = :hash
    WHERE hash IN (SELECT value FROM json_each(:hashes)) AND ${isGood}
    RETURNING ${codes.columns}`)
  const finish = db.prepareWrite(`UPDATE codes SET uses = uses + 1, last_used_at = :now
    WHERE id = :id AND ${isGood} RETURNING ${codes.columns}`)
  const moveFactor = db.prepareWrite('UPDATE second_factors SET code = :next WHERE code = :id')
  const revoke = db.prepareWrite(
    'UPDATE codes SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL',
  )
  const revokeAll = db.prepareWrite('UPDATE codes SET revoked_at = :now WHERE revoked_at IS NULL')
  const endSessions = db.prepareWrite('DELETE FROM sessions WHERE code = :id')
  const extend = db.prepareWrite('UPDATE codes SET expires_at = :expiresAt WHERE id = :id')

  const find = (id: number): Code | null => byId.get({ id })
  const add = (tx: Transaction, clientId: number, rules: CodeRules, code = draw()) => {
    const { label, scopes, expiresAt, maxUses } = rules
    // Under an earlier key it may be another client's code already.
    const isTaken = taken.get({ hashes: hashesOf(code) }) !== null
    if (isTaken) throw failure('duplicate', { message: 'This code is already in use.' })
    const row = { clientId, label, scopes, expiresAt, maxUses, createdAt: clock() }
    const { id } = insert(tx, { ...row, hash: hashOf(code) })!
    return { id, code }
  }
  const end = (tx: Transaction, id: number): void => {
    revoke.run(tx, { id, now: clock() })
    endSessions.run(tx, { id })
  }

  return {
    /**
     * Makes a code.
     * @param chosen instead of a random one
     * @returns its number, and the code itself for the only time
     * @throws duplicate when the chosen one is in use
     */
    add,

    /**
     * Makes a code for a client, as staff ask for it.
     * @param custom instead of a random one; a short one needs `isShortAllowed` and an expiry
     * @returns its number, and the code itself for the only time
     * @throws invalid when the custom one is too short; duplicate when it is in use
     */
    create(
      tx: Transaction,
      clientId: number,
      rules: CodeRules,
      custom: { code: string; isShortAllowed: boolean } | null,
    ) {
      if (!custom) return add(tx, clientId, rules)
      const { length } = Array.from(normalCode(custom.code))
      if (length < minCodeLength) {
        throw failure('invalid', { message: `A code needs at least ${minCodeLength} characters.` })
      }
      if (length < guessableBelow && (!custom.isShortAllowed || rules.expiresAt === null)) {
        throw failure('invalid', {
          message: `A code under ${guessableBelow} characters can be guessed; it needs --force and --expires.`,
        })
      }
      return add(tx, clientId, rules, custom.code)
    },

    find,
    /** Codes of one client, or of all. */
    list: (clientId: number | null = null): Code[] => all.all({ clientId }),
    /** Ends a code and its sessions. */
    revoke: end,
    /** Ends every code and with them their sessions. Call inside a transaction. */
    revokeAll: (tx: Transaction): void => void revokeAll.run(tx, { now: clock() }),
    /**
     * Replaces a code by another one with the same rules and the same second factor.
     * @throws wrong-state when it is revoked
     */
    rotate(tx: Transaction, old: Code) {
      assertUsable(old)
      end(tx, old.id)
      const made = add(tx, old.clientId, old)
      moveFactor.run(tx, { id: old.id, next: made.id })
      return made
    },
    /**
     * Sets the expiry of a code, null for none.
     * @throws wrong-state when it is revoked
     */
    extend(tx: Transaction, id: number, expiresAt: number | null): void {
      const code = find(id)
      if (code) assertUsable(code)
      extend.run(tx, { id, expiresAt })
    },

    /**
     * Uses a code once, if it is good now: one statement for every outcome, so a wrong,
     * expired, revoked or used up code takes as long as an unknown one. From then on it is known
     * by its hash under today's key. One with a second factor is not used yet, see `finish`.
     */
    use(tx: Transaction, typed: string): Code | null {
      const row = use.get(tx, { hash: hashOf(typed), hashes: hashesOf(typed), now: clock() })
      return row === undefined ? null : codes.read(row)
    },

    /** Uses a code after the right number, if it is still valid. */
    finish(tx: Transaction, id: number): Code | null {
      const row = finish.get(tx, { id, now: clock() })
      return row === undefined ? null : codes.read(row)
    },
  }
}

function assertUsable({ id, revokedAt }: Code): void {
  if (revokedAt !== null) {
    throw failure('wrong-state', { message: `Code ${id} is revoked; create a new one.` })
  }
}
