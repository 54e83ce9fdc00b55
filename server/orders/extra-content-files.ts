import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtraContentFiles } from '../content/files/extra-content-files.ts'
import { readSettings } from '../content/files/last-good-file.ts'
import { booksFile, booksSchema } from './books/settings.ts'
import { decodedText } from '../text/decoded-text.ts'

/** The settings of the books beside the content. */
export const booksSettings: ExtraContentFiles = {
  has: (path) => path === booksFile,
  async check(dir, files, noteOf) {
    if (!files.has(booksFile)) return
    const { problems } = readSettings(
      booksSchema,
      decodedText(await readFile(join(dir, booksFile))),
    )
    for (const problem of problems ?? []) noteOf(booksFile, null)(problem)
  },
}
