import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilesBeside } from '../content/beside.ts'
import { readRules } from './rules.ts'

/** The name of the file with the rules of booking. */
export const rulesFile = 'booking-rules.json'

/** The rules of booking beside the content. */
export const bookingRules: FilesBeside = {
  has: (path) => path === rulesFile,
  async check(dir, files, noteOf) {
    if (!files.has(rulesFile)) return
    const { problems } = readRules(await readFile(join(dir, rulesFile), 'utf8'))
    for (const problem of problems ?? []) noteOf(rulesFile, null)(problem)
  },
}
