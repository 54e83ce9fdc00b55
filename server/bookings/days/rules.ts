import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { civilDate } from '#shared/forms/fields.ts'
import { brokenAt, lineOf } from '../../content/files/json-position.ts'
import { nearestOf } from '../../text/edit-distance.ts'
import { decodedText, withoutByteOrderMark } from '../../text/decoded-text.ts'
import { inWordsForStaff } from '../../text/schema-words.ts'
import type { ExtraContentFiles } from '../../content/files/extra-content-files.ts'
import { checkSpokenRules } from './rules-in-texts.ts'

/**
 * The rules of booking (docs/contract.md, Booking): the schema of `booking-rules.json` in
 * CONTENT_DIR. Staff edit that file while the server runs; one with a mistake is named in the log,
 * and the last good rules stay in force.
 */

const span = z.object({ from: civilDate, to: civilDate }).refine(({ from, to }) => from <= to, {
  message: 'The range ends before it begins',
  path: ['to'],
})

const places = z.int().min(0).max(100)

const serviceRules = z.strictObject({
  /** Bookings of this service on one day. */
  capacity: places.default(1),
  /** Days before and after the work on which its crew is on the road. */
  travelDays: z.int().min(0).max(7).default(0),
  /** Whether each booking needs someone of the crew who does this service. */
  needsCrew: z.boolean().default(true),
})

const crewMember = z.strictObject({
  name: z.string().min(1).max(80),
  /** Where they hear of their bookings; without it no one writes to them. */
  email: z.email().optional(),
  /** For the others on the call sheet. */
  phone: z.string().min(1).max(40).optional(),
  /** Slugs of the services that this person does. */
  services: z.array(z.string()).min(1),
  /** Bookings on one day, of all services together. */
  capacity: places.default(1),
  /** Days off. */
  away: z.array(span).default([]),
})

const cancellation = z
  .strictObject({
    /** Days before the first one until which cancelling is free. */
    freeUntilDays: z.int().min(0).max(365).default(14),
    /** What is due later, as per cent of the price, the earliest first; the last one stays. */
    shares: z
      .array(
        z.strictObject({
          untilDays: z.int().min(0).max(365),
          percent: z.number().min(0).max(100).multipleOf(0.1),
        }),
      )
      .max(5)
      .default([{ untilDays: 0, percent: 50 }]),
  })
  .refine(
    ({ freeUntilDays, shares }) =>
      shares.every(({ untilDays }, at) => untilDays < (shares[at - 1]?.untilDays ?? freeUntilDays)),
    { message: 'Each step must begin after the one before it', path: ['shares'] },
  )

const deposit = z.strictObject({
  percent: z.number().min(1).max(100).multipleOf(0.1),
  /** Smaller bookings need none; euro cents including VAT. */
  fromTotal: z.int().min(0).default(0),
})

/** The schema of the settings file. Whatever is left out has the value that is here. */
export const rulesSchema = z.strictObject({
  /** Says inside the file what it is for. */
  about: z.string().optional(),
  /** Hours for which a request holds its dates. */
  holdHours: z.number().min(1).max(1000).default(72),
  /** Hours between now and the beginning of the first day that can be asked for. */
  noticeHours: z.number().min(0).max(10_000).default(48),
  /** Months from today to the last day that can be asked for. */
  horizonMonths: z.int().min(1).max(60).default(18),
  /** Days before its start from which a confirmed booking can no longer be changed by its link. */
  cutOffDays: z.int().min(0).max(365).default(7),
  /** Hours after which staff are reminded of a request without an answer. */
  staffReminderHours: z.number().min(1).max(1000).default(24),
  /** Days before its start on which the visitor is reminded of a confirmed booking. */
  visitorReminderDays: z.array(z.int().min(1).max(60)).max(5).default([7, 1]),
  /** Days for which an offer can be accepted unless staff say otherwise. */
  offerDays: z.int().min(1).max(90).default(14),
  /** Hours before the end of an offer at which its customer is reminded; 0 for never. */
  offerReminderHours: z.number().min(0).max(1000).default(48),
  /** What cancelling costs. */
  cancellation: cancellation.prefault({}),
  /** What is invoiced as soon as a booking is confirmed; null for nothing. */
  deposit: deposit.nullable().default(null),
  /** Minutes for which a decision can be taken back, before its email leaves. */
  undoMinutes: z.number().min(0).max(60).default(10),
  /** Whether there is no work on Finnish public holidays. */
  closedOnHolidays: z.boolean().default(true),
  /** ISO weekdays without work, 1 for Monday to 7 for Sunday. */
  closedWeekdays: z.array(z.int().min(1).max(7)).default([]),
  /** Days with work although they are public holidays or closed days of the week. */
  open: z.array(z.intersection(span, z.object({ reason: z.string().optional() }))).default([]),
  /** By slug; a service that isn't here cannot be booked. */
  services: z
    .record(z.string(), serviceRules)
    // A visitor's word is looked up here, and `constructor` is no service.
    .transform((services) => Object.assign(Object.create(null) as typeof services, services)),
  /** Empty: the capacity of the services alone counts. */
  crew: z.array(crewMember).default([]),
  /** Days on which no one works, or one service is not to be had. */
  blocked: z
    .array(
      z.intersection(
        span,
        z.object({
          service: z.string().optional(),
          /** For staff. */
          reason: z.string(),
          /** What visitors read while they choose. */
          publicReason: z.string().min(1).max(80).optional(),
        }),
      ),
    )
    .default([]),
  /** Days that can be asked for only from a date on, such as those of a new season. */
  seasons: z.array(z.intersection(span, z.object({ opens: civilDate }))).default([]),
})

/** The rules in force. */
export type BookingRules = z.output<typeof rulesSchema>

/** The services of a site without the file. */
const defaultServices = [
  'photography',
  'videography',
  'public-relations',
  'social-media',
  'website-design',
  'graphic-design',
  'media-outsourcing',
] as const

let defaults: BookingRules | undefined

/** The rules of a site without the file: each of the usual services once a day. */
export const defaultRules = (): BookingRules =>
  (defaults ??= rulesSchema.parse({
    services: Object.fromEntries(defaultServices.map((slug) => [slug, {}])),
  }))

/** A mistake in a settings file. */
export type RulesMistake = {
  line: number
  /** Where it is, such as `crew.0.services.0`; null for the file as a whole. */
  field: string | null
  problem: string
}

/**
 * Reads the text of a settings file.
 * @returns the rules, or every mistake
 */
export function parseRules(
  given: string,
): { rules: BookingRules; mistakes: null } | { rules: null; mistakes: RulesMistake[] } {
  const text = withoutByteOrderMark(given)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { line, column } = brokenAt(text)
    const problem = `not valid JSON from column ${column}`
    return { rules: null, mistakes: [{ line, field: null, problem }] }
  }
  const parsed = rulesSchema.safeParse(value, inWordsForStaff)
  const found = parsed.success
    ? unknownServices(parsed.data)
    : parsed.error.issues.map(({ path, message, ...issue }) => ({
        path: 'keys' in issue ? [...path, issue.keys[0]!] : path,
        message,
      }))
  if (parsed.success && found.length === 0) return { rules: parsed.data, mistakes: null }
  return {
    rules: null,
    mistakes: found.map(({ path, message }) => ({
      line: lineOf(text, path),
      field: path.map(String).join('.') || null,
      problem: message,
    })),
  }
}

/** {@link parseRules} with a sentence for each mistake. */
export function readRules(
  text: string,
): { value: BookingRules; problems: null } | { value: null; problems: string[] } {
  const { rules, mistakes } = parseRules(text)
  if (rules) return { value: rules, problems: null }
  const sentences = mistakes.map(
    ({ line, field, problem }) => `line ${line}: ${field ? `${field}: ` : ''}${problem}`,
  )
  return { value: null, problems: sentences }
}

type Mistake = { path: PropertyKey[]; message: string }

/**
 * Names of services that no service has: a person of the crew who does none of ours would leave every
 * day taken, and a blocked day would stay open.
 */
function unknownServices({ services, crew, blocked }: BookingRules): Mistake[] {
  const known = Object.keys(services)
  const unknown = (path: PropertyKey[], slug: string): Mistake[] => {
    if (known.includes(slug)) return []
    const near = nearestOf(slug, known)
    return [{ path, message: noService(slug, near) }]
  }
  const missing = defaultServices.filter((slug) => !known.includes(slug))
  return [
    // Its own service is fine, one that is a usual one but for a letter is not.
    ...known.flatMap((slug): Mistake[] => {
      const near = defaultServices.some((usual) => usual === slug) ? null : nearestOf(slug, missing)
      return near ? [{ path: ['services', slug], message: noService(slug, near) }] : []
    }),
    ...crew.flatMap((person, at) =>
      person.services.flatMap((slug, index) => unknown(['crew', at, 'services', index], slug)),
    ),
    ...blocked.flatMap(({ service }, at) =>
      service === undefined ? [] : unknown(['blocked', at, 'service'], service),
    ),
  ]
}

const noService = (slug: string, near: string | null) =>
  `no service "${slug}"${near ? `; did you mean "${near}"?` : ' in "services"'}`

/** Services that need someone of the crew, of whom no one does them: every day of theirs is taken. */
export const servicesWithoutCrew = ({ services, crew }: BookingRules): string[] =>
  crew.length === 0
    ? []
    : Object.entries(services)
        .filter(([, { needsCrew, capacity }]) => needsCrew && capacity > 0)
        .map(([slug]) => slug)
        .filter((slug) => !crew.some((person) => person.services.includes(slug)))

/** The name of the file with the rules of booking. */
export const rulesFile = 'booking-rules.json'

/** The rules of booking beside the content. */
export const bookingRules: ExtraContentFiles = {
  has: (path) => path === rulesFile,
  async check(dir, files, noteOf) {
    if (!files.has(rulesFile)) return
    const note = noteOf(rulesFile, null)
    const { rules, mistakes } = parseRules(decodedText(await readFile(join(dir, rulesFile))))
    for (const { line, field, problem } of mistakes ?? []) {
      note(`line ${line}: ${problem}`, field)
    }
    for (const slug of rules ? servicesWithoutCrew(rules) : []) {
      note(`no crew member does ${slug}, so it can’t be booked`, 'crew', 'warning')
    }
    if (rules) await checkSpokenRules(rules, [dir, files, noteOf])
  },
}
