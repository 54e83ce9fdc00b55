import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CancellationRules } from '#shared/bookings/cancellation.ts'
import type { ExtraContentFiles } from '../../content/files/extra-content-files.ts'
import type { Content } from '../../content/source.ts'
import type { DoctorCheck } from '../../feature.ts'
import { decodedText } from '../../text/decoded-text.ts'
import { htmlToText } from '../../text/html-to-text.ts'

/**
 * Texts of editors say how long dates are held and what cancelling costs, in words of their own; the
 * rules change without them. So both are compared, sentence by sentence.
 */

/** The rules that texts speak of. */
type SpokenRules = { readonly holdHours: number; readonly cancellation: CancellationRules }

/** What a text says otherwise than the rules, a sentence for each. @param html of an editor */
export function contradictions(
  html: string,
  { holdHours, cancellation: { freeUntilDays, shares } }: SpokenRules,
): string[] {
  if (!/hours?|days?|%|per ?cent/i.test(html)) return []
  const days = [freeUntilDays, ...shares.map(({ untilDays }) => untilDays)]
  const percents = shares.map(({ percent }) => percent)
  return htmlToText(html)
    .split(/[.!?](?=\s|$)|\n/)
    .flatMap((sentence) => {
      const found: string[] = []
      // Not the race that is held for the fortieth time over 24 hours.
      const hours = /\b(?:hold|holds|held|holding)\b/i.test(sentence)
        ? numbersBefore(sentence, 'hours?', 'for (?:at least |up to )?')
        : []
      if (hours.length > 0 && !hours.includes(holdHours)) {
        found.push(`says that dates are held for ${hours[0]} hours; they are for ${holdHours}`)
      }
      const isOfFee = /\bcancel/i.test(sentence) && /\bfree\b/i.test(sentence)
      const free = isOfFee ? numbersBefore(sentence, 'days?') : []
      const [other] = free.filter((count) => !days.includes(count))
      if (other !== undefined) {
        found.push(`says ${other} days of cancelling; the rules have ${days.join(', ')}`)
      }
      const due = /\bof the price (?:is|are) due\b/i.test(sentence)
        ? numbersBefore(sentence, '(?:%|per ?cent)')
        : []
      const [share] = due.filter((percent) => !percents.includes(percent))
      if (share !== undefined) {
        found.push(
          `says that ${share} % of the price is due; the rules have ${percents.join(', ')}`,
        )
      }
      return found
    })
}

/** The numbers that stand before a word, and after another one. @param word a part of a pattern, as is `after` */
const numbersBefore = (sentence: string, word: string, after = ''): number[] =>
  Array.from(
    sentence.matchAll(new RegExp(String.raw`\b${after}(\d{1,4})[\s-]?${word}`, 'gi')),
    ([, count]) => Number(count),
  )

/** Collections whose texts speak to who books. */
const spoken = ['faq', 'services', 'news']

/** Names the rows of a content folder that say otherwise than its rules. */
export async function checkSpokenRules(
  rules: SpokenRules,
  [dir, files, noteOf]: Parameters<ExtraContentFiles['check']>,
): Promise<void> {
  for (const collection of spoken) {
    const file = `${collection}.json`
    if (!files.has(file)) continue
    for (const row of rowsIn(decodedText(await readFile(join(dir, file))))) {
      for (const [field, value] of Object.entries(row)) {
        const html = await textOf(value, dir, files)
        for (const problem of html === null ? [] : contradictions(html, rules)) {
          noteOf(file, { id: String(row.id) })(`${problem} (booking-rules.json)`, field, 'warning')
        }
      }
    }
  }
}

/** The text of a field, or of the file that it names; null for what is none. */
async function textOf(
  value: unknown,
  dir: string,
  files: ReadonlySet<string>,
): Promise<string | null> {
  if (typeof value === 'string') return value
  const path = value instanceof Object && '$file' in value ? String(value.$file) : null
  return path !== null && files.has(path) ? decodedText(await readFile(join(dir, path))) : null
}

/** The rows of a file; none of a broken one, which is named for that. */
function rowsIn(source: string): Record<string, unknown>[] {
  try {
    const parsed: unknown = JSON.parse(source)
    return [parsed].flat().filter((row) => row instanceof Object) as Record<string, unknown>[]
  } catch {
    return []
  }
}

/**
 * The doctor's check of what the public reads. Articles are left out: they say what held when they were
 * written.
 */
export const spokenRulesCheck = (
  content: Pick<Content, 'rows' | 'text'>,
  rules: () => SpokenRules,
): DoctorCheck => ({
  check: 'booking texts',
  async look() {
    const inForce = rules()
    const said: string[] = []
    for (const collection of ['faq', 'services'] as const) {
      // Content that can't be read has a check of its own.
      for (const row of await content.rows(collection).catch(() => [])) {
        const long = collection === 'faq' ? null : await content.text('services', row.id)
        const texts = [...Object.values(row), long].filter((each) => typeof each === 'string')
        const found = texts.flatMap((text) => contradictions(text, inForce))
        said.push(...found.map((problem) => `${collection} ${row.id} ${problem}`))
      }
    }
    return said.length > 0
      ? { state: 'warn', text: said.join('; ') }
      : { state: 'ok', text: 'no question or service contradicts the rules' }
  },
})
