import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtraContentFiles } from '../../content/files/extra-content-files.ts'
import { parseRules, servicesWithoutCrew } from './rules.ts'

/** The name of the file with the rules of booking. */
export const rulesFile = 'booking-rules.json'

/** The rules of booking beside the content. */
export const bookingRules: ExtraContentFiles = {
  has: (path) => path === rulesFile,
  async check(dir, files, noteOf) {
    if (!files.has(rulesFile)) return
    const note = noteOf(rulesFile, null)
    const { rules, mistakes } = parseRules(await readFile(join(dir, rulesFile), 'utf8'))
    for (const { line, field, problem } of mistakes ?? []) {
      note(`line ${line}: ${problem}`, field)
    }
    for (const slug of rules ? servicesWithoutCrew(rules) : []) {
      note(`no crew member does ${slug}, so it can’t be booked`, 'crew', 'warning')
    }
  },
}
