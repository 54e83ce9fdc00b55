import { eventFields } from '#shared/calendar.ts'
import { civilDate } from '#shared/dates/civil-dates.ts'
import { slugOf } from '#shared/text/slug.ts'
import type { StoredEvent } from '../schema.ts'
import { rejectDuplicates, type ImportRow } from './merge.ts'
import type { ImportOptions } from './options.ts'
import { plainTextOf } from './plain-text.ts'
import { zoneNamed, zoneOfCountry } from './zones.ts'

/** A record of a CSV file by the names of its first line, or what is wrong with it. */
export type CsvRecord = { line: number; fields: Readonly<Record<string, string>>; problem?: string }

/**
 * Reads events from the records of a CSV file: a column for each field, as `events export` writes
 * them. A column that is not there leaves its field as it is; an empty cell takes it away. Dates may be
 * written as in Finland: `5.6.2027`, with `18:00` or `18.00` behind. Without an id, an event is known by
 * its title and year; a second one that would be known alike is wrong, as it would replace the first.
 */
export function eventsOfCsv(
  records: readonly CsvRecord[],
  options: Pick<ImportOptions, 'zone' | 'series'>,
): ImportRow[] {
  const rows = records.map(({ line, fields, problem }): ImportRow => {
    const where = `Line ${line}`
    if (problem !== undefined) return { where, event: null, problem }
    try {
      return { where, event: eventOf(fields, options), problem: null }
    } catch (error) {
      return { where, event: null, problem: (error as Error).message }
    }
  })
  return rejectDuplicates(rows, 'in a column “id”')
}

function eventOf(
  fields: Readonly<Record<string, string>>,
  { zone, series }: Pick<ImportOptions, 'zone' | 'series'>,
): StoredEvent {
  const { title } = fields
  if (!title) throw new Error('no title')
  if (!fields.start) throw new Error('no start')
  const start = isoTime(fields.start)
  const end = fields.end ? isoTime(fields.end) : fields.end
  const hasTime = start.includes('T')
  const givenZone = fields.zone ? (zoneNamed(fields.zone, fields.country) ?? fields.zone) : null
  const known = givenZone ?? (hasTime ? (zone ?? zoneOfCountry(fields.country ?? null)) : null)
  const values: Readonly<Record<string, string | undefined>> = {
    ...fields,
    start,
    end,
    zone: known ?? fields.zone,
    series: fields.series || series || fields.series,
    description: fields.description && plainTextOf(fields.description),
  }
  const given = eventFields.flatMap((name) =>
    values[name] === undefined ? [] : [[name, values[name] || null] as const],
  )
  return {
    ...Object.fromEntries(given),
    id: fields.id || `${slugOf(title)}-${start.slice(0, 4)}`,
    title,
    start,
  }
}

const finnish =
  /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ T,]+(?:klo )?(\d{1,2})[:.](\d{2})(?:[:.]\d{2})?)?$/
const spaced = /^(\d{4}-\d\d-\d\d)[ T](\d{1,2})[:.](\d{2})(?::\d{2})?$/

/** A date or time as events keep it. What is neither stays, and is named with the row. */
function isoTime(given: string): string {
  const text = given.trim()
  const two = (number: string) => number.padStart(2, '0')
  const [, iso, isoHour, isoMinute] = spaced.exec(text) ?? []
  if (iso) return `${iso}T${two(isoHour!)}:${isoMinute!}`
  const [, day, month, year, hour, minute] = finnish.exec(text) ?? []
  if (!day) return text
  const date = `${year!}-${two(month!)}-${two(day)}`
  if (civilDate(date) === null) throw new Error(`${text} is not a date`)
  return hour ? `${date}T${two(hour)}:${minute!}` : date
}
