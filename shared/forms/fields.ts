import * as z from 'zod/mini'
import { grouped } from '../text/counted.ts'
import { isLongerThan, plainLine, plainLines } from '../text/text.ts'
import { withWireDomain } from './wire-domain.ts'

/**
 * Fields that several forms have. Each message is a sentence for the person who fills it in, and
 * the browser and the server read the same schema.
 */

/** Said of a text that is too long. @param max characters, as people count them */
export const tooLong = (max: number) => `Please use at most ${grouped(max)} characters`

const atMost = (max: number) => z.refine<string>((value) => !isLongerThan(value, max), tooLong(max))

/** Cuts off what no field may hold before anything slower looks at it. */
const bounded = (message: string, max: number) =>
  z.string(message).check(z.maxLength(16 * max, tooLong(max)))

/**
 * One line of text that must be there.
 * @param message said when it is missing
 * @param max characters, as people count them
 */
export const line = (message: string, max: number) =>
  z.pipe(
    z.pipe(bounded(message, max), z.transform(plainLine)),
    z.string().check(z.minLength(1, message), atMost(max)),
  )

/** One line of text that may be left out; an empty one counts as left out. */
export const optionalLine = (max: number) =>
  z.pipe(
    z.optional(
      z.pipe(
        z.pipe(bounded('Please enter text here', max), z.transform(plainLine)),
        z.string().check(atMost(max)),
      ),
    ),
    z.transform((value: string | undefined) => value || undefined),
  )

/** Text of several lines that may be left out. */
export const optionalText = (max: number) =>
  z.pipe(
    z.optional(
      z.pipe(
        z.pipe(bounded('Please enter text here', max), z.transform(plainLines)),
        z.string().check(atMost(max)),
      ),
    ),
    z.transform((value: string | undefined) => value || undefined),
  )

/** Max characters of an e-mail address (RFC 5321, 4.5.3.1.3). */
export const maxEmailLength = 254

/** The sentence about an e-mail address that is none, word for word. */
export const notAnEmail = 'Please enter a valid email address'

/**
 * An address as `<input type=email>` takes it (HTML standard, "valid e-mail address"), with a dot
 * in its domain, since email for a bare host name never leaves this machine. A domain of any letters
 * is taken and becomes punycode, as it does in that element's value.
 */
export const emailAddress = z.pipe(
  z.pipe(
    z.string(notAnEmail),
    // Copied from a web page or a chat, it can come with marks that nobody sees, such as a soft hyphen.
    z.transform((value: string) => withWireDomain(value.replaceAll(/\p{Cf}/gu, '').trim())),
  ),
  z
    .string()
    .check(
      z.maxLength(maxEmailLength, notAnEmail),
      z.regex(
        /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i,
        notAnEmail,
      ),
    ),
)

/** The sentence about a date that is none. */
const notADate = 'Please enter a date as YYYY-MM-DD'

/**
 * A civil date, YYYY-MM-DD (ISO 8601), that the Gregorian calendar has. It belongs to no zone and
 * never shifts.
 */
export const civilDate = z
  .string(notADate)
  .check(z.regex(/^\d{4}-\d{2}-\d{2}$/, notADate), z.refine(isDate, 'That date doesn’t exist'))

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** A time of day, HH:MM on a 24-hour clock. */
export const timeOfDay = z
  .string('Please enter a time as HH:MM')
  .check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time as HH:MM'))

/**
 * The key that a client draws for one submission, so sending it again is a repeat and not a
 * second one: 16 to 64 of [A-Za-z0-9_-].
 */
export const submissionKey = z
  .string('A key is needed')
  .check(z.regex(/^[\w-]{16,64}$/, 'A key is 16 to 64 letters, digits, - and _'))

/** A telephone number as people write it, with at least five digits. */
export const optionalPhone = z.pipe(
  optionalLine(40),
  z
    .optional(z.string())
    .check(
      z.refine(
        (value) =>
          value === undefined ||
          (/^\+?[\d\s().\-/]+$/.test(value) && value.replaceAll(/\D/g, '').length >= 5),
        'Please enter a phone number, such as +358 40 123 4567',
      ),
    ),
)

/** A box that has to be ticked. */
export const accepted = (message: string) => z.literal(true, message)
