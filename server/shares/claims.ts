import { hourMs } from '#shared/dates/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { integer, query, text, type NewRowOf } from '../db/table.ts'
import { claims, type Claim } from './schema.ts'

/** Who sent something, as keyed hashes: the mailbox in one spelling, and the network. */
export type Sender = { readonly mailbox: string; readonly network: string }

/** A sum over claims. */
const claimed = { things: integer(), units: integer(), bytes: integer() }
const sums =
  'count(*) AS things, coalesce(sum(units), 0) AS units, coalesce(sum(bytes), 0) AS bytes'

/** Prepares the statements of the claims; the only place with SQL that writes them. */
export function createClaimStore(db: Database, clock: () => number) {
  // Claims made while the clock was ahead would count until then, which may be years.
  const since = `at > :after AND at <= :now + ${hourMs}`
  const insert = claims.insert(db, 'ON CONFLICT DO NOTHING')
  const change = claims.update(db, ['parked', 'units', 'until', 'provenAt'], 'WHERE id = :id')
  const one = claims.select(db, 'WHERE noun = :noun AND thing = :thing')
  const ofSecret = claims.select(db, 'WHERE secret = :secret AND noun = :noun')
  const held = query(
    db,
    `SELECT ${sums} FROM claims WHERE network = :network AND noun = :noun AND ${since}
       AND parked IS NULL AND thing <> :except`,
    claimed,
  )
  const parkedOf = query(
    db,
    `SELECT ${sums} FROM claims WHERE network = :network AND noun = :noun AND ${since}
       AND parked IS NOT NULL`,
    claimed,
  )
  const parked = query(
    db,
    `SELECT ${sums} FROM claims WHERE noun = :noun AND ${since} AND parked IS NOT NULL`,
    claimed,
  )
  const like = query(
    db,
    `SELECT thing FROM claims
       WHERE noun = :noun AND (network = :network OR mailbox = :mailbox) ORDER BY id`,
    { thing: text() },
  )
  const ofMailbox = claims.select(db, 'WHERE mailbox = :mailbox ORDER BY id')
  const erase = db.prepareWrite('DELETE FROM claims WHERE mailbox = ?')
  const forget = db.prepareWrite(
    `DELETE FROM claims WHERE id IN (SELECT id FROM claims WHERE at < ? LIMIT ${batchSize})`,
  )

  return {
    /** Writes a claim down; the same thing again changes nothing. */
    insert: (tx: Transaction, claim: NewRowOf<typeof claims>): Claim =>
      insert(tx, claim) ?? one.get({ noun: claim.noun, thing: claim.thing })!,

    /** Changes whether a claim holds, or how much it is. */
    change: (
      tx: Transaction,
      claim: Claim,
      to: Partial<Pick<Claim, 'parked' | 'units' | 'until' | 'provenAt'>>,
    ): void => void change(tx, { ...claim, ...to }, { id: claim.id }),

    find: (noun: string, thing: string): Claim | null => one.get({ noun, thing }),
    ofSecret: (noun: string, secret: string): Claim | null => ofSecret.get({ secret, noun }),

    /** What a network was given since an instant, without one thing. */
    heldSince: (noun: string, network: string, after: number, except = '') =>
      held.get({ noun, network, after, now: clock(), except })!,
    /** What was kept since an instant and holds nothing: of one network, or of all. */
    parkedSince: (noun: string, network: string | null, after: number) =>
      (network === null
        ? parked.get({ noun, after, now: clock() })
        : parkedOf.get({ noun, network, after, now: clock() }))!,

    /** The things of the same network or mailbox as a claim, itself included. */
    like: ({ noun, network, mailbox }: Claim): string[] =>
      like.all({ noun, network, mailbox }).map((row) => row.thing),

    ofMailbox: (mailbox: string): Claim[] => ofMailbox.all({ mailbox }),
    erase: (tx: Transaction, mailbox: string): number => erase.run(tx, mailbox).changes,
    /** Forgets a batch of claims that are older than an instant. @returns how many */
    forget: (tx: Transaction, before: number): number => forget.run(tx, before).changes,
  }
}
