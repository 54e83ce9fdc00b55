import * as z from 'zod/mini'
import { utmNames, type Utm } from '#shared/link-rules.ts'
import { defineTable, flag, integer, json, made, nullable, text } from '../db/table.ts'
import type { NewRowOf, RowOf } from '../db/table.ts'

const utm: z.ZodMiniType<Utm> = z.partialRecord(z.enum(utmNames), z.string())

/** Short links. Times are milliseconds of the epoch. */
export const links = defineTable('links', {
  id: made(integer()),
  /** Looked up without case. */
  code: text(),
  target: text(),
  note: text(),
  /** The client whose panel lists it. */
  clientId: nullable(integer('client')),
  /** Who made it. */
  author: text(),
  createdAt: integer(),
  startsAt: nullable(integer()),
  expiresAt: nullable(integer()),
  maxClicks: nullable(integer()),
  disabledAt: nullable(integer()),
  forwardQuery: flag(),
  utm: nullable(json(utm)),
  /** Lower case, each once. */
  tags: json(z.array(z.string())),
  /** The hash of its password. */
  password: nullable(text()),
  /** Saved clicks of people; those of the last second may still be in memory. */
  human: made(integer()),
  bot: made(integer()),
  lastClickAt: made(nullable(integer())),
  /** When the target was last asked whether it answers. */
  checkedAt: made(nullable(integer())),
  /** Checks in a row that it failed. */
  failures: made(integer()),
  /** How it failed the last one. */
  problem: made(nullable(text())),
})

/** A short link. */
export type Link = RowOf<typeof links>

/** What an insert of a link says. */
export type NewLink = NewRowOf<typeof links>

/** Clicks of a link by day in Helsinki, with the devices of the people. */
export const linkDays = defineTable('link_days', {
  link: integer(),
  day: text(),
  human: integer(),
  bot: integer(),
  phone: integer(),
  tablet: integer(),
  computer: integer(),
  other: integer(),
})
