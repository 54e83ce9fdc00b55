import { dayMs, hourMs } from '#shared/durations.ts'
import type { Database } from '../db/open.ts'

/** Tickets that one network may send in a day; no person writes as many. */
const mostADay = 1000

/** How many tickets without a proof are taken as they come, before further ones go into quarantine. */
const unproven = {
  network: { most: 5, ms: hourMs },
  email: { most: 20, ms: dayMs },
} as const

/** Prepares the questions of how many messages have come from where. */
export function createTicketLimits(db: Database) {
  const ofNetwork = db
    .prepare('SELECT count(*) FROM tickets WHERE network = :network AND received_at > :after')
    .pluck()
  const unprovenOfNetwork = db
    .prepare(`SELECT count(*) FROM tickets
    WHERE proven = 0 AND network = :network AND received_at > :after`)
    .pluck()
  const unprovenOfEmail = db
    .prepare(`SELECT count(*) FROM tickets
    WHERE proven = 0 AND email = :email COLLATE NOCASE AND received_at > :after`)
    .pluck()

  return {
    /** Whether a network has sent all that one may in a day. */
    isUsedUp: (network: string, now: number): boolean =>
      (ofNetwork.get({ network, after: now - dayMs }) as number) >= mostADay,

    /** Whether a further message without a proof has to wait for staff. */
    hasTooManyUnproven({
      network,
      email,
      now,
    }: {
      network: string
      email: string
      now: number
    }): boolean {
      const { network: net, email: mail } = unproven
      return (
        (unprovenOfNetwork.get({ network, after: now - net.ms }) as number) >= net.most ||
        (unprovenOfEmail.get({ email, after: now - mail.ms }) as number) >= mail.most
      )
    },
  }
}
