import { defineTable, integer, made, nullable, text, textOf, type RowOf } from '../db/table.ts'

/** Why a thing holds nothing: it waits for a link or for staff, or looks like a robot's. */
export type Parked = 'link' | 'staff' | 'doubtful'

/** What people outside have asked us to hold or keep. Times are milliseconds of the epoch. */
export const claims = defineTable('claims', {
  id: made(integer()),
  noun: text(),
  /** What people call it, such as a booking's reference. */
  thing: text(),
  /** Keyed hashes of the sender: the mailbox in one spelling, and the network. */
  mailbox: text(),
  network: text(),
  /** Days or pieces. */
  units: integer(),
  /** What its row takes in the database. */
  bytes: integer(),
  at: integer(),
  /** Null for what holds. */
  parked: nullable(textOf<Parked>()),
  /** When what waits ends by itself. */
  until: nullable(integer()),
  secret: nullable(text()),
  /** When the link in its email was used. */
  provenAt: made(nullable(integer())),
})

/** A claim of someone outside. */
export type Claim = RowOf<typeof claims>
