import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtraContentFiles } from '../content/files/extra-content-files.ts'
import { readSettings } from '../content/files/last-good-file.ts'
import { sharesFile, shareSchema } from './settings.ts'
import { decodedText } from '../text/decoded-text.ts'

/** The shares beside the content. */
export const shareSettings: ExtraContentFiles = {
  has: (path) => path === sharesFile,
  async check(dir, files, noteOf) {
    if (!files.has(sharesFile)) return
    const { problems } = readSettings(
      shareSchema,
      decodedText(await readFile(join(dir, sharesFile))),
    )
    for (const problem of problems ?? []) noteOf(sharesFile, null)(problem)
  },
}
