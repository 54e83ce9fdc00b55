import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMail } from './read-mail.ts'

/** The emails that a site without SMTP wrote as files, oldest first, with their file names. */
export function mailFiles(dataDir: string) {
  const directory = join(dataDir, 'mail')
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .map((file) => ({ file, ...readMail(readFileSync(join(directory, file), 'utf8')) }))
}

/**
 * Makes a reader of the emails that were written as files since its last look. It knows those it has seen
 * by their names: one that was written late may come before them.
 */
export function createMailReader(dataDir: string): () => ReturnType<typeof mailFiles> {
  const seen = new Set<string>()
  return () => {
    const fresh = mailFiles(dataDir).filter(({ file }) => !seen.has(file))
    for (const { file } of fresh) seen.add(file)
    return fresh
  }
}
