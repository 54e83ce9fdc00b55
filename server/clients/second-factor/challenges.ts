import * as z from 'zod/mini'
import { minuteMs } from '#shared/dates/durations.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { newSecret } from '../../secrets/ids.ts'
import type { Keys } from '../../secrets/secret-key.ts'
import { createSignedTokens } from '../../secrets/tokens.ts'
import { signInChallenges, type SignInChallenge } from '../schema.ts'

/** The purpose of the tokens of challenges. */
export const challengePurpose = 'sign-in-challenge'

/** Milliseconds for which a right code waits for its number. */
export const challengeMs = 5 * minuteMs

/** Wrong numbers that end a challenge. */
const maxWrong = 5

/**
 * Prepares the challenge between a right code and its number: a token that says nothing and opens
 * nothing by itself, over a row that ends with success, after {@link maxWrong} wrong numbers, or after
 * {@link challengeMs}.
 */
export function createChallenges(
  db: Database,
  { keys, clock }: { keys: Keys; clock: () => number },
) {
  const tokens = createSignedTokens({ keys, clock, purpose: challengePurpose, schema: z.string() })
  const insert = signInChallenges.insert(db)
  const byId = signInChallenges.select(
    db,
    // One from the future was begun by a clock that was wrong, and would last until then.
    'WHERE id = :id AND wrong < :maxWrong AND created_at > :now - :challengeMs AND created_at <= :now',
  )
  const fail = db.prepareWrite('UPDATE sign_in_challenges SET wrong = wrong + 1 WHERE id = :id')
  const remove = db.prepareWrite('DELETE FROM sign_in_challenges WHERE id = :id')
  const removeOf = db.prepareWrite('DELETE FROM sign_in_challenges WHERE code = :codeId')
  const removeAll = db.prepareWrite('DELETE FROM sign_in_challenges')
  const forget = db.prepareWrite('DELETE FROM sign_in_challenges WHERE created_at <= :before')

  return {
    /** Begins a challenge. Call inside a transaction. @returns its token */
    begin(tx: Transaction, codeId: number, who: string | null): string {
      const now = clock()
      forget.run(tx, { before: now - challengeMs })
      const id = newSecret()
      insert(tx, { id, codeId, who, createdAt: now })
      return tokens.issue(id, now + challengeMs)
    },

    /** The challenge of a token, while it can be answered; null for every other text. */
    find(token: string): SignInChallenge | null {
      const read = tokens.read(token)
      return read && !read.expired
        ? byId.get({ id: read.payload, now: clock(), maxWrong, challengeMs })
        : null
    },

    /** Writes down a wrong number. @returns whether it was the last that the challenge takes */
    fail(tx: Transaction, { id, wrong }: SignInChallenge): boolean {
      fail.run(tx, { id })
      return wrong + 1 >= maxWrong
    },

    end: (tx: Transaction, { id }: SignInChallenge): void => void remove.run(tx, { id }),
    /** Ends the challenges of a code. */
    endOf: (tx: Transaction, codeId: number): void => void removeOf.run(tx, { codeId }),
    /** Ends every challenge. */
    endAll: (tx: Transaction): void => void removeAll.run(tx),
    /** Forgets those that have ended by themselves. Call inside a transaction. */
    forget: (tx: Transaction, now: number): void =>
      void forget.run(tx, { before: now - challengeMs }),
  }
}
