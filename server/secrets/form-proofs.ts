import { hourMs } from '#shared/dates/durations.ts'
import { type FormProof, formProofLimits } from '#shared/forms/form-proof.ts'
import { randomBytes, randomInt } from 'node:crypto'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Keys } from './secret-key.ts'

/** Milliseconds for which a proof can be used: a form may stay open over a working day. */
const proofMs = 12 * hourMs

/** A proof that is ours, was answered rightly and has not expired. */
type FormProofId = { id: string; expiresAt: number }

/**
 * Hands out sums with a signed proof that we did, and reads what comes back in the X-Form-Proof
 * header: `proof.answer`. The signature covers the sum, so a proof is worth nothing without
 * its answer.
 */
export type FormProofs = {
  /** A new sum; nothing is kept until it is used. */
  issue(): FormProof
  /**
   * The proof in a header.
   * @returns null when it is not ours, has no or a wrong answer, is too old, or is younger than a
   *   person needs to fill in a form
   */
  read(header: string | null): FormProofId | null
  /** Uses up a proof. Call inside a transaction. @returns whether it had not been used before */
  use(tx: Transaction, proof: FormProofId): boolean
  /** Forgets a batch of used proofs that have expired. @returns how many */
  forget(tx: Transaction): number
}

/**
 * What a request sends as its proof, in the form of the X-Form-Proof header; a form without scripts
 * has the proof and the answer in its fields.
 */
export function sentProof({
  header,
  fields: { proof, captcha },
}: Pick<RequestContext, 'header' | 'fields'>): string | null {
  const sent = header('x-form-proof')
  if (sent !== null || typeof proof !== 'string' || typeof captcha !== 'string') return sent
  return `${proof}.${captcha.trim()}`
}

/** Creates the proofs of a site; every process with the same key accepts them. */
export function createFormProofs({
  db,
  keys,
  clock,
}: {
  db: Database
  keys: Keys
  clock: () => number
}): FormProofs {
  const use = db.prepareWrite(
    'INSERT INTO used_proofs VALUES (:id, :expiresAt) ON CONFLICT DO NOTHING',
  )
  const forget = db.prepareWrite(`DELETE FROM used_proofs WHERE id IN
    (SELECT id FROM used_proofs WHERE expires_at < :now LIMIT ${batchSize})`)
  return {
    ...createSums({ keys, clock }),
    use: (tx, proof) => use.run(tx, proof).changes === 1,
    forget: (tx) => forget.run(tx, { now: clock() }).changes,
  }
}

/** The signing half of {@link createFormProofs}, which needs no database. */
export function createSums({
  keys,
  clock,
}: {
  keys: Keys
  clock: () => number
}): Pick<FormProofs, 'issue' | 'read'> {
  return {
    issue() {
      const operand = () => randomInt(1, formProofLimits.maxOperand + 1)
      const [x, y] = [operand(), operand()]
      const issuedAt = clock()
      const payload = `${randomBytes(9).toString('base64url')}.${issuedAt.toString(36)}`
      return {
        x,
        y,
        proof: `${payload}.${keys.hash('form-proof', `${payload}.${x + y}`)}`,
        expiresAt: new Date(issuedAt + proofMs).toISOString(),
      }
    },
    read(header) {
      const parts = header && header.length <= 200 ? header.split('.') : []
      const [id, issued, signature, answer] = parts
      if (parts.length !== 4 || !id || !issued || !signature || !answer) return null
      if (!/^\d{1,2}$/.test(answer)) return null
      const signed = `${id}.${issued}.${Number(answer)}`
      if (!keys.matches('form-proof', signed, signature)) return null
      const issuedAt = Number.parseInt(issued, 36)
      const age = clock() - issuedAt
      return age >= formProofLimits.minAgeMs && age < proofMs
        ? { id, expiresAt: issuedAt + proofMs }
        : null
    },
  }
}
