import { createHmac } from 'node:crypto'
import { hourMs, minuteMs } from '#shared/dates/durations.ts'
import { normalCode } from '#shared/clients/secret-code.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { randomId } from '../../secrets/ids.ts'
import type { Keys } from '../../secrets/secret-key.ts'
import { pendingFactors, recoveryCodes, secondFactors, type SecondFactor } from '../schema.ts'
import { asNumber, newFactorSecret, stepOf } from './numbers.ts'

/** Under which secrets are encrypted; revoked by nothing but the key. */
const purpose = 'second-factor'

/** Recovery codes of a factor. */
const recoveryCount = 10
/** Sixteen digits, 53 bits: telephones show keys for digits alone where the number goes. */
const drawRecovery = () => Array.from({ length: 4 }, () => randomId(4, '0123456789')).join('-')

/** A secret waits this long for the first number. */
const pendingMs = hourMs

/**
 * Wrong numbers of a code, from whatever addresses, after which its numbers have to wait. The wait
 * doubles from the first to the longest; an hour without a wrong number forgets them.
 */
const freeWrong = 10
const firstWait = 2000
const maxWriteWaitMs = 15 * minuteMs

/** What a number or a recovery code was good for. */
export type FactorUse =
  | { state: 'right'; isRecovery: boolean; recoveryLeft: number }
  | { state: 'wrong'; wrong: number }
  | { state: 'unreadable' }
  | { state: 'wait'; seconds: number }

/** How a code's second factor is. */
export type FactorState = {
  codeId: number
  createdAt: number
  recoveryLeft: number
  /** Wrong numbers within the last hour, since the last right one. */
  wrong: number
  /** Whether one of today's keys opens it. */
  isReadable: boolean
}

/**
 * Prepares the statements of second factors; the only place with their SQL. Secrets are kept encrypted,
 * recovery codes as hashes keyed with the secret of their factor.
 */
export function createFactors(db: Database, { keys, clock }: { keys: Keys; clock: () => number }) {
  const byCode = secondFactors.select(db, 'WHERE code = :codeId')
  const all = secondFactors.select(db, 'ORDER BY code')
  const insert = secondFactors.insert(db)
  const update = secondFactors.update(
    db,
    ['secret', 'lastStep', 'wrong', 'wrongAt'],
    'WHERE code = :codeId',
  )
  const remove = db.prepareWrite('DELETE FROM second_factors WHERE code = :codeId')
  const pendingOf = pendingFactors.select(db, 'WHERE code = :codeId AND created_at > :after')
  const insertPending = pendingFactors.insert(db)
  const removePending = db.prepareWrite('DELETE FROM pending_factors WHERE code = :codeId')
  const forgetPending = db.prepareWrite('DELETE FROM pending_factors WHERE created_at <= :before')
  const insertRecovery = recoveryCodes.insert(db)
  const removeRecovery = db.prepareWrite(
    'DELETE FROM recovery_codes WHERE code = :codeId AND hash = :hash',
  )
  const recoveryOf = recoveryCodes.select(db, 'WHERE code = :codeId')

  const open = ({ secret }: { secret: string }) => keys.unseal(purpose, secret)
  const recoveryLeft = (codeId: number) => recoveryOf.all({ codeId }).length
  const recentWrong = ({ wrong, wrongAt }: SecondFactor, now: number) =>
    wrongAt !== null && wrongAt > now - hourMs ? wrong : 0

  return {
    /** Whether a code asks for a number. */
    isOn: (codeId: number): boolean => byCode.get({ codeId }) !== null,

    /** Every second factor. */
    list(): FactorState[] {
      const now = clock()
      return all.all().map((factor) => ({
        codeId: factor.codeId,
        createdAt: factor.createdAt,
        recoveryLeft: recoveryLeft(factor.codeId),
        wrong: recentWrong(factor, now),
        isReadable: open(factor) !== null,
      }))
    },

    /** Makes a secret that waits for its first number, in place of an earlier one that waits. */
    begin(tx: Transaction, codeId: number): string {
      const secret = newFactorSecret()
      removePending.run(tx, { codeId })
      insertPending(tx, { codeId, secret: keys.seal(purpose, secret), createdAt: clock() })
      return secret
    },

    /**
     * Switches on what waits, in place of the factor that the code had.
     * @returns its recovery codes, for the only time; null when nothing waits, false for a wrong number
     */
    confirm(tx: Transaction, codeId: number, typed: string): string[] | null | false {
      const now = clock()
      const pending = pendingOf.get({ codeId, after: now - pendingMs })
      const secret = pending && open(pending)
      if (!secret) return null
      const number = asNumber(typed)
      const lastStep = number === null ? null : stepOf(secret.text, number, now)
      if (lastStep === null) return false
      removePending.run(tx, { codeId })
      remove.run(tx, { codeId })
      const sealed = keys.seal(purpose, secret.text)
      insert(tx, { codeId, secret: sealed, createdAt: now, lastStep })
      const recovery = Array.from({ length: recoveryCount }, drawRecovery)
      for (const code of recovery) insertRecovery(tx, { codeId, hash: hashOf(secret.text, code) })
      return recovery
    },

    /** Switches a factor off. @returns whether there was one */
    remove: (tx: Transaction, codeId: number): boolean => {
      removePending.run(tx, { codeId })
      return remove.run(tx, { codeId }).changes > 0
    },

    /**
     * Takes a number of the app, or a recovery code. A number counts once, and none counts from before
     * the last one, whatever the clock says since. Call inside a transaction, and let it end well: a
     * wrong one is written down, too.
     * @returns null for a code without a second factor
     */
    use(tx: Transaction, codeId: number, typed: string): FactorUse | null {
      const factor = byCode.get({ codeId })
      if (!factor) return null
      const secret = open(factor)
      if (!secret) return { state: 'unreadable' }
      const change = (changed: Partial<SecondFactor>) =>
        update(tx, { ...factor, ...changed }, { codeId })
      const now = clock()
      const number = asNumber(typed)
      const before = recentWrong(factor, now)
      const seconds = waitOf(before, factor.wrongAt ?? 0, now)
      if (number !== null && seconds > 0) return { state: 'wait', seconds }
      const step = number === null ? null : stepOf(secret.text, number, now)
      const isRecovery =
        number === null &&
        removeRecovery.run(tx, { codeId, hash: hashOf(secret.text, typed) }).changes === 1
      if (!isRecovery && (step === null || step <= factor.lastStep)) {
        const wrong = before + 1
        change({ wrong, wrongAt: now })
        return { state: 'wrong', wrong }
      }
      // What an earlier key encrypted is from now on under today's, as secret codes are.
      const sealed = secret.isCurrent ? factor.secret : keys.seal(purpose, secret.text)
      change({ secret: sealed, lastStep: step ?? factor.lastStep, wrong: 0, wrongAt: null })
      return { state: 'right', isRecovery, recoveryLeft: recoveryLeft(codeId) }
    },

    /** Puts what earlier keys encrypted under today's. Call inside a transaction. */
    renew(tx: Transaction): void {
      for (const factor of all.all()) {
        const secret = open(factor)
        if (!secret || secret.isCurrent) continue
        const sealed = keys.seal(purpose, secret.text)
        update(tx, { ...factor, secret: sealed }, { codeId: factor.codeId })
      }
    },

    /** Forgets secrets that waited in vain. Call inside a transaction. */
    forgetPending: (tx: Transaction, now: number): void =>
      void forgetPending.run(tx, { before: now - pendingMs }),
  }
}

/** Seconds until a number of a code is tried again; not before 0. A clock that was set back waits for nothing. */
function waitOf(wrong: number, wrongAt: number, now: number): number {
  if (wrong < freeWrong || wrongAt > now) return 0
  const wait = Math.min(maxWriteWaitMs, firstWait * 2 ** Math.min(wrong - freeWrong, 20))
  return Math.max(0, Math.ceil((wrongAt + wait - now) / 1000))
}

const hashOf = (secret: string, recoveryCode: string) =>
  createHmac('sha256', secret)
    .update(`recovery\0${normalCode(recoveryCode)}`)
    .digest('base64url')
