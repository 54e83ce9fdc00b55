import * as z from 'zod'

/**
 * The shares (docs/shares.md): the schema of `shares.json` in CONTENT_DIR, which says how much strangers
 * may hold, number or cause. Staff edit that file while the server runs.
 */

/** The name of the file. */
export const sharesFile = 'shares.json'

const count = z.int().min(0).max(1_000_000)
const part = z.number().min(0).max(1)

/** The schema of the file. What is left out has the value given here. */
export const shareSchema = z.strictObject({
  /** What the file is, for its reader. */
  about: z.string().optional(),
  bookings: z
    .strictObject({
      /** Open requests, and days that they hold. */
      mailbox: z.strictObject({ requests: count.default(3), days: count.default(31) }).prefault({}),
      /** Requests in a day, and days that they hold. */
      network: z.strictObject({ requests: count.default(6), days: count.default(62) }).prefault({}),
      /** Of a service's open days of a month, what unanswered requests hold together. */
      inAll: z.strictObject({ part: part.default(1 / 3), least: count.default(2) }).prefault({}),
      /** Moves of one booking by its visitor in a day. */
      moves: count.default(3),
    })
    .prefault({}),
  orders: z
    .strictObject({
      /** Unpaid orders. */
      mailbox: z.strictObject({ orders: count.default(3) }).prefault({}),
      /** Unpaid orders, and limited pieces that they reserve. */
      network: z
        .strictObject({ orders: count.default(10), pieces: count.default(20) })
        .prefault({}),
      /** Of a variant's stock, what unpaid bank-transfer orders reserve together. */
      inAll: z.strictObject({ part: part.default(1 / 2), least: count.default(1) }).prefault({}),
      /** Days after which an unpaid bank-transfer order ends. */
      transferDays: z.int().min(8).max(60).default(10),
    })
    .prefault({}),
  /** Hours for which what is beyond a share waits. */
  waitingHours: z.number().min(1).max(168).default(24),
  mails: z
    .strictObject({
      /** Emails of a kind to one mailbox in a day, caused by visitors. */
      mailbox: count.default(3),
      /** Confirmations of the contact form to mailboxes in a day, caused by one network. */
      network: count.default(30),
      /** Emails of a kind to staff in an hour, before the others come in one summary. */
      staff: count.default(3),
    })
    .prefault({}),
  /** What is kept but holds nothing: rows and bytes in a day, of one network and in all. */
  parked: z
    .strictObject({
      bytesEach: count.default(10_000),
      network: z
        .strictObject({ rows: count.default(30), bytes: count.default(150_000) })
        .prefault({}),
      inAll: z
        .strictObject({ rows: count.default(2_000), bytes: z.int().min(0).default(5_000_000) })
        .prefault({}),
    })
    .prefault({}),
  /** Statements of withdrawal in a day, from one network, that name no order of their sender. */
  withdrawals: z.strictObject({ network: count.default(20) }).prefault({}),
})

/** The shares in force. */
export type ShareSettings = z.output<typeof shareSchema>

let usual: ShareSettings | undefined

/** The shares of a site without the file. */
export const defaultShares = (): ShareSettings => (usual ??= shareSchema.parse({}))
