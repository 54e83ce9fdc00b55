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
