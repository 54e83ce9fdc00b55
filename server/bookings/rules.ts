import * as z from 'zod'
import { civilDate } from '#shared/fields.ts'

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
  /** Whether each booking needs somebody of the crew who does this service. */
  needsCrew: z.boolean().default(true),
})

const crewMember = z.strictObject({
  name: z.string().min(1).max(80),
  /** Slugs of the services that this person does. */
  services: z.array(z.string()).min(1),
  /** Bookings on one day, of all services together. */
  capacity: places.default(1),
  /** Days off. */
  away: z.array(span).default([]),
})

/** The schema of the settings file. Whatever is left out has the value that stands here. */
export const rulesSchema = z.strictObject({
  /** What the file is, for who opens it. */
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
  /** Whether there is no work on Finnish public holidays. */
  closedOnHolidays: z.boolean().default(true),
  /** ISO weekdays without work, 1 for Monday to 7 for Sunday. */
  closedWeekdays: z.array(z.int().min(1).max(7)).default([]),
  /** By slug; a service that does not stand here cannot be booked. */
  services: z
    .record(z.string(), serviceRules)
    // A visitor's word is looked up here, and `constructor` is no service.
    .transform((services) => Object.assign(Object.create(null) as typeof services, services)),
  /** Empty: the capacity of the services alone counts. */
  crew: z.array(crewMember).default([]),
  /** Days on which nobody works, or one service is not to be had. */
  blocked: z
    .array(z.intersection(span, z.object({ service: z.string().optional(), reason: z.string() })))
    .default([]),
  /** Days that can be asked for only from a date on, such as those of a new season. */
  seasons: z.array(z.intersection(span, z.object({ opens: civilDate }))).default([]),
})

/** The rules in force. */
export type BookingRules = z.output<typeof rulesSchema>

/** The rules of a site without the file: each of the usual services once a day. */
export const defaultRules: BookingRules = rulesSchema.parse({
  services: Object.fromEntries(
    [
      'photography',
      'videography',
      'public-relations',
      'social-media',
      'website-design',
      'graphic-design',
      'media-outsourcing',
    ].map((slug) => [slug, {}]),
  ),
})

/**
 * Reads the text of a settings file.
 * @returns the rules, or a sentence for each mistake with the place where it stands
 */
export function readRules(
  text: string,
): { rules: BookingRules; problems: null } | { rules: null; problems: string[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { rules: null, problems: [`It is no JSON: ${(error as Error).message}`] }
  }
  const parsed = rulesSchema.safeParse(value)
  if (parsed.success) return { rules: parsed.data, problems: null }
  return {
    rules: null,
    problems: parsed.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.') || 'the file'}: ${message}`,
    ),
  }
}
