import * as z from 'zod/mini'
import type { DeskGroup, DeskLine } from './lines.ts'
import { endpoint, json } from '../endpoint.ts'

/** How many things a search of the desk finds, of each noun. */
export const maxFound = 15

/**
 * What waits for staff today; for codes with the scope `desk`. With `group`, the title of one, that group
 * alone and more of its lines; none where nothing waits in it.
 */
export const getToday = endpoint({
  method: 'GET',
  path: '/api/desk/today',
  input: z.object({ group: z.optional(z.string().check(z.maxLength(100))) }),
  output: json<{ name: string; groups: DeskGroup[] }>(),
})

/** The group with what the doctor warns of, on the desk's first page. */
export const warningsTitle = 'Site warnings'

/** How many things of each group wait, without the things; for a page that is open. */
export const getDeskCounts = endpoint({
  method: 'GET',
  path: '/api/desk/counts',
  input: z.object({}),
  output: json<{ groups: { title: string; total: number }[] }>(),
})

/** Signs that are words, or half of one: a name can be a single one of them. */
const wordSign = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

/** Whether the words of a search say enough to look for: a single letter is in nearly everything. */
export const isDeskSearch = (words: readonly string[]): boolean => {
  const all = words.join('')
  return all.length >= 2 || wordSign.test(all)
}

/** Finds people, tickets, bookings, orders, clients, folders, links and emails by any of their words. */
export const findAtDesk = endpoint({
  method: 'GET',
  path: '/api/desk/find',
  input: z.object({ q: z.string().check(z.maxLength(200)) }),
  output: json<{ q: string; lines: DeskLine[] }>(),
})

/** Everything that is known of an address, the newest first. */
export const getPerson = endpoint({
  method: 'GET',
  path: '/api/desk/person',
  input: z.object({ email: z.string().check(z.maxLength(254)) }),
  output: json<{ email: string; lines: DeskLine[] }>(),
})
