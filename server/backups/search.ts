import { createReadStream } from 'node:fs'
import { databaseName, fileIn } from './manifest.ts'
import type { Backup } from './store.ts'

/** Files that can have addresses of people: the database, and emails that became files. */
const isSearched = (path: string) => path === databaseName || path.startsWith('mail/')

/**
 * Looks for an address in a backup, byte by byte, so what is left in free pages of the database
 * counts, too.
 * @returns whether it is there; true where the backup cannot be read
 */
export async function isInBackup({ path, manifest }: Backup, email: string): Promise<boolean> {
  if (!manifest) return true
  for (const file of manifest.files.filter((each) => isSearched(each.path))) {
    const found = await isInFile(fileIn(path, file.path), email).catch(() => true)
    if (found) return true
  }
  return false
}

/** Whether a file has a text, whatever the letter case of ASCII. */
async function isInFile(path: string, text: string): Promise<boolean> {
  const wanted = lowered(Buffer.from(text))
  let end = ''
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const read = end + lowered(chunk as Buffer)
    if (read.includes(wanted)) return true
    end = read.slice(Math.max(0, read.length - wanted.length + 1))
  }
  return false
}

/** Bytes as characters, one each. */
const lowered = (bytes: Buffer) => bytes.toString('latin1').toLowerCase()
