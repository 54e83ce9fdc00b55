import type * as z from 'zod'

/** What a value should have been, for people who edit a file. */
const wanted: Readonly<Record<string, string>> = {
  string: 'Use a text',
  number: 'Use a number',
  int: 'Use a whole number',
  boolean: 'Use true or false',
  array: 'Use a list',
  object: 'Use an object in braces',
}

const counted = (count: number | bigint, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`

/** How much of a value there may be: of texts and lists, what they consist of is counted. */
function amount(origin: string, count: number | bigint): string {
  if (origin === 'string') return counted(count, 'character')
  return origin === 'array' ? `${count} ${Number(count) === 1 ? 'entry' : 'entries'}` : `${count}`
}

function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'This is missing'
  if (issue.code === 'invalid_type') return wanted[issue.expected]
  if (issue.code === 'invalid_value') return `Use one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'unrecognized_keys') return `Unknown: ${issue.keys.join(', ')}`
  if (issue.code === 'too_big') return `At most ${amount(issue.origin, issue.maximum)}`
  if (issue.code !== 'too_small') return undefined
  if (issue.origin === 'string' && issue.minimum === 1) return 'This is empty'
  return `At least ${amount(issue.origin, issue.minimum)}`
}

/**
 * For `safeParse` of what staff type and of files that they edit: the schema library's own words name
 * types of JavaScript. A message of the schema itself goes before these.
 */
export const inWordsForStaff = { error: sentence }
