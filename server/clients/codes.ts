import { failure } from '#shared/failures.ts'
import { normalCode, type Scope } from '#shared/secret-code.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { crockford, randomId } from '../ids.ts'
import type { Keys } from '../secret-key.ts'

/** A secret code as far as it is still known. Times are milliseconds of the epoch. */
export type Code = {
  readonly id: number
  readonly clientId: number
  /** Who has it, or what it is for. */
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly maxUses: number | null
  readonly uses: number
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

/** What staff decide about a code. */
export type CodeRules = Pick<Code, 'label' | 'scopes' | 'expiresAt' | 'maxUses'>

type Row = Omit<Code, 'scopes'> & { scopes: string }

const columns = `id, client AS clientId, label, scopes, created_at AS createdAt,
  expires_at AS expiresAt, max_uses AS maxUses, uses, last_used_at AS lastUsedAt,
  revoked_at AS revokedAt`

const toCode = (row: Row): Code => ({ ...row, scopes: JSON.parse(row.scopes) as Scope[] })

/** Ten random characters, 50 bits, in two groups for reading. */
const draw = () => `${randomId(5, crockford)}-${randomId(5, crockford)}`

/**
 * Prepares the statements of codes; the only place with their SQL. A code is kept as a keyed hash, so it can be told only
 * once.
 */
export function createCodes(db: Database, { keys, clock }: { keys: Keys; clock: () => number }) {
  const hashOf = (code: string) => keys.hash('secret-code', normalCode(code))
  const hashesOf = (code: string) => JSON.stringify(keys.hashes('secret-code', normalCode(code)))
  const insert = db.prepareWrite(`INSERT INTO codes
    (client, hash, label, scopes, created_at, expires_at, max_uses)
    VALUES (:clientId, :hash, :label, :scopes, :now, :expiresAt, :maxUses) RETURNING id`)
  const taken = db.prepare(
    'SELECT 1 FROM codes WHERE hash IN (SELECT value FROM json_each(:hashes))',
  )
  const byId = db.prepare(`SELECT ${columns} FROM codes WHERE id = :id`)
  const all = db.prepare(`SELECT ${columns} FROM codes
    WHERE :clientId IS NULL OR client = :clientId ORDER BY id`)
  const use = db.prepareWrite(`UPDATE codes SET uses = uses + 1, last_used_at = :now, hash = :hash
    WHERE hash IN (SELECT value FROM json_each(:hashes)) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
      AND (max_uses IS NULL OR uses < max_uses)
      AND EXISTS (SELECT 1 FROM clients WHERE clients.id = codes.client AND disabled_at IS NULL)
    RETURNING id`)
  const revoke = db.prepareWrite(
    'UPDATE codes SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL',
  )
  const endSessions = db.prepareWrite('DELETE FROM sessions WHERE code = :id')
  const extend = db.prepareWrite('UPDATE codes SET expires_at = :expiresAt WHERE id = :id')

  const find = (id: number): Code | null => {
    const row = byId.get({ id }) as Row | undefined
    return row ? toCode(row) : null
  }
  const add = (tx: Transaction, clientId: number, rules: CodeRules, code = draw()) => {
    const { label, scopes, expiresAt, maxUses } = rules
    // Under an earlier key it may be another client's code already.
    const isTaken = taken.get({ hashes: hashesOf(code) }) !== undefined
    if (isTaken) throw failure('clash', { message: 'This code is in use already.' })
    const id = insert.pluck().get(tx, {
      clientId,
      hash: hashOf(code),
      label,
      scopes: JSON.stringify(scopes),
      now: clock(),
      expiresAt,
      maxUses,
    }) as number
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
     * @throws clash when the chosen one is in use
     */
    add,
    find,
    /** Codes of one client, or of all. */
    list: (clientId: number | null = null): Code[] => (all.all({ clientId }) as Row[]).map(toCode),
    /** Ends a code and its sessions. */
    revoke: end,
    /** Another code with the same rules; the old one ends. */
    rotate(tx: Transaction, old: Code) {
      end(tx, old.id)
      return add(tx, old.clientId, old)
    },
    /** Sets the end of a code, null for none. */
    extend: (tx: Transaction, id: number, expiresAt: number | null): void =>
      void extend.run(tx, { id, expiresAt }),

    /**
     * Uses a code once, if it is good now: one statement for every outcome, so that a wrong,
     * expired, revoked or used up code takes as long as an unknown one. From then on it is known
     * by its hash under today's key.
     */
    use: (tx: Transaction, typed: string): Code | null => {
      const id = use
        .pluck()
        .get(tx, { hash: hashOf(typed), hashes: hashesOf(typed), now: clock() }) as
        | number
        | undefined
      return id === undefined ? null : find(id)
    },
  }
}
